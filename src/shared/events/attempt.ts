/** The events of attempts and of what the gate says of their candidates. */

export type Slot = 'light' | 'heavy';

/** What an attempt may cost. Neither counts time on this machine, so a slow or throttled one does not fail goals. */
export interface AttemptLimits {
  /** Seconds of work, as the reference machine would need them. */
  readonly cpu_seconds: number;
  /** Lean's own deterministic measure of work, for each tactic. */
  readonly heartbeats: number;
}

/** What something has cost, as events have it. */
export interface EffortRow {
  readonly cpu_seconds: number;
  /** In seconds of a reference machine, which limits count; ledgers of earlier versions do not have it. */
  readonly work_seconds?: number;
}

/** How an attempt ended. A closed list; only `solved` says that there is a candidate, and only the gate that it is a proof. */
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
  /** What this arm does, hashed: the loop guard compares it. */
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
  /** What was left open there. */
  readonly next_goals: readonly string[];
  readonly premises: readonly string[];
  readonly cache_hits: number;
  readonly wall_seconds: number;
  readonly peak_bytes: number;
  /** What the attempt spent outside our own processors, as reported by the strategy. */
  readonly gpu_seconds: number;
  readonly cloud_seconds: number;
  /** Tokens that language models read and wrote. */
  readonly input_tokens: number;
  readonly output_tokens: number;
  /** Where a language model was asked. */
  readonly model?: ModelUse;
  readonly error: string | null;
  readonly parent: string | null;
  /** What the scheduler learns from it; null for a censored attempt. */
  readonly reward: number | null;
}

/** What an attempt had from a language model. */
export interface ModelUse {
  readonly name: string;
  /** The prompts that were sent, each with the hash of its text. */
  readonly prompts: readonly { readonly name: string; readonly version: string }[];
  /** Answers that were asked for, and how many of them were recorded before: those cost nothing. */
  readonly calls: number;
  readonly recorded: number;
  /** Whole millionths of a dollar. */
  readonly microdollars: number;
  /** The results of its suggestions, one line each. */
  readonly said: readonly string[];
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
  readonly toolchain: string;
  /** The version of the judge; ledgers of earlier versions do not have it. */
  readonly judge?: string;
  readonly fingerprint: string;
}

/** A proof of the ledger was judged again. Unknown verdicts are not recorded: they say nothing. */
export interface ProofAudited {
  readonly goal: string;
  /** The number of the event with which it was accepted. */
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
