export interface StepOptions {
  readonly heartbeats?: number;
  /** Stop at the first answer that closes the hole (default), or already at one that closes the goal in front. */
  readonly until?: 'closed' | 'fewer-goals' | 'end';
  /** Run them although the budget is spent: they are known to work, and only their end is wanted. */
  readonly evenSpent?: boolean;
}

/** Short batches let the arms of a race take turns, and keep a cancellation from waiting. */
export function batchSize(heartbeats: number, until: StepOptions['until']): number {
  // on this build 1,000 heartbeats take about 0.35 s
  const size = heartbeats <= 500 ? 8 : heartbeats <= 1500 ? 3 : 1;
  return until === 'fewer-goals' ? Math.min(size, 2) : size;
}
