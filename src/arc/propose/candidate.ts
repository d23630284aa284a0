import type { Program } from '../rules/program.ts';

/** A program that a proposer puts forward, with what the proposer knows about it. */
export interface Proposal {
  readonly program: Program;
  /** Which proposer, through which view. */
  readonly by: string;
  /** Tenths of a step: less is likelier. */
  readonly cost: number;
  /** Of the training pairs, how many come out right when the rule is learned without them; 1 when nothing is learned. */
  readonly held: number;
}
