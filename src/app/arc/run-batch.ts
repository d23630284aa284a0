import { availableParallelism } from 'node:os';
import { definite } from '../../core/errors.ts';
import type { BatchEntry } from '../../arc/loop/batch.ts';
import { batchKey } from '../../arc/loop/batch-key.ts';
import type { LoopResult } from '../../arc/loop/outputs.ts';
import type { LoopModels } from '../../arc/loop/parts.ts';
import { failedRow, rowHead } from '../../arc/loop/row.ts';
import { loopStrategy, type Ended } from '../../arc/loop/strategy.ts';
import type { LoopOrder, LoopReport } from '../../arc/loop/worker.ts';
import type { LoopOptions } from '../../arc/learning/loop-options.ts';
import { emptyMemory, type TaskMemory } from '../../arc/learning/memory/bundle.ts';
import { rowSchema, traceSchema, type LoopRow } from '../../arc/learning/schemas.ts';
import { rowIn } from '../../arc/rows.ts';
import { ThreadPool, workerBeside } from '../../arc/solve/pool.ts';
import type { Task } from '../../arc/grid/task.ts';
import type { Settings } from '../../config/schema.ts';
import type { RunEvent } from '../../shared/events.ts';
import { ledgerOf } from '../ledger.ts';
import { earlierAttempts, interrupted, type EndedAttempt } from './earlier.ts';
import { openArcEngine } from './engine.ts';
import { runCommand } from './solve-defaults.ts';

export interface BatchSettings {
  readonly settings: Settings;
  readonly options: LoopOptions;
  /** The version of the code; results of another version are not continued. */
  readonly version: string;
  /** The source of the tasks, for display. */
  readonly source: string;
  readonly workers?: number | undefined;
  /** Continue earlier runs of the same tasks and flags: tasks with a recorded end are skipped. */
  readonly resume: boolean;
  readonly failFast: boolean;
  /** The memory's data for a task at the start of the batch, and the hash of its whole content. */
  readonly recall?: (task: Task) => TaskMemory;
  readonly memory?: string;
  readonly onEnded?: (row: LoopRow, done: number, of: number) => void;
  readonly listen?: (event: RunEvent) => void;
  readonly signal?: AbortSignal;
  /** The models of a task's roles. The main thread asks them, so that one budget and one cache serve the whole run. */
  readonly models?: ((task: string) => LoopModels) | undefined;
  /** Options that `orch resume` must restore. */
  readonly told?: Readonly<Record<string, unknown>>;
  /** Replaces the loop's own worker. */
  readonly workerFile?: URL;
}

export interface BatchResult extends LoopResult {
  /** False if it was stopped early. */
  readonly complete: boolean;
  /** Tasks that earlier runs in the ledger finished. */
  readonly recovered: number;
}

/** Runs a batch with the engine and answers rows in its order. */
export async function runBatch(entries: readonly BatchEntry[], batch: BatchSettings): Promise<BatchResult> {
  const { options, settings, signal } = batch;
  const runKey = batchKey(entries, options, batch.memory ?? '', batch.version);
  const sources = [batch.source, runKey];
  const places = new Map(entries.map(({ id }, index) => [id, index]));
  await using ledger = await ledgerOf(settings);
  const ended = new Map<number, Ended>();
  const recovered = new Set<number>();
  if (batch.resume)
    for await (const attempt of earlierAttempts(ledger, runCommand, sources)) {
      const one = endedOf(attempt);
      const place = places.get(attempt.goal);
      if (one === undefined || place === undefined) continue;
      ended.set(place, one);
      recovered.add(place);
    }
  const add = (place: number, one: Ended): boolean => {
    ended.set(place, one);
    const row = rowOf(one);
    batch.onEnded?.(row, ended.size, entries.length);
    return !(batch.failFast && row.failure !== null);
  };
  const faults = faultsOf(entries, options.seed, runKey).filter(([place]) => !ended.has(place));
  if (faults.every(([place, row]) => add(place, { row }))) await search();
  const done = [...ended].sort(([a], [b]) => a - b);
  return {
    entries: done.map(([place]) => definite(entries[place])),
    rows: done.map(([, one]) => rowOf(one)),
    traces: done.flatMap(([, one]) => ('trace' in one ? [one.trace] : [])),
    seed: options.seed,
    runKey,
    complete: ended.size === entries.length,
    recovered: recovered.size,
  };

  async function search(): Promise<void> {
    const open = entries.flatMap((entry, place) =>
      entry.kind === 'task' && !ended.has(place) ? [entry.task] : [],
    );
    if (open.length === 0 || signal?.aborted === true) return;
    await using threads = new ThreadPool<LoopOrder, LoopReport>(
      batch.workerFile ?? workerBeside(new URL('../../arc/loop/loop.ts', import.meta.url).href),
    );
    const engine = await openArcEngine(
      settings,
      threads,
      ledger,
      {
        command: runCommand,
        sources,
        seed: options.seed,
        timeout: null,
        resumes: batch.resume ? await interrupted(ledger, sources) : undefined,
        ...(batch.told && { options: batch.told }),
        workers: batch.workers ?? settings.num_procs ?? availableParallelism(),
        strategy: strategyOf(runKey),
      },
      (bus) => {
        bus.listen((event) => {
          if (event.type !== 'attempt-finished') return;
          const one = endedOf(event);
          const place = places.get(event.goal);
          if (one === undefined || place === undefined) return;
          if (!add(place, one)) engine.drain();
        });
        if (batch.listen) bus.listen(batch.listen);
      },
    );
    const drain = (): void => engine.drain();
    signal?.addEventListener('abort', drain, { once: true });
    try {
      for (const task of open) engine.add(task);
      await engine.run();
    } finally {
      signal?.removeEventListener('abort', drain);
    }
  }

  function strategyOf(key: string) {
    const { recall = () => emptyMemory, models = () => ({}) } = batch;
    return loopStrategy({
      runKey: key,
      // the answers stay behind: the loop never sees a test output
      orderFor: (task) => ({ task: { ...task, answers: [] }, options, memory: recall(task), runKey: key }),
      modelsFor: models,
      failedRow: ({ id, test }, message) =>
        failedRow(rowHead(id, options.seed, key, 0), { kind: 'WORKER', message }, test.length),
    });
  }
}

function rowOf(ended: Ended): LoopRow {
  return 'trace' in ended ? ended.trace.row : ended.row;
}

/** A malformed task becomes one row before the search starts. */
function faultsOf(entries: readonly BatchEntry[], seed: number, runKey: string): [number, LoopRow][] {
  return entries.flatMap((entry, place): [number, LoopRow][] => {
    if (entry.kind === 'task') return [];
    const fault = { kind: 'TASK', message: entry.message };
    return [[place, failedRow(rowHead(entry.id, seed, runKey, 0), fault, 0)]];
  });
}

/**
 * The row that an attempt stored in the ledger, unchanged; undefined if it was cancelled or is from another
 * version.
 */
function endedOf({ outcome, tactics }: EndedAttempt): Ended | undefined {
  if (outcome !== 'solved' && outcome !== 'failed') return undefined;
  const left = rowIn({ tactics }) as Ended | undefined;
  if (left === undefined) return undefined;
  const isKnown =
    'trace' in left ? traceSchema.safeParse(left.trace).success : rowSchema.safeParse(left.row).success;
  return isKnown ? left : undefined;
}
