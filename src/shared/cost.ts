import type { EffortRow, RunEvent } from './events.ts';

interface GoalCost extends EffortRow {
  readonly goal: string;
}

/**
 * The cost that an event reports for a goal. The CPU-seconds of a goal are always the sum of these: opening it, its attempts,
 * judging and polishing. `sql/ledger` computes the same sum.
 */
export function costOf(event: RunEvent): GoalCost | undefined {
  const isCost =
    event.type === 'goal-examined' ||
    event.type === 'goal-charged' ||
    event.type === 'attempt-finished' ||
    event.type === 'candidate-judged';
  return isCost ? event : undefined;
}

/** The cost that counts against a goal's limit. Ledgers of earlier versions counted CPU-seconds. */
export function workIn({ cpu_seconds, work_seconds = cpu_seconds }: EffortRow): number {
  return work_seconds;
}
