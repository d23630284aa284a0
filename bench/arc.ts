import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { settingsFrom } from '../src/app/settings.ts';
import type { RunResult } from '../src/arc/solve/run.ts';
import { loadTasks } from '../src/arc/tasks.ts';
import { solveTasks, type Solving } from '../src/commands/arc-solving.ts';

/**
 * The ARC measurement: fast mode on all training tasks, full mode on every fifth, and equal rows for one worker, two
 * workers and an interrupted run. `--only fast|full|same` runs one part. Data are named by --data or ORCH_DATA.
 */
const { values } = parseArgs({
  options: { data: { type: 'string' }, only: { type: 'string' }, workers: { type: 'string', default: '2' } },
});
process.exitCode = await main(values.data ?? process.env['ORCH_DATA']);

async function main(data: string | undefined): Promise<number> {
  const file = join(data ?? '', 'arc', 'arc1-training.jsonl');
  if (data === undefined || !existsSync(file)) {
    console.error(
      data === undefined
        ? 'bench:arc: name the data folder with --data FOLDER or ORCH_DATA'
        : `bench:arc: there is no ${file}; --data or ORCH_DATA must name the folder that holds arc/arc1-training.jsonl`,
    );
    return 2;
  }
  const tasks = loadTasks(file);
  const fifth = tasks.filter((_, i) => i % 5 === 0);
  const parts: Readonly<Record<string, () => Promise<boolean>>> = {
    fast: async () => report('fast mode, all tasks', await run('fast', tasks, 'fast')),
    full: async () => report('full mode, every fifth task', await run('full', fifth, 'full')),
    same: async () => same(tasks.filter((_, i) => i % 40 === 0)),
  };
  let good = true;
  for (const [name, part] of Object.entries(parts))
    if (values.only === undefined || values.only === name) good = (await part()) && good;
  return good ? 0 : 1;
}

function options(out: string, mode: Solving['mode'], workers: number): Solving {
  const folder = join(import.meta.dirname, 'results', 'arc', out);
  mkdirSync(folder, { recursive: true });
  const settings = settingsFrom({ ledger: join(folder, 'ledger.db') });
  return { settings, source: 'bench', mode, maxNodes: Infinity, workers, resume: false, out: folder };
}

async function run(
  out: string,
  tasks: Parameters<typeof solveTasks>[0],
  mode: Solving['mode'],
): Promise<RunResult> {
  return solveTasks(tasks, options(out, mode, Number(values.workers)), ({ row }, finished) => {
    if (finished % 20 === 0) console.error(`${finished}/${tasks.length} ${row.task_id}`);
  });
}

/** Prints the figures and says whether the goals of the mode are met; limits of time count processor time. */
function report(title: string, { metrics: m }: RunResult): boolean {
  const goal = m.mode === 'fast' ? { solved: 170, longest: 10 } : { solved: 42, longest: 60 };
  const precision = m.precision ?? 0;
  console.log(
    `${title}: ${m.tasks_solved.pass_2} of ${m.tasks} solved with two attempts (first alone ${m.tasks_solved.pass_1})`,
  );
  console.log(
    `  outputs ${m.outputs_right.pass_2} of ${m.outputs}, task mean ${(100 * m.task_mean.pass_2).toFixed(1)} %`,
  );
  console.log(`  confident ${m.confident}, precision ${(100 * precision).toFixed(1)} %`);
  console.log(`  seconds a task: median ${m.seconds_median.toFixed(2)}, longest ${m.seconds_max.toFixed(2)}`);
  console.log(
    `  processor seconds a task: median ${m.cpu_seconds_median.toFixed(2)}, longest ${m.cpu_seconds_max.toFixed(2)}`,
  );
  console.log(`  ${m.nodes} nodes, peak memory ${m.peak_rss_mb.toFixed(0)} MB`);
  return (
    m.tasks_solved.pass_2 >= goal.solved &&
    precision >= 0.8 &&
    m.cpu_seconds_max <= goal.longest &&
    m.peak_rss_mb < 2048
  );
}

/** Rows must not depend on the number of workers, nor on an interruption. */
async function same(tasks: Parameters<typeof solveTasks>[0]): Promise<boolean> {
  const [one, two, cut] = [options('one', 'fast', 1), options('two', 'fast', 2), options('cut', 'fast', 2)];
  await solveTasks(tasks, one);
  await solveTasks(tasks, two);
  const abort = new AbortController();
  await solveTasks(tasks, { ...cut, signal: abort.signal }, (_, finished) => {
    if (finished * 2 >= tasks.length) abort.abort();
  });
  await solveTasks(tasks, { ...cut, resume: true });
  const equal = rows(one) === rows(two) && rows(one) === rows(cut);
  console.log(
    `rows of 1 worker, 2 workers and an interrupted run (${tasks.length} tasks): ${equal ? 'equal bytes' : 'DIFFERENT'}`,
  );
  for (const { out } of [one, two, cut]) rmSync(out, { recursive: true });
  return equal;
}

function rows({ out }: Solving): string {
  return readFileSync(join(out, 'rows.jsonl'), 'utf8');
}
