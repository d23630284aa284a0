import type { Program } from '../language/program.ts';

/** A program that a proposer puts forward, with what only the proposer knows about it. */
export interface Proposal {
  readonly program: Program;
  /** Which proposer, through which view. */
  readonly by: string;
  /** The share of training pairs that come out right when the rule is learned, or chosen, without them. */
  readonly held: number;
}
