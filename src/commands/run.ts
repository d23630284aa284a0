import type { Command } from 'commander';
import { UserError } from '../core/errors.ts';
import { ExitCode } from '../core/exit.ts';
import { addRunOptions, parseSeconds, settingFlags, type RunOptions } from './options.ts';
import type { ProofsOut } from './proofs-out.ts';

interface RunCommandOptions extends RunOptions, ProofsOut {
  readonly timeout?: number;
  readonly strict?: true;
}

export function registerRun(program: Command): void {
  addRunOptions(
    program
      .command('run')
      .description('Prove the goals of files: JSONL rows, SorryDB records, or the sorrys of Lean files')
      .argument('<paths...>', 'files (.jsonl, .json, .lean), folders with Lean files, or patterns')
      .option('--diff', 'print the proofs as a patch of their files, and nothing else, on stdout')
      .option('--write', 'put the proofs into their files')
      .option('--out <file>', 'write the file with its proofs, or the proofs of rows, into a new Lean file')
      .option('--strict', 'one row that cannot be read refuses them all')
      .option(
        '--timeout <seconds>',
        'wall clock of the whole run, set-up excluded (default: none)',
        parseSeconds,
      ),
  )
    .addHelpText(
      'after',
      `
With --diff, --write and --out the gate judges each edited file as a whole before anything is written.

Examples:
  orch run Basic.lean                          print the proofs that were found
  orch run Basic.lean --diff | git apply       look at them first, then take them
  orch run src --write --timeout 600           every sorry below a folder, ten minutes
  orch run goals.jsonl --out solved.lean       statements in, a Lean file out
  orch run goals.jsonl --reporter json         one line of JSON a goal`,
    )
    .action(async (paths: string[], options: RunCommandOptions) => {
      process.exitCode = await run(paths, options);
    });
}

async function run(paths: readonly string[], options: RunCommandOptions): Promise<ExitCode> {
  const { settingsFrom } = await import('../app.ts');
  const { exitCodeOf, prove } = await import('./proving.ts');
  const { goalsOfFiles, imageOfFiles } = await import('../lean/goals/files.ts');
  const { filesOf } = await import('../lean/goals/sources.ts');
  const { putProofs, wantsProofsOut } = await import('./proofs-out.ts');
  const files = filesOf(paths);
  refuseContradictions(files, options);
  let isAllPlaced = true;
  const finished = await prove({
    settings: settingsFrom(settingFlags({ ...options })),
    reporter: options.reporter,
    choice: {
      command: 'run',
      label: options.label,
      sources: files,
      seed: options.seed,
      timeout: options.timeout ?? null,
    },
    image: imageOfFiles(files),
    goals: async (lean) => await goalsOfFiles(files, lean, { strict: options.strict ?? false }),
    ...(options.diff && { reportsOn: { stdout: process.stderr, stderr: process.stderr } }),
    afterwards: async (proved, lean) => {
      if (wantsProofsOut(options)) isAllPlaced = await putProofs(proved, lean, options);
      else if (options.reporter !== 'json' && proved.some(({ goal }) => goal.place))
        process.stderr.write('→ --write puts the proofs into their files, --diff prints a patch\n');
    },
  });
  return isAllPlaced ? exitCodeOf(finished) : ExitCode.notAll;
}

/** Said before anything is worked on. */
function refuseContradictions(
  files: readonly string[],
  { diff, write, out, reporter }: RunCommandOptions,
): void {
  const lean = files.filter((file) => file.endsWith('.lean')).length;
  if ((diff || write) && lean === 0)
    throw new UserError('no-place', 'rows have no place that a proof could go to', 'Use --out solved.lean.');
  if (diff && reporter === 'json')
    throw new UserError('two-outputs', '--diff and --reporter json both want stdout', 'Take one of them.');
  if (out !== undefined && lean > 0 && files.length > 1)
    throw new UserError('several-files', '--out is for one Lean file, or for rows', 'Use --write or --diff.');
}
