import { appendFileSync, existsSync } from 'node:fs';
import path from 'node:path';
import type { Command } from 'commander';
import { UserError } from '../../core/errors.ts';
import { ExitCode } from '../../core/exit.ts';
import type { FoldKind, FoldResult, PolicyStanding } from '../../core/lab/compare.ts';
import type { LeanGoal } from '../../lean/goals/goal.ts';
import { writeWhole } from '../../io/whole-file.ts';
import { alignColumns } from '../../reporters/format.ts';
import { addRunOptions, parseCount, parseSeconds, parseSeed } from '../options/options.ts';
import { settingFlags } from '../../config/flags.ts';
import type { RunOptions } from '../../app/run.ts';
import { plural } from '../../shared/plural.ts';

interface RecordOptions extends RunOptions {
  readonly out: string;
  readonly cpu: number;
  readonly every: number;
  readonly reached?: true;
}

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
  ).action(async (set: string, options: RecordOptions) => {
    process.exitCode = await record(set, options);
  });
  lab
    .command('curriculum')
    .description('Make a problem set from theorems of the library, easy ones first')
    .requiredOption('--out <file>', 'problem set to write (.jsonl)')
    .option('--count <goals>', 'maximum number of goals', parseCount, 60)
    .option('--modules <pattern>', 'module pattern; * matches one name part, ** any number', 'Std.**')
    .option('--seed <number>', 'random seed', parseSeed, 1)
    .action(async (options: CurriculumOptions) => {
      process.exitCode = await curriculum(options);
    });
  lab
    .command('compare')
    .description('Replay every policy over records: CPU-seconds and regret on held-out folds')
    .argument('<records...>', 'files from `orch lab record`')
    .option('--svg <file>', 'draw the cost per goal')
    .option('--json', 'print one JSON object')
    .action(async (records: string[], options: CompareOptions) => {
      process.exitCode = await compare(records, options);
    });
  lab
    .command('train')
    .description('Train the policies on records and write the file that runs start from')
    .argument('<records...>', 'files from `orch lab record`')
    .requiredOption('--out <file>', 'file to write; runs read policy/warm-start.json')
    .action(async (records: string[], options: { readonly out: string }) => {
      process.exitCode = await train(records, options);
    });
}

async function train(records: readonly string[], { out }: { readonly out: string }): Promise<ExitCode> {
  const { modelOf } = await import('../../core/lab/teach.ts');
  const { labRowsOf } = await import('../../app/lab-rows.ts');
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
  const { openArms } = await import('../../app/engine.ts');
  const { openLean } = await import('../../app/lean.ts');
  const { settingsFrom } = await import('../../app/settings.ts');
  const { bankFile } = await import('../../app/bank.ts');
  const { systemClock } = await import('../../core/clock.ts');
  const { recordGoal } = await import('../../core/lab/recorder.ts');
  const { imageOfFiles } = await import('../../lean/goals/files.ts');
  const { goalsOfFiles } = await import('../../lean/blueprint/file-goals.ts');
  const settings = settingsFrom(settingFlags({ ...options }));
  const file = set === 'bank' ? bankFile : set;
  await using lean = await openLean(settings, { image: imageOfFiles([file]), slots: 1 });
  const { goals } = await goalsOfFiles([file], lean, { strict: false });
  const { freshDomain, strategies } = await openArms(settings, lean);
  const { labRowsOf } = await import('../../app/lab-rows.ts');
  const known = new Set(existsSync(options.out) ? labRowsOf(options.out).map(({ goal }) => goal) : []);
  const chosen = goals.filter(({ id }, index) => index % options.every === 0 && !known.has(id));
  const newParts = () => ({
    domain: freshDomain(),
    clock: systemClock,
    signal: new AbortController().signal,
  });
  const choice = { cpuSeconds: options.cpu, seed: options.seed, onlyReached: options.reached === true };
  const source = path.basename(set, path.extname(set));
  for (const [index, goal] of chosen.entries()) {
    const seen = await recordGoal(newParts, goal, goal.id, strategies, choice);
    const row = seen && { goal: goal.id, source, file: fileOf(goal), ...seen };
    if (row) appendFileSync(options.out, `${JSON.stringify(row)}\n`);
    process.stderr.write(
      `${index + 1} of ${chosen.length}  ${goal.id}${row ? '' : ': it cannot be opened'}\n`,
    );
  }
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

/**
 * The group of a goal: `lean4/do_eqv` for `lean4/do_eqv/z_add`; without a folder in its name, its topic or
 * file.
 */
function fileOf({ id, topic, source }: LeanGoal): string {
  const folder = path.posix.dirname(id);
  return folder === '.' ? (topic ?? source?.replace(/:\d+$/, '') ?? id) : folder;
}

async function compare(records: readonly string[], options: CompareOptions): Promise<ExitCode> {
  const { comparePolicies, policyStanding } = await import('../../core/lab/compare.ts');
  const { labRowsOf } = await import('../../app/lab-rows.ts');
  const rows = records.flatMap(labRowsOf);
  const folds = { file: comparePolicies(rows, 'file'), source: comparePolicies(rows, 'source') };
  if (options.svg !== undefined) {
    const { drawCourses } = await import('../../reporters/lab-svg.ts');
    writeWhole(options.svg, drawCourses(folds.file));
  }
  process.stdout.write(
    options.json
      ? `${JSON.stringify(folds)}\n`
      : `${tableOf('file', folds.file)}${remarkOn(policyStanding(folds.file, 'contextual'))}\n` +
          `${tableOf('source', folds.source)}${remarkOn(policyStanding(folds.source, 'contextual'))}`,
  );
  return ExitCode.done;
}

function remarkOn(standing: PolicyStanding | undefined): string {
  if (!standing) return '';
  const { rival, share, closed, possible } = standing;
  return `contextual needs ${percent(share)} of the CPU of ${rival} and closes ${percent(closed)} of the gap to the best choices in hindsight; a perfect policy that tries cheap arms first would need ${percent(possible)}\n`;
}

function percent(part: number): string {
  return `${(100 * part).toFixed(0)} %`;
}

function tableOf(by: FoldKind, results: readonly FoldResult[]): string {
  const byPolicy = Map.groupBy(results, ({ policy }) => policy);
  const all = [...byPolicy].map(([policy, its]): FoldResult => {
    const sum = (key: 'goals' | 'cpu_seconds' | 'best_seconds' | 'least_seconds'): number =>
      its.reduce((total, one) => total + one[key], 0);
    return {
      fold: 'all',
      policy,
      goals: sum('goals'),
      cpu_seconds: sum('cpu_seconds'),
      best_seconds: sum('best_seconds'),
      least_seconds: sum('least_seconds'),
      course: [],
    };
  });
  const rows = [...results, ...all].map(({ fold, policy, goals, cpu_seconds, best_seconds }) => [
    fold,
    policy,
    String(goals),
    cpu_seconds.toFixed(1),
    best_seconds.toFixed(1),
    (cpu_seconds - best_seconds).toFixed(1),
  ]);
  return alignColumns(
    [[`unseen ${by}`, 'policy', 'goals', 'CPU-s', 'hindsight', 'regret'], ...rows],
    ['left', 'left', 'right', 'right', 'right', 'right'],
  );
}
