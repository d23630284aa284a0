import type { Assurance, VerdictWord } from '../shared/assurance.ts';
import type { GivenGoal } from '../shared/events.ts';

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
  /** Goals that are not proved yet and that the candidate takes as given; it is right if they hold. */
  readonly given?: readonly GivenGoal[];
  readonly evidence: Evidence;
  readonly cpuSeconds: number;
}
