import type { Facts } from '../premises/facts.ts';
import type { Goal } from '../base/protocol.ts';
import { fresh, namingMove } from './moves.ts';
import { isInversion, localsOf, mentions, type Local } from './shapes.ts';
import { isName, sidesOf } from './terms.ts';

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
export function tidying(goals: readonly Goal[], facts: Facts): Tidying | undefined {
  const [goal] = goals;
  if (!goal) return undefined;
  const naming = namingMove(goal);
  if (naming !== undefined) return { tactics: [naming], isSame: true };
  // what is still to be found may be found differently by each of these
  if (goals.length > 1) return undefined;
  const locals = localsOf(goal, facts);
  const same = sameMoves(goal, locals, facts);
  if (same.length > 0) return { tactics: same, isSame: true };
  const inversions = locals.filter(isInversion).slice(0, mostInversions);
  return inversions.length === 0
    ? undefined
    : { tactics: inversions.map(({ name }) => `cases ${name}`), isSame: false };
}

function sameMoves(goal: Goal, locals: readonly Local[], facts: Facts): string[] {
  const equations = locals.filter(({ shape }) => shape === 'equation');
  const both = locals.filter(({ shape, type }) => shape === 'logic' && isConjunction(type));
  return [
    ...(equations.some(({ type }) => isSolved(type, locals)) ? ['subst_vars'] : []),
    ...equations
      .filter(({ type }) => isBetweenConstructors(type, facts))
      .flatMap(({ name }) => [`cases ${name}`, `injection ${name}`]),
    ...both.map(({ name }) => `obtain ⟨${fresh(goal, 'x')}, ${fresh(goal, 'hx')}⟩ := ${name}`),
  ];
}

/** `x = t` or `t = x`, where `t` does not mention `x`. */
function isSolved(type: string, locals: readonly Local[]): boolean {
  const [left, right] = sidesOf(type, '=') ?? [];
  if (left === undefined || right === undefined) return false;
  const isVariable = (text: string): boolean =>
    locals.some(({ name, shape }) => name === text && (shape === 'data' || shape === 'other'));
  return (isVariable(left) && !mentions(right, left)) || (isVariable(right) && !mentions(left, right));
}

/** As far as print tells: nothing is lost when the arguments are compared instead. */
function isBetweenConstructors(type: string, { constructors }: Facts): boolean {
  const sides = sidesOf(type, '=');
  return sides?.every((side) => isConstructed(side, constructors)) === true;
}

function isConstructed(side: string, constructors: readonly string[]): boolean {
  if (/^\(.*, .*\)$/.test(side) || side.includes(' :: ') || side.endsWith(' + 1')) return true;
  if (/^(?:some|Sum\.inl|Sum\.inr) /.test(side) || /^(?:none|\[\]|0|true|false)$/.test(side)) return true;
  const head = /^[^\s()[\]{}⟨⟩,]+/.exec(side)?.[0] ?? '';
  const last = head.split('.').at(-1) ?? head;
  return !isName(side) && constructors.some((name) => name === head || name.endsWith(`.${last}`));
}

/** `∃ x, p` or `p ∧ q`: one case only. */
function isConjunction(type: string): boolean {
  return (
    type.startsWith('∃') || (sidesOf(type, '∧') !== undefined && !sidesOf(type, '∨') && !sidesOf(type, '↔'))
  );
}
