import type { RunEvent } from '../../src/shared/events.ts';
import { sampleRun } from './sample-run.ts';

/** The moment at which pictures and tests of the page look at the ledger. */
export const lookedAt = Date.UTC(2026, 2, 2, 14, 20);
const hourMs = 3_600_000;

/** A run that finished in the morning and an active one, so that most views have data. */
export function twoRuns(goals = 64, worked = 47): RunEvent[] {
  const older = sampleRun({ run: 'older', at: lookedAt - 5 * hourMs, seed: 3, goals, worked: goals });
  return [...older, ...endingAt(lookedAt, { run: 'newer', seed: 5, goals, worked })];
}

/** Any number of goals, a few of them with attempts; without samples, which would be most of the data. */
export function manyGoals(goals: number, worked = 300): RunEvent[] {
  return endingAt(lookedAt, { run: 'many', seed: 11, goals, worked, samples: false });
}

function endingAt(
  end: number,
  options: { run: string; seed: number; goals: number; worked: number; samples?: boolean },
): RunEvent[] {
  const length = sampleRun({ ...options, at: 0 }).at(-1)?.at ?? 0;
  return sampleRun({ ...options, at: end - length });
}
