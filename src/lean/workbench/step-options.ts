export interface StepOptions {
  readonly heartbeats?: number;
  /** Stop at the first answer that closes the hole (default), or at the first that closes the first goal. */
  readonly until?: 'closed' | 'fewer-goals' | 'end';
  /** Run them even if the budget is used up: they are known to work, and only the final state is needed. */
  readonly evenSpent?: boolean;
}

/** Short batches let racing arms take turns, and limit how long a cancellation waits. */
export function batchSize(heartbeats: number, until: StepOptions['until']): number {
  // in this build, 1,000 heartbeats take about 0.35 s
  const size = heartbeats <= 500 ? 8 : heartbeats <= 1500 ? 3 : 1;
  return until === 'fewer-goals' ? Math.min(size, 2) : size;
}
