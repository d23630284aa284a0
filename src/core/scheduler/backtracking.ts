import type { ArmChoice } from '../../shared/events.ts';

/**
 * When a goal turns back, as data: `decide.ts` asks these rules and nothing else, and a slate that was shaped by one says so,
 * which is what `orch why` prints.
 */
export const backtracking = {
  /** Deep work starts on a hard goal after this many fast arms have failed. */
  deep: { fastFailures: 2 },
  /** When all arms have failed in a round a helper lemma is requested; deep work waits this long for it. */
  lemma: { waitMs: 3_600_000 },
  /**
   * An arm that has had this many trials in a class of goals and is worth no more than this there (a mean reward that only
   * failures can lead to) waits for the last round: cheap rounds belong to arms that have ever helped.
   */
  barren: { trials: 16, mean: 0.015 },
} as const;

/** Of the arms that a goal has, those that rest until its last round. Where none has ever helped there is nothing to prefer. */
export function restingArms(records: readonly ArmChoice[]): string[] {
  const { trials, mean } = backtracking.barren;
  const barren = records.filter((arm) => arm.trials >= trials && arm.mean <= mean);
  return barren.length === records.length ? [] : barren.map(({ arm }) => arm);
}
