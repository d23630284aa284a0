/** All rewards; a sum may exceed 1. */
export const rewards = {
  /** A goal solved. */
  solved: 1,
  /** Deducted in proportion to cost: all of it for an attempt that spent its whole budget. */
  cost: 0.5,
  /** Added for a lemma that another goal waits for. */
  delivered: 0.25,
  /** Added for a shorter proof, times the share of text saved. */
  shortened: 0.5,
} as const;

/** An attempt that solved its goal. */
interface Success {
  readonly workSeconds: number;
  /** Its budget. */
  readonly budgetSeconds: number;
  /** The share of the goal's model budget that it used. */
  readonly boughtShare?: number | undefined;
  /** The goal is a helper lemma. */
  readonly isLemma?: boolean;
  /** From 0 (no shorter) to 1. */
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
