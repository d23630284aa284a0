import type { Goal } from '../base/protocol.ts';
import { fresh, isConjunction, namingMove } from './moves.ts';
import { isInversion, localsOf, type Local } from './shapes.ts';

/**
 * First steps on a goal, which lose nothing: the first that leaves at most one goal is used, and its result replaces the goal.
 */
export interface Tidying {
  readonly tactics: readonly string[];
  /**
   * Whether the result is completely equivalent, so that nothing else needs to be tried here; otherwise the
   * rest waits.
   */
  readonly isSame: boolean;
}

const mostInversions = 4;

/**
 * Names hypotheses, solves equations, splits pairs and witnesses, and inverts derivations that only one rule can have produced.
 */
export function tidying(goals: readonly Goal[]): Tidying | undefined {
  const [goal] = goals;
  if (!goal) return undefined;
  const naming = namingMove(goal);
  if (naming !== undefined) return { tactics: [naming], isSame: true };
  // each of these may assign metavariables differently
  if (goals.length > 1) return undefined;
  const locals = localsOf(goal);
  const same = sameMoves(goal, locals);
  if (same.length > 0) return { tactics: same, isSame: true };
  const inversions = locals.filter(isInversion).slice(0, mostInversions);
  return inversions.length === 0
    ? undefined
    : { tactics: inversions.map(({ name }) => `cases ${name}`), isSame: false };
}

function sameMoves(goal: Goal, locals: readonly Local[]): string[] {
  return [
    ...(locals.some(({ solved }) => solved === true) ? ['subst_vars'] : []),
    ...locals
      .filter(({ injective }) => injective === true)
      .flatMap(({ name }) => [`cases ${name}`, `injection ${name}`]),
    ...locals
      .filter(isConjunction)
      .map(({ name }) => `obtain ⟨${fresh(goal, 'x')}, ${fresh(goal, 'hx')}⟩ := ${name}`),
  ];
}
