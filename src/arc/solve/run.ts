import { definite } from '../../core/errors.ts';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { contentHash, gridToRows } from '../grid/grid.ts';
import type { TeachLimits } from '../search/teacher.ts';
import { score, type Attempts, type Score } from '../verify/scoring.ts';
import { submission } from '../verify/submission.ts';
import type { Task } from '../grid/task.ts';
import { attemptsOf, type TaskRow } from './row.ts';
import type { SearchReport } from './worker.ts';

export interface SearchOptions extends TeachLimits {
  /** Folder of the rows and the metrics. */
  readonly out: string;
  readonly submission?: string | undefined;
}

/** The name of the search in arms, metrics and run keys of earlier versions, when there were several. */
const mode = 'fast';

/** The result of a finished search. */
export type Entry = SearchReport;

/** Figures of a run. Times are here, not in the rows. */
interface Metrics extends Score {
  readonly mode: typeof mode;
  readonly finished: number;
  /** Tasks whose search failed: they have no row, and count as not solved. */
  readonly broken: readonly string[];
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
  readonly rows: readonly TaskRow[];
  readonly metrics: Metrics;
  readonly complete: boolean;
}

/** How a run ended. */
interface Ending {
  /** The run was stopped, so tasks without a row were not reached; otherwise their search failed. */
  readonly isCut: boolean;
  readonly recovered: number;
  readonly wallSeconds: number;
}

/** Writes rows in task order, metrics and submission. */
export function finishRun(
  tasks: readonly Task[],
  done: readonly Entry[],
  options: SearchOptions,
  ending: Ending,
): RunResult {
  const searched = new Set(done.map(({ index }) => index));
  const broken = ending.isCut ? [] : tasks.filter((_, index) => !searched.has(index));
  const metrics = metricsOf(tasks, done, broken, ending);
  const rows = done.map(({ row }) => row);
  write(options, rows, broken, metrics);
  return { rows, metrics, complete: done.length === tasks.length };
}

/** Identifies a run: the tasks, every limit and the version of the rules, but not the number of workers. */
export function runKey(tasks: readonly Task[], { maxNodes }: SearchOptions, version: string): string {
  const seen = tasks.map(({ id, train, test }) => [
    id,
    train.map(({ input, output }) => [gridToRows(input), gridToRows(output)]),
    test.map(gridToRows),
  ]);
  return contentHash(JSON.stringify([version, mode, String(maxNodes), seen]));
}

function write(
  options: SearchOptions,
  rows: readonly TaskRow[],
  broken: readonly Task[],
  metrics: Metrics,
): void {
  writeFileSync(join(options.out, 'rows.jsonl'), rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  writeFileSync(join(options.out, 'metrics.json'), `${JSON.stringify(metrics, null, 2)}\n`);
  if (options.submission !== undefined)
    writeFileSync(
      options.submission,
      submission([
        ...rows.map((row) => ({ id: row.task_id, attempts: attemptsOf(row) })),
        ...broken.map(({ id, test }) => ({ id, attempts: test.map((): Attempts => [null, null]) })),
      ]),
    );
}

function metricsOf(
  tasks: readonly Task[],
  done: readonly Entry[],
  broken: readonly Task[],
  { recovered, wallSeconds }: Ending,
): Metrics {
  const seconds = done.map((entry) => entry.seconds).sort((a, b) => a - b);
  const cpuSeconds = done.map((entry) => entry.cpu_seconds).sort((a, b) => a - b);
  return {
    mode,
    finished: done.length,
    broken: broken.map(({ id }) => id),
    recovered,
    ...score([
      ...done.map(({ index, row }) => ({
        task: definite(tasks[index]),
        attempts: attemptsOf(row),
        confident: row.confident,
      })),
      ...broken.map((task) => ({ task, attempts: [], confident: false })),
    ]),
    nodes: done.reduce((sum, { row }) => sum + row.nodes, 0),
    seconds_median: seconds[seconds.length >> 1] ?? 0,
    seconds_max: seconds.at(-1) ?? 0,
    cpu_seconds_median: cpuSeconds[cpuSeconds.length >> 1] ?? 0,
    cpu_seconds_max: cpuSeconds.at(-1) ?? 0,
    seconds_total: seconds.reduce((sum, value) => sum + value, 0),
    wall_seconds: wallSeconds,
    peak_rss_mb: process.resourceUsage().maxRSS / 1024,
  };
}
