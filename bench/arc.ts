import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { settingsFrom } from '../src/app/settings.ts';
import { score } from '../src/arc/verify/scoring.ts';
import { attemptsOf, type TaskRow } from '../src/arc/solve/row.ts';
import type { RunResult } from '../src/arc/solve/run.ts';
import type { Task } from '../src/arc/grid/task.ts';
import { loadTasks } from '../src/arc/grid/tasks.ts';
import { solveTasks, type Solving } from '../src/app/arc/solve-tasks.ts';

/**
 * The ARC benchmark: the training tasks, and equal rows for one worker, two workers and an interrupted run. `--only
 * fast|full|same` runs one part, `--every N` takes every Nth task. Data are named
 * by --data or ORCH_DATA. Exit code 1: a goal is missed, or the search of a task failed.
 */
const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    only: { type: 'string' },
    every: { type: 'string', default: '1' },
    workers: { type: 'string', default: '2' },
  },
});
/** Targets for the whole file, in CPU-seconds. A sample must reach the same fraction. */
const goal = { solved: 285, median: 3, longest: 10 };
const leastPrecision = 0.93;
const mostMegabytes = 2048;

process.exitCode = await main(values.data ?? process.env['ORCH_DATA']);

/** A task with its line number in the file: development uses only even lines. */
interface Line {
  readonly task: Task;
  readonly line: number;
}

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
  const all = loadTasks(file).map((task, line) => ({ task, line }));
  const taken = all.filter(({ line }) => line % Number(values.every) === 0);
  const parts: Readonly<Record<string, () => Promise<boolean>>> = {
    fast: async () => report(await run(taken), taken, all.length),
    same: async () => same(all.filter(({ line }) => line % 40 === 0).map(({ task }) => task)),
  };
  let good = true;
  for (const [name, part] of Object.entries(parts))
    if (values.only === undefined || values.only === name) good = (await part()) && good;
  return good ? 0 : 1;
}

function options(out: string, workers: number): Solving {
  const folder = join(import.meta.dirname, 'results', 'arc', out);
  mkdirSync(folder, { recursive: true });
  const settings = settingsFrom({ ledger: join(folder, 'ledger.db') });
  return {
    settings,
    source: 'bench',
    maxNodes: Infinity,
    workers,
    resume: false,
    out: folder,
  };
}

async function run(lines: readonly Line[]): Promise<RunResult> {
  const tasks = lines.map(({ task }) => task);
  return solveTasks(tasks, options('fast', Number(values.workers)), ({ row }, finished) => {
    if (finished % 20 === 0) console.error(`${finished}/${tasks.length} ${row.task_id}`);
  });
}

/** Prints the figures and returns whether the targets are met. */
function report({ rows: searched, metrics: m }: RunResult, lines: readonly Line[], all: number): boolean {
  const wanted = (goal.solved * lines.length) / all;
  const precision = m.precision ?? 0;
  console.log(
    `${lines.length} of ${all} tasks: ${m.tasks_solved.pass_2} solved (wanted: ${Math.ceil(wanted)})`,
  );
  const byId = new Map(searched.map((row) => [row.task_id, row]));
  for (const [name, rest] of [
    ['even', 0],
    ['odd', 1],
  ] as const) {
    const those = lines.filter(({ line }) => line % 2 === rest).map(({ task }) => task);
    if (those.length > 0) console.log(`  ${name}: ${scored(those, byId)}`);
  }
  console.log(
    `  all: ${scored(
      lines.map(({ task }) => task),
      byId,
    )} (wanted: ${100 * leastPrecision} %)`,
  );
  console.log(
    `  outputs ${m.outputs_right.pass_2} of ${m.outputs}, task mean ${(100 * m.task_mean.pass_2).toFixed(1)} %`,
  );
  console.log(
    `  CPU seconds per task: median ${m.cpu_seconds_median.toFixed(2)} (wanted: ${goal.median}), longest ${m.cpu_seconds_max.toFixed(2)} (wanted: ${goal.longest})`,
  );
  console.log(`  wall clock: median ${m.seconds_median.toFixed(2)}, longest ${m.seconds_max.toFixed(2)}`);
  console.log(`  ${m.nodes} nodes, peak memory ${m.peak_rss_mb.toFixed(0)} MB (wanted: ${mostMegabytes})`);
  if (m.broken.length > 0) console.log(`  BROKEN, so not solved: ${m.broken.join(' ')}`);
  return (
    m.broken.length === 0 &&
    m.tasks_solved.pass_2 >= wanted &&
    precision >= leastPrecision &&
    m.cpu_seconds_median <= goal.median &&
    m.cpu_seconds_max <= goal.longest &&
    m.peak_rss_mb < mostMegabytes
  );
}

/** Tasks without a row count as not solved. */
function scored(tasks: readonly Task[], byId: ReadonlyMap<string, TaskRow>): string {
  const s = score(
    tasks.map((task) => {
      const row = byId.get(task.id);
      return { task, attempts: row ? attemptsOf(row) : [], confident: row?.confident ?? false };
    }),
  );
  const precision = s.precision === null ? '' : `, of these solved ${(100 * s.precision).toFixed(1)} %`;
  return `${s.tasks_solved.pass_2} of ${s.tasks} solved, first attempt alone ${s.tasks_solved.pass_1}, confident ${s.confident}${precision}`;
}

/** Rows must not depend on the number of workers, nor on an interruption. */
async function same(tasks: readonly Task[]): Promise<boolean> {
  const [one, two, cut] = [options('one', 1), options('two', 2), options('cut', 2)];
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
