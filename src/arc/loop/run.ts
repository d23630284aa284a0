import { definite } from '../../core/errors.ts';
import { contentHash, gridToRows } from '../grid/grid.ts';
import { emptyBundle, type RulerBundle } from '../learning/memory/bundle.ts';
import type { LoopRow, TaskTrace } from '../learning/schemas.ts';
import type { Task } from '../grid/task.ts';
import type { BatchEntry } from './batch.ts';
import { runTask } from './loop.ts';
import type { LoopOptions } from '../learning/loop-options.ts';
import type { LoopResult } from './outputs.ts';
import { partsFor, type LoopModels } from './parts.ts';
import { LoopProgress, type Ended } from './progress.ts';
import { failedRow, rowHead } from './row.ts';
import { runOnThreads } from './threads.ts';
import type { LoopReport } from './worker.ts';

export interface RunSettings {
  readonly options: LoopOptions;
  /** The version of the code; another one is another run. */
  readonly version: string;
  readonly workers: number;
  readonly progressFile: string;
  readonly resume: boolean;
  readonly failFast: boolean;
  /** What memory has for a task, as it was when the batch began. */
  readonly recall?: (task: Task) => RulerBundle;
  readonly onEnded?: (row: LoopRow, done: number, of: number) => void;
  readonly signal?: AbortSignal;
  /** Models are asked by this thread, task after task, so that one budget and one cache serve the whole run. */
  readonly models?: ((task: string) => LoopModels) | undefined;
  /** Another worker than the loop's own. */
  readonly workerFile?: URL;
}

/** What makes two runs the same: the tasks, every flag that a row depends on, and the version; not the workers. */
function runKeyOf(entries: readonly BatchEntry[], options: LoopOptions, version: string): string {
  const seen = entries.map((entry) =>
    entry.kind === 'fault'
      ? [entry.id, entry.message]
      : [
          entry.id,
          entry.task.train.map(({ input, output }) => [gridToRows(input), gridToRows(output)]),
          entry.task.test.map(gridToRows),
        ],
  );
  return contentHash(JSON.stringify([version, options, seen]));
}

/** Runs a batch and answers rows in its order. `complete` is false when it was stopped early. */
export async function runBatch(
  entries: readonly BatchEntry[],
  settings: RunSettings,
): Promise<LoopResult & { readonly complete: boolean }> {
  const { options, version, progressFile, resume } = settings;
  const runKey = runKeyOf(entries, options, version);
  const progress = new LoopProgress(progressFile);
  const ended = new Map<number, Ended>();
  if (resume) for (const one of progress.resume(runKey)) ended.set(one.index, one);
  if (ended.size === 0) progress.begin(runKey);
  let failure: unknown;
  const add = (one: Ended): boolean => {
    try {
      progress.add(one);
    } catch (error) {
      failure = error;
      return false;
    }
    ended.set(one.index, one);
    const row = rowOf(one);
    settings.onEnded?.(row, ended.size, entries.length);
    return !(settings.failFast && row.failure !== null);
  };
  const goesOn = faultsOf(entries, ended, options.seed, runKey).every(add);
  if (goesOn) await search(entries, ended, runKey, settings, add);
  // oxlint-disable-next-line typescript/only-throw-error -- whatever the disk has said
  if (failure !== undefined) throw failure;
  const complete = ended.size === entries.length;
  if (complete) progress.end();
  const done = [...ended.values()].sort((a, b) => a.index - b.index);
  return {
    entries: done.map(({ index }) => definite(entries[index])),
    rows: done.map(rowOf),
    traces: done.flatMap((one) => ('trace' in one ? [one.trace] : [])),
    seed: options.seed,
    runKey,
    complete,
  };
}

function rowOf(ended: Ended): LoopRow {
  return 'trace' in ended ? ended.trace.row : ended.row;
}

/** A malformed task is one row, before anything is searched. */
function faultsOf(
  entries: readonly BatchEntry[],
  ended: ReadonlyMap<number, Ended>,
  seed: number,
  runKey: string,
): Ended[] {
  return entries.flatMap((entry, index) => {
    if (entry.kind === 'task' || ended.has(index)) return [];
    const row = failedRow(rowHead(entry.id, seed, runKey, 0), { kind: 'TASK', message: entry.message }, 0);
    return [{ index, row }];
  });
}

async function search(
  entries: readonly BatchEntry[],
  ended: ReadonlyMap<number, Ended>,
  runKey: string,
  settings: RunSettings,
  add: (one: Ended) => boolean,
): Promise<void> {
  const { options, workers, recall = () => emptyBundle } = settings;
  const signal = settings.signal ?? new AbortController().signal;
  const orders = entries.flatMap((entry, index) =>
    entry.kind === 'fault' || ended.has(index)
      ? []
      : [{ index, task: { ...entry.task, answers: [] }, options, memory: recall(entry.task), runKey }],
  );
  const report = (index: number, said: LoopReport): boolean => {
    if (said.kind === 'trace') return add({ index, trace: said.trace });
    const { id } = definite(entries[index]);
    const tests = orders.find((order) => order.index === index)?.task.test.length ?? 0;
    const failed = { kind: 'WORKER', message: said.message };
    return add({ index, row: failedRow(rowHead(id, options.seed, runKey, 0), failed, tests) });
  };
  const { models } = settings;
  if (models === undefined) {
    await runOnThreads(orders, workers, report, signal, settings.workerFile);
    return;
  }
  for (const { index, task, memory } of orders) {
    if (signal.aborted) return;
    const trace: TaskTrace = await runTask(task, options, partsFor(options, memory, runKey, models(task.id)));
    if (!report(index, { kind: 'trace', trace })) return;
  }
}
