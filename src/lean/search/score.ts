import type { Goal } from '../base/protocol.ts';

/**
 * All costs that order the queue of the best-first search: they add up, and the cheapest goal comes next. They are hand-written;
 * one unit is about the cost of a typical step. Costs learned from solved goals were no better.
 */

/** The size of what remains to be proved: each goal, and a little for each hypothesis. */
export function sizeCost(goals: readonly Goal[]): number {
  return goals.reduce((sum, { hypotheses }) => sum + Math.log1p((8 + hypotheses.length) / 4), 0);
}

/** Goals beside this one that must be solved too. */
export const siblingShare = 0.4;

/** The cost of a step by its kind: steps that lose no information are cheap. */
export function stepCost(tactic: string): number {
  return stepCosts[kindOf(tactic)] ?? otherCost;
}

/** A step's kind is its first word, or `induction` if it contains one. */
function kindOf(tactic: string): string {
  return tactic.includes('; induction ') ? 'induction' : (/^\(?(\w+)/.exec(tactic)?.[1] ?? '');
}

const otherCost = 0.8;

const stepCosts: Readonly<Record<string, number>> = {
  rename_i: 0,
  intro: 0.1,
  obtain: 0.2,
  subst_vars: 0.2,
  constructor: 0.4,
  split: 0.4,
  funext: 0.4,
  cases: 0.5,
  rcases: 0.5,
  simp_all: 0.5,
  simp: 0.5,
  injection: 0.5,
  induction: 0.4,
  fun_induction: 0.4,
  apply: 0.7,
  unfold: 0.7,
  rw: 0.9,
  have: 1,
  by_cases: 1,
  generalize: 1,
  exfalso: 1.2,
  refine: 1.2,
};

/** Added for each step of the same kind that was proposed earlier: generators propose the most likely first. */
export const placeCost = 0.15;

/** Bonus for a goal that is the last open one among its siblings. */
export const lastGoalShare = 1.5;

/** Added for each later stage of proposals of the same goal. */
export const stageCost = 0.7;

/** A tactic that failed this often and took this long in a search waits until the others have been tried. */
export const barren = { tries: 5, workSeconds: 0.04 } as const;
