import { availableParallelism } from 'node:os';
import { ledgerOf } from '../ledger.ts';
import { teachStrategy } from '../../arc/teach.ts';
import { openArcEngine } from './engine.ts';
import { comparatorVersion } from '../../arc/verify/comparator.ts';
import { rowIn } from '../../arc/rows.ts';
import { finishRun, runKey, type Entry, type SearchOptions, type RunResult } from '../../arc/solve/run.ts';
import { ThreadPool } from '../../arc/solve/pool.ts';
import type { Task } from '../../arc/grid/task.ts';
import type { TaskRow } from '../../arc/solve/row.ts';
import type { Settings } from '../../config/schema.ts';
import { packageVersion } from '../../config/package.ts';
import type { RunEvent } from '../../shared/events.ts';
import type { Ledger } from '../../store/ledger/ledger.ts';
import { solveCommand } from './solve-defaults.ts';
import { earlierAttempts, interrupted, type EndedAttempt } from './earlier.ts';

export interface Solving extends SearchOptions {
  readonly settings: Settings;
  /** The source of the tasks, for display. */
  readonly source: string;
  /** Continue where earlier runs of the same tasks and limits stopped: tasks with a result in the ledger are skipped. */
  readonly resume: boolean;
  readonly workers?: number | undefined;
  /** Options that `orch resume` must restore. */
  readonly options?: Readonly<Record<string, unknown>>;
  /** Start nothing new; finish running tasks. */
  readonly signal?: AbortSignal;
  readonly listen?: (event: RunEvent) => void;
}

/** Solves every task with the engine, and writes rows in task order, metrics and submission at the end. */
export async function solveTasks(
  tasks: readonly Task[],
  solving: Solving,
  onEntry: (entry: Entry, finished: number) => void = () => undefined,
): Promise<RunResult> {
  const begun = performance.now();
  const { settings, signal, source } = solving;
  const sources = [source, runKey(tasks, solving, `${packageVersion()} ${comparatorVersion}`)];
  await using ledger = await ledgerOf(settings);
  const places = new Map(tasks.map(({ id }, index) => [id, index]));
  const recovered = solving.resume ? await entriesOf(ledger, sources, places) : [];
  const entries = new Map(recovered.map((entry) => [entry.index, entry]));
  await using threads = new ThreadPool();
  const workers = solving.workers ?? settings.num_procs ?? availableParallelism();
  const arcChoice = {
    command: solveCommand,
    sources,
    seed: 1,
    timeout: null,
    resumes: solving.resume ? await interrupted(ledger, sources) : undefined,
    ...(solving.options && { options: solving.options }),
    workers,
    strategy: teachStrategy(solving),
  };
  const engine = await openArcEngine(settings, threads, ledger, arcChoice, (bus) => {
    bus.listen((event) => {
      const entry = event.type === 'attempt-finished' ? entryOf(event, places) : undefined;
      if (!entry) return;
      entries.set(entry.index, entry);
      onEntry(entry, entries.size);
    });
    if (solving.listen) bus.listen(solving.listen);
  });
  const drain = (): void => engine.drain();
  signal?.addEventListener('abort', drain, { once: true });
  try {
    for (const [index, task] of tasks.entries()) if (!entries.has(index)) engine.add(task);
    await engine.run();
  } finally {
    signal?.removeEventListener('abort', drain);
  }
  const done = [...entries.values()].sort((a, b) => a.index - b.index);
  return finishRun(tasks, done, solving, {
    isCut: signal?.aborted === true,
    recovered: recovered.length,
    wallSeconds: (performance.now() - begun) / 1000,
  });
}

/** Results of earlier runs with the same tasks and limits, oldest first. */
async function entriesOf(
  ledger: Ledger,
  sources: readonly string[],
  places: ReadonlyMap<string, number>,
): Promise<Entry[]> {
  const entries = new Map<number, Entry>();
  for await (const attempt of earlierAttempts(ledger, solveCommand, sources)) {
    const entry = entryOf(attempt, places);
    if (entry) entries.set(entry.index, entry);
  }
  return [...entries.values()];
}

/** The row of a finished search; undefined if it was cancelled or failed. */
function entryOf(
  { goal, outcome, tactics, wall_seconds, cpu_seconds }: EndedAttempt,
  places: ReadonlyMap<string, number>,
): Entry | undefined {
  const index = places.get(goal);
  const row = outcome === 'solved' || outcome === 'failed' ? (rowIn({ tactics }) as TaskRow) : undefined;
  if (index === undefined || row === undefined) return undefined;
  return { index, row, seconds: wall_seconds, cpu_seconds };
}
