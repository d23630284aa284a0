import type { Goal } from '../base/protocol.ts';
import { fresh, isConjunction, namingMove } from './moves.ts';
import { isInversion, localsOf, type Local } from './shapes.ts';

/**
 * Steps that come before everything else on a goal, because they lose nothing: the first that leaves at most one goal is
 * taken, and what it leads to stands for the goal itself.
 */
export interface Tidying {
  readonly tactics: readonly string[];
  /** What it leads to says the same in every respect: nothing else is worth trying here. Else the rest only waits. */
  readonly isSame: boolean;
}

const mostInversions = 4;

/** Names for what has none, then equations solved, pairs and witnesses taken apart, derivations that only one rule can have made. */
export function tidying(goals: readonly Goal[]): Tidying | undefined {
  const [goal] = goals;
  if (!goal) return undefined;
  const naming = namingMove(goal);
  if (naming !== undefined) return { tactics: [naming], isSame: true };
  // what is still to be found may be found differently by each of these
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
