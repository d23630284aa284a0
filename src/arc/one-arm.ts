import { messageOf } from '../core/errors.ts';
import type { Outcome, Strategy } from '../core/strategy.ts';
import type { ArcWork } from './domain.ts';
import type { Task } from './grid/task.ts';
import type { Program } from './language/program.ts';
import type { ArcTrace } from './rows.ts';

/** The expected cost of a task, for the scheduler; the actual limit is in nodes, not in time. */
const expectedSeconds = 10;

type ArcOutcome = Outcome<Program, ArcTrace>;

/** A search in threads as a strategy: the order for a thread, and how to read its report. */
interface OneArm<Sent, Report> {
  readonly name: string;
  readonly arm: { readonly name: string; readonly signature: string };
  readonly begin: (task: Task) => Begun<Sent>;
  readonly outcomeOf: (report: Report, task: Task) => ArcOutcome;
  /** The trace of a failed search. */
  readonly brokenRow: (task: Task, message: string) => ArcTrace['row'];
}

/** An attempt at a task: the thread's order, and the callback that answers its requests. */
interface Begun<Sent> {
  readonly order: Sent;
  readonly answer?: (question: unknown, signal: AbortSignal) => Promise<unknown>;
}

/**
 * A strategy with one arm. An attempt depends only on its order, so a search that failed would fail again; the task has failed.
 */
export function oneArmStrategy<Sent, Report>({
  name,
  arm,
  begin,
  outcomeOf,
  brokenRow,
}: OneArm<Sent, Report>): Strategy<ArcWork<Sent, Report>, Program, ArcTrace> {
  return {
    name,
    slot: 'light',
    tier: 0,
    budget: { cpu_seconds: expectedSeconds, heartbeats: 0 },
    isExhaustive: true,
    ready: () => Promise.resolve({ ready: true }),
    arms: () => [arm],
    async attempt({ task, thread }, _arm, { signal, permit }) {
      await permit();
      const { order, answer } = begin(task);
      try {
        const report = await thread.search(order, signal, answer);
        if (!report) return { kind: 'cancelled', message: 'cancelled', ...spent(0, null) };
        return outcomeOf(report, task);
      } catch (error) {
        return searchBroke(brokenRow(task, messageOf(error)), messageOf(error), 0);
      }
    },
  };
}

export function searchBroke(row: ArcTrace['row'], message: string, cpuSeconds: number): ArcOutcome {
  return { kind: 'failed', message: `the search broke: ${message}`, ...spent(cpuSeconds, row) };
}

/** A rule that fits every training pair, or the best score of those that do not. */
export function outcome(
  program: Program | undefined,
  bestScore: number,
  its: ReturnType<typeof spent>,
): ArcOutcome {
  if (program !== undefined) return { kind: 'solved', candidate: program, ...its };
  return {
    kind: 'failed',
    message: `no rule fits every training pair; the best scores ${bestScore}`,
    ...its,
  };
}

export function spent(cpuSeconds: number, row: ArcTrace['row']) {
  return { cpuSeconds, peakBytes: 0, cacheHits: 0, row };
}
