import type { Goal } from '../base/protocol.ts';
import { isStrengthened } from './strengthen.ts';

/**
 * What the queue of the best-first search is ordered by, all of it in this file: costs add up, less is better. Set by hand; a
 * unit is about what one honest step costs.
 */

/** What a goal still wants, by its size: a hypothesis counts an eighth of a target. */
export function sizeCost(goals: readonly Goal[]): number {
  return goals.reduce((sum, { target, hypotheses }) => {
    const known = hypotheses.reduce((all, { type }) => all + words(type), 0);
    return sum + Math.log1p((words(target) + known / 8) / 4);
  }, 0);
}

/** Goals beside this one that must be solved too. */
export const siblingShare = 0.4;

/** What taking a step costs, by its kind. */
export type StepCosts = Readonly<Record<string, number>>;

/** What taking a step costs: steps that lose nothing cost little. */
export function stepCost(tactic: string, costs: StepCosts = handCosts): number {
  return costs[kindOf(tactic)] ?? otherCost;
}

/** A step's kind is its first word; an induction is one whatever is done before it. */
export function kindOf(tactic: string): string {
  if (isStrengthened(tactic)) return 'strengthened';
  return tactic.includes('; induction ') ? 'induction' : (/^\(?(\w+)/.exec(tactic)?.[1] ?? '');
}

export const otherCost = 0.8;

export const handCosts: StepCosts = {
  // a fact that small values do not speak against, and that the goal follows from, is a plan and no guess
  strengthened: 0.3,
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

/** How much more a step costs for each one of its kind that was proposed before it: kinds put the likely ones first. */
export const placeCost = 0.15;

/** How much sooner a goal comes when it is the only one that its siblings still wait for. */
export const lastGoalShare = 1.5;

/** How much later the next proposals of a goal come than those before them. */
export const stageCost = 0.7;

/** How much later a goal comes when a derivation in it could be taken apart without a choice. */
export const tidiedDelay = 2;

/** A tactic that was tried so often in a search, and so expensive, without ever leading on waits until the others had their turn. */
export const barren = { tries: 5, workSeconds: 0.04 } as const;

function words(text: string): number {
  return text.split(/[\s()[\]{}⟨⟩,.:]+/).length;
}
