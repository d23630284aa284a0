/** What is paid, all of it in this table; sums may pass 1. */
export const rewards = {
  /** A goal solved. */
  solved: 1,
  /** Taken off it by what the solving cost: all of this for an attempt that spent its whole budget. */
  cost: 0.5,
  /** Added where the goal is a lemma that another one waits for: two goals go on. */
  delivered: 0.25,
  /** Added for a proof shorter than the one that was known, times the share of it that went. */
  shortened: 0.5,
} as const;

/** An attempt that solved its goal. */
interface Success {
  readonly workSeconds: number;
  /** What it might have cost. */
  readonly budgetSeconds: number;
  /** How much of what models may cost on a goal went into it. */
  readonly boughtShare?: number | undefined;
  /** The goal is a helper lemma. */
  readonly isLemma?: boolean;
  /** From 0, no shorter, towards 1. */
  readonly shortenedBy?: number;
}

export function rewardOf({
  workSeconds,
  budgetSeconds,
  boughtShare = 0,
  isLemma = false,
  shortenedBy = 0,
}: Success): number {
  return (
    rewards.solved -
    rewards.cost * Math.min(1, workSeconds / budgetSeconds + boughtShare) +
    (isLemma ? rewards.delivered : 0) +
    rewards.shortened * Math.min(1, Math.max(0, shortenedBy))
  );
}
