import type { ArmChoice } from '../../shared/events.ts';

/**
 * The backtracking rules as data, used by `decide.ts`. A slate names the rule that shaped it, and `orch why` prints that.
 */
export const backtracking = {
  /** On a hard goal, deep work starts after this many fast arms have failed. */
  deep: { fastFailures: 2 },
  /** When all arms have failed in a round a helper lemma is requested; deep work waits this long for it. */
  lemma: { waitMs: 3_600_000 },
  /**
   * An arm that has had this many trials in a class of goals and is worth no more than this there (a mean reward that only
   * failures can lead to) waits for the last round: cheap rounds are for arms that have helped before.
   */
  barren: { trials: 16, mean: 0.015 },
} as const;

/** The arms of a goal that wait until its last round. Empty if no arm has ever helped. */
export function restingArms(records: readonly ArmChoice[]): string[] {
  const { trials, mean } = backtracking.barren;
  const barren = records.filter((arm) => arm.trials >= trials && arm.mean <= mean);
  return barren.length === records.length ? [] : barren.map(({ arm }) => arm);
}
