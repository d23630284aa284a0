import type { Command } from 'commander';
import { UserError } from '../../core/errors.ts';
import { ExitCode } from '../../core/exit.ts';
import { writeWhole } from '../../io/whole-file.ts';
import { addRunOptions, exitWith, parseCount, parseSeconds, parseSeed } from '../options/options.ts';
import { settingFlags } from '../../config/flags.ts';
import type { LabChoice } from '../../app/lab.ts';
import type { RunOptions } from '../../app/run.ts';
import { plural } from '../../shared/plural.ts';

type RecordOptions = RunOptions & LabChoice;

interface CurriculumOptions {
  readonly out: string;
  readonly seed: number;
  readonly count: number;
  readonly modules: string;
}

interface CompareOptions {
  readonly svg?: string;
  readonly json?: true;
}

export function registerLab(program: Command): void {
  const lab = program.command('lab').description('Compare scheduling policies on recorded attempts');
  addRunOptions(
    lab
      .command('record')
      .description('Run every arm on every goal of a set, alone and to its limit; one JSON line per goal')
      .argument('<set>', '"bank", or a file of goals (.jsonl, .lean)')
      .requiredOption('--out <file>', 'record to write; goals already in it are skipped')
      .option('--cpu <seconds>', 'CPU-seconds per attempt', parseSeconds, 8)
      .option('--every <count>', 'every N-th goal only', parseCount, 1)
      .option('--reached', 'skip arms that no policy would reach'),
  ).action(exitWith(record));
  lab
    .command('curriculum')
    .description('Make a problem set from theorems of the library, easy ones first')
    .requiredOption('--out <file>', 'problem set to write (.jsonl)')
    .option('--count <goals>', 'maximum number of goals', parseCount, 60)
    .option('--modules <pattern>', 'module pattern; * matches one name part, ** any number', 'Std.**')
    .option('--seed <number>', 'random seed', parseSeed, 1)
    .action(exitWith(curriculum));
  lab
    .command('compare')
    .description('Replay every policy over records: CPU-seconds and regret on held-out folds')
    .argument('<records...>', 'files from `orch lab record`')
    .option('--svg <file>', 'draw the cost per goal')
    .option('--json', 'print one JSON object')
    .action(exitWith(compare));
  lab
    .command('train')
    .description('Train the policies on records and write the file that runs start from')
    .argument('<records...>', 'files from `orch lab record`')
    .requiredOption('--out <file>', 'file to write; runs read policy/warm-start.json')
    .action(exitWith(train));
}

async function train(records: readonly string[], { out }: { readonly out: string }): Promise<ExitCode> {
  const { modelOf } = await import('../../core/lab/teach.ts');
  const { labRowsOf } = await import('../../app/lab.ts');
  const model = modelOf(records.flatMap(labRowsOf));
  // four digits are enough, and changes are easy to see
  const text = JSON.stringify(model, (_, value: unknown) =>
    typeof value === 'number' ? Number(value.toPrecision(4)) : value,
  );
  writeWhole(out, `${text}\n`);
  process.stdout.write(`${model.arms.length} arms; one order for all: ${model.order.join(', ')}\n`);
  return ExitCode.done;
}

async function record(set: string, options: RecordOptions): Promise<ExitCode> {
  const { recordSet } = await import('../../app/lab.ts');
  const { settingsFrom } = await import('../../app/settings.ts');
  await recordSet(set, settingsFrom(settingFlags({ ...options })), options, tell);
  return ExitCode.done;
}

async function curriculum({ out, count, modules, seed }: CurriculumOptions): Promise<ExitCode> {
  const { openLean } = await import('../../app/lean.ts');
  const { settingsFrom } = await import('../../app/settings.ts');
  const { makeCurriculum } = await import('../../lean/learning/curriculum/curriculum.ts');
  const { LeanDomain } = await import('../../lean/domain.ts');
  if (!out.endsWith('.jsonl'))
    throw new UserError('bad-option', `${out} is not a .jsonl file`, 'For example --out curriculum.jsonl.');
  const settings = settingsFrom({});
  await using lean = await openLean(settings, { image: 'std', slots: 1 });
  const domain = new LeanDomain(lean.pool, lean.gate);
  const choice = { count, seed, modules };
  const rows = await makeCurriculum({ pool: lean.pool, domain, tell }, choice);
  writeWhole(out, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  process.stdout.write(`${plural(rows.length, 'goal')} in ${out}\n`);
  return rows.length > 0 ? ExitCode.done : ExitCode.notAll;
}

function tell(text: string): void {
  process.stderr.write(`${text}\n`);
}

async function compare(records: readonly string[], options: CompareOptions): Promise<ExitCode> {
  const { comparePolicies, policyStanding } = await import('../../core/lab/compare.ts');
  const { labRowsOf } = await import('../../app/lab.ts');
  const { policyTable, remarkOnPolicy } = await import('../../reporters/lab-table.ts');
  const rows = records.flatMap(labRowsOf);
  const folds = { file: comparePolicies(rows, 'file'), source: comparePolicies(rows, 'source') };
  if (options.svg !== undefined) {
    const { drawCourses } = await import('../../reporters/lab-svg.ts');
    writeWhole(options.svg, drawCourses(folds.file));
  }
  process.stdout.write(
    options.json
      ? `${JSON.stringify(folds)}\n`
      : `${policyTable('file', folds.file)}${remarkOnPolicy(policyStanding(folds.file, 'contextual'))}\n` +
          `${policyTable('source', folds.source)}${remarkOnPolicy(policyStanding(folds.source, 'contextual'))}`,
  );
  return ExitCode.done;
}
