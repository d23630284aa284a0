import type { Command } from 'commander';
import type { CheckFlags } from '../../app/check/claims.ts';
import { settingFlags } from '../../config/flags.ts';
import { UserError } from '../../core/errors.ts';
import type { ExitCode } from '../../core/exit.ts';
import { addProjectOptions, collect, exitWith, parseSeconds } from '../options/options.ts';

interface CheckOptions extends CheckFlags {
  readonly submission?: string;
  readonly target?: string;
  readonly config?: string;
  readonly changed?: true;
  readonly useEmbedded?: true;
  readonly build?: true;
}

export function registerCheck(program: Command): void {
  addProjectOptions(program.command('check'))
    .description('Check a proof, or every theorem of a Lean file')
    .argument('[path]', 'a Lean file or a folder')
    .option('--stmt <text>', 'the statement: "theorem name binders : type"')
    .option('--proof <text>', 'the proof: "by …" or a term')
    .option('--against <file>', 'a reference file that states what FILE must prove')
    .option('--submission <file>', "with --target: SafeVerify's name for FILE")
    .option('--target <file>', "with --submission: SafeVerify's name for --against")
    .option('--config <file>', 'a comparator configuration file')
    .option('--changed', 'check files changed since the last commit against that commit; sorrys are allowed')
    .option('--preamble <file>', 'a Lean file to load before the statement')
    .option('--allow-axiom <name>', 'allow an axiom of the preamble (repeatable)', collect, [])
    .option('--timeout <seconds>', 'wall-clock limit, set-up excluded', parseSeconds, 30)
    .option('--second-kernel', 'also check with the second, independent kernel')
    .option('--json', 'print one JSON object per verdict')
    .option('--show-statement', 'with --stmt: also print the statement as Lean elaborated it')
    .action(exitWith(check));
}

async function check(file: string | undefined, options: CheckOptions): Promise<ExitCode> {
  const { settingsFrom } = await import('../../app/settings.ts');
  const settings = settingsFrom(settingFlags({ ...options }));
  if (options.changed) {
    const { checkChanged } = await import('../../app/check/changed.ts');
    return await checkChanged(file ?? '.', settings, options);
  }
  if (options.config !== undefined) {
    refuseOtherInputs(file, options);
    const { compareByConfig } = await import('../../app/check/comparison.ts');
    return await compareByConfig(options.config, settings, options);
  }
  const [candidate, ours] = inOurWords(file, options);
  if (candidate?.endsWith('.olean') && ours.against?.endsWith('.olean')) {
    if (ours.secondKernel)
      throw new UserError('check-usage', '--second-kernel checks sources, not compiled modules');
    const { compareModules } = await import('../../app/check/comparison.ts');
    return await compareModules(candidate, ours.against, settings, ours);
  }
  const { checkClaims } = await import('../../app/check/claims.ts');
  return await checkClaims(candidate, settings, ours);
}

function refuseOtherInputs(
  file: string | undefined,
  { stmt, proof, preamble, against, submission, target }: CheckOptions,
): void {
  if ([file, stmt, proof, preamble, against, submission, target].some((given) => given !== undefined))
    throw new UserError(
      'check-usage',
      '--config already names all files, so it cannot be combined with other inputs',
    );
}

/** SafeVerify's names of the two options. */
function inOurWords(
  file: string | undefined,
  { submission, target, ...options }: CheckOptions,
): [string | undefined, CheckOptions] {
  if (submission === undefined && target === undefined) return [file, options];
  if (submission === undefined || target === undefined || file !== undefined || options.against !== undefined)
    throw new UserError(
      'check-usage',
      '--submission and --target must be used together, without another file',
    );
  return [submission, { ...options, against: target }];
}
