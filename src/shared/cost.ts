import type { EffortRow, RunEvent } from './events.ts';

interface GoalCost extends EffortRow {
  readonly goal: string;
}

/**
 * What an event says that a goal has cost. The CPU-seconds of a goal are the sum of these, wherever they are shown: opening it,
 * the attempts on it, judging and polishing what they found. `sql/ledger` adds up the same.
 */
export function costOf(event: RunEvent): GoalCost | undefined {
  const isCost =
    event.type === 'goal-examined' ||
    event.type === 'goal-charged' ||
    event.type === 'attempt-finished' ||
    event.type === 'candidate-judged';
  return isCost ? event : undefined;
}

/** What counts against a goal's limit. Ledgers of earlier versions counted CPU-seconds. */
export function workIn({ cpu_seconds, work_seconds = cpu_seconds }: EffortRow): number {
  return work_seconds;
}
