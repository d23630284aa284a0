import type { Assurance, VerdictWord } from '../shared/assurance.ts';

/** The verdict of a domain's judge on a candidate, with the evidence that the domain keeps. */
export interface Judgement<Evidence> {
  readonly verdict: VerdictWord;
  /** A stable word for the reason. */
  readonly kind: string;
  /** The reason, for people. */
  readonly message: string;
  /** The assurance level; null unless accepted. */
  readonly assurance: Assurance | null;
  /** Why it is unknown; absent if a limit was reached. */
  readonly undecided?: 'cancelled' | 'broken';
  readonly evidence: Evidence;
  readonly cpuSeconds: number;
}
