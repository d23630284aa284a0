import type { GoalFacts } from '../core/scheduler/domain.ts';
import type { Judgement } from '../core/verdict.ts';
import type { VerdictWord } from '../shared/assurance.ts';

/** The coordinator's side of a domain: a worker's claim counts only when one of these confirms it. */
export interface Judges<Goal, Evidence> {
  proof(goal: Goal, proof: string, signal: AbortSignal): Promise<Judgement<Evidence>>;
  /** Whether an instance shows the goal to be false. */
  refutation(goal: Goal, instance: string, signal: AbortSignal): Promise<JudgedInstance>;
  /** Reads the goal here: its identity and features never come from a worker. */
  examine(goal: Goal, signal: AbortSignal): Promise<Examined>;
}

export type Examined = { readonly cpuSeconds: number } & (
  | { readonly kind: 'read'; readonly facts: GoalFacts }
  /** The goal itself is invalid. */
  | { readonly kind: 'unreadable'; readonly why: string }
  /** A limit was reached or a tool broke. */
  | { readonly kind: 'unknown'; readonly why: string }
);

interface JudgedInstance {
  readonly verdict: VerdictWord;
  readonly why: string;
  readonly cpuSeconds: number;
}
