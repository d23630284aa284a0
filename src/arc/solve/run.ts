import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { contentHash, gridToRows } from '../grid.ts';
import type { Mode } from '../propose/teacher.ts';
import { score, type Score } from '../scoring.ts';
import { submission } from '../submission.ts';
import type { Task } from '../task.ts';
import { Journal, type Entry } from './journal.ts';
import { solveInWorkers } from './pool.ts';
import { attemptsOf, type Row } from './row.ts';

export interface RunOptions {
  readonly mode: Mode;
  readonly maxNodes: number;
  readonly workers: number;
  readonly resume: boolean;
  /** Folder of the journal, the rows and the metrics. */
  readonly out: string;
  readonly submission?: string | undefined;
  readonly signal?: AbortSignal;
}

/** Figures of a run. Times stand here and not in the rows. */
interface Metrics extends Score {
  readonly mode: Mode;
  readonly finished: number;
  readonly recovered: number;
  readonly nodes: number;
  readonly seconds_median: number;
  readonly seconds_max: number;
  readonly seconds_total: number;
  readonly cpu_seconds_median: number;
  readonly cpu_seconds_max: number;
  readonly wall_seconds: number;
  readonly peak_rss_mb: number;
}

export interface RunResult {
  readonly rows: readonly Row[];
  readonly metrics: Metrics;
  readonly complete: boolean;
}

/** Solves every task, journals each as it ends, and writes rows in task order, metrics and submission at the end. */
export async function solveTasks(
  tasks: readonly Task[],
  options: RunOptions,
  onEntry: (entry: Entry, finished: number) => void,
): Promise<RunResult> {
  const start = performance.now();
  const path = join(options.out, 'journal.jsonl');
  const run = runKey(tasks, options);
  const { journal, entries: recovered } = options.resume
    ? Journal.resume(path, run)
    : { journal: Journal.begin(path, run), entries: [] };
  const entries = new Map(recovered.map((entry) => [entry.index, entry]));
  const open = tasks.map((task, index) => ({ index, task })).filter(({ index }) => !entries.has(index));
  await solveInWorkers(open, options, (entry) => {
    journal.append(entry);
    entries.set(entry.index, entry);
    onEntry(entry, entries.size);
  });
  const done = [...entries.values()].sort((a, b) => a.index - b.index);
  const metrics = metricsOf(tasks, done, options.mode, recovered.length, (performance.now() - start) / 1000);
  const rows = done.map(({ row }) => row);
  write(options, rows, metrics);
  return { rows, metrics, complete: done.length === tasks.length };
}

/** What makes two runs the same: the tasks and every limit; not the workers. */
function runKey(tasks: readonly Task[], { mode, maxNodes }: RunOptions): string {
  const seen = tasks.map(({ id, train, test }) => [
    id,
    train.map(({ input, output }) => [gridToRows(input), gridToRows(output)]),
    test.map(gridToRows),
  ]);
  return contentHash(JSON.stringify([mode, maxNodes, seen]));
}

function write(options: RunOptions, rows: readonly Row[], metrics: Metrics): void {
  writeFileSync(join(options.out, 'rows.jsonl'), rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  writeFileSync(join(options.out, 'metrics.json'), `${JSON.stringify(metrics, null, 2)}\n`);
  if (options.submission !== undefined)
    writeFileSync(
      options.submission,
      submission(rows.map((row) => ({ id: row.task_id, attempts: attemptsOf(row) }))),
    );
}

function metricsOf(
  tasks: readonly Task[],
  done: readonly Entry[],
  mode: Mode,
  recovered: number,
  wall: number,
): Metrics {
  const seconds = done.map((entry) => entry.seconds).sort((a, b) => a - b);
  const cpuSeconds = done.map((entry) => entry.cpu_seconds).sort((a, b) => a - b);
  return {
    mode,
    finished: done.length,
    recovered,
    ...score(
      done.map(({ index, row }) => ({
        task: tasks[index] as Task,
        attempts: attemptsOf(row),
        fits: row.fits,
      })),
    ),
    nodes: done.reduce((sum, { row }) => sum + row.nodes, 0),
    seconds_median: seconds[seconds.length >> 1] ?? 0,
    seconds_max: seconds.at(-1) ?? 0,
    cpu_seconds_median: cpuSeconds[cpuSeconds.length >> 1] ?? 0,
    cpu_seconds_max: cpuSeconds.at(-1) ?? 0,
    seconds_total: seconds.reduce((sum, value) => sum + value, 0),
    wall_seconds: wall,
    peak_rss_mb: process.resourceUsage().maxRSS / 1024,
  };
}
