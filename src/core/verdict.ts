import type { Assurance, VerdictWord } from '../shared/assurance.ts';

/** What a domain's judge says about a candidate, with the evidence that the domain keeps. */
export interface Judgement<Evidence> {
  readonly verdict: VerdictWord;
  /** A stable word for the reason. */
  readonly kind: string;
  /** The same for people. */
  readonly message: string;
  /** How far it was checked; null unless it was accepted. */
  readonly assurance: Assurance | null;
  /** Why nothing is known; a judgement that does not say so reached a limit. */
  readonly undecided?: 'cancelled' | 'broken';
  readonly evidence: Evidence;
  readonly cpuSeconds: number;
}
