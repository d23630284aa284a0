import type { Program } from '../language/program.ts';

/** A proposed program, with the proposer's own data about it. */
export interface Proposal {
  readonly program: Program;
  /** Which proposer, through which view. */
  readonly by: string;
  /** The share of training pairs that are right when the rule is learned, or chosen, without them. */
  readonly held: number;
}
