import type { ArmOffer, AttemptLimits, TriedArm } from '../../shared/events.ts';

/** Two short rounds, then the whole budget: most solvable goals are solved early. */
const roundShares = [0.1, 0.3, 1] as const;
export const lastRound = roundShares.length - 1;

/** The budget of an arm in a round. */
export function limitsOf({ budget, exhaustive, round: begins }: ArmOffer, round: number): AttemptLimits {
  const share = exhaustive || begins !== undefined ? 1 : (roundShares[Math.min(round, lastRound)] ?? 1);
  return { cpu_seconds: budget.cpu_seconds * share, heartbeats: Math.round(budget.heartbeats * share) };
}

/** Whether the same arm with the same signature has failed on this goal with limits at least as large. */
export function wasTried(
  tried: readonly TriedArm[],
  { arm, signature }: ArmOffer,
  limits: AttemptLimits,
): boolean {
  return tried.some(
    (past) =>
      past.arm === arm &&
      past.signature === signature &&
      past.limits.cpu_seconds >= limits.cpu_seconds &&
      past.limits.heartbeats >= limits.heartbeats,
  );
}
