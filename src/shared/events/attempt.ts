/** Events of attempts and of the verdicts on their candidates. */

export type Slot = 'light' | 'heavy';

/** Limits of an attempt. Neither depends on the speed of this machine, so a slow or throttled one does not fail goals. */
export interface AttemptLimits {
  /** Seconds of work on the reference machine. */
  readonly cpu_seconds: number;
  /** Lean's deterministic measure of work, per tactic. */
  readonly heartbeats: number;
}

/** A cost in events. */
export interface EffortRow {
  readonly cpu_seconds: number;
  /** In seconds of the reference machine, which limits count; missing in older ledgers. */
  readonly work_seconds?: number;
}

/** How an attempt ended. `solved` means only that there is a candidate; the gate decides whether it is a proof. */
export const outcomeKinds = [
  'solved',
  'failed',
  'timeout',
  'exhausted',
  'cancelled',
  'blocked',
  'broken',
] as const;
export type OutcomeKind = (typeof outcomeKinds)[number];

export interface AttemptStarted {
  readonly attempt: string;
  readonly goal: string;
  readonly goal_hash: string;
  readonly fingerprint: string;
  readonly strategy: string;
  readonly arm: string;
  /** Hash of what this arm does, compared by the loop guard. */
  readonly signature: string;
  readonly slot: Slot;
  readonly limits: AttemptLimits;
  /** The attempt that this one continues. */
  readonly parent: string | null;
}

export interface AttemptFinished extends EffortRow {
  readonly attempt: string;
  readonly goal: string;
  readonly goal_hash: string;
  readonly fingerprint: string;
  readonly strategy: string;
  readonly arm: string;
  /** The goal's context, as the bandit sees it. */
  readonly context: string;
  readonly signature: string;
  readonly params: AttemptLimits;
  readonly started: number;
  readonly outcome: OutcomeKind;
  /** The script of a candidate, or the best partial one. */
  readonly tactics: readonly string[];
  /** The goals that it left open. */
  readonly next_goals: readonly string[];
  readonly premises: readonly string[];
  readonly cache_hits: number;
  readonly wall_seconds: number;
  readonly peak_bytes: number;
  /** Resources other than our own CPU, as reported by the strategy. */
  readonly gpu_seconds: number;
  readonly cloud_seconds: number;
  /** Tokens that language models read and wrote. */
  readonly input_tokens: number;
  readonly output_tokens: number;
  /** Where a language model was asked. */
  readonly model?: ModelUse;
  readonly error: string | null;
  readonly parent: string | null;
  /** The reward for the scheduler; null for a censored attempt. */
  readonly reward: number | null;
}

/** An attempt's use of a language model. */
export interface ModelUse {
  readonly name: string;
  /** The prompts that were sent, each with the hash of its text. */
  readonly prompts: readonly { readonly name: string; readonly version: string }[];
  /** Requested answers, and how many of them were cached and free. */
  readonly calls: number;
  readonly recorded: number;
  /** Whole millionths of a dollar. */
  readonly microdollars: number;
  /** The results of its suggestions, one line each. */
  readonly said: readonly string[];
}

/** A goal that a proof takes as given. */
export interface GivenGoal {
  readonly name: string;
  readonly goal_hash: string;
}

export interface CandidateJudged extends EffortRow {
  readonly attempt: string | null;
  readonly goal: string;
  readonly goal_hash: string;
  readonly strategy: string;
  readonly arm: string;
  readonly proof: string;
  readonly premises: readonly string[];
  readonly verdict: 'accepted' | 'rejected' | 'unknown';
  readonly kind: string;
  readonly message: string;
  readonly assurance: string | null;
  readonly axioms: readonly string[];
  readonly assumes: readonly string[];
  /** Goals that the proof takes as given: it becomes a proof when they are proved. */
  readonly given?: readonly GivenGoal[];
  readonly toolchain: string;
  /** The version of the judge; missing in older ledgers. */
  readonly judge?: string;
  readonly fingerprint: string;
}

/** A proof of the ledger was judged again. Unknown verdicts are not recorded: they say nothing. */
export interface ProofAudited {
  readonly goal: string;
  /** The number of the event that accepted it. */
  readonly proof: number;
  readonly verdict: 'accepted' | 'rejected';
  readonly kind: string;
  readonly message: string;
  /** Null: rejected. */
  readonly assurance: string | null;
  readonly toolchain: string;
  readonly judge: string;
  readonly cpu_seconds: number;
}
