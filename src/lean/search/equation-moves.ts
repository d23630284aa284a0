import type { Facts } from '../premises/facts.ts';
import type { Goal } from '../base/protocol.ts';
import { unique } from './closers.ts';
import { fresh, type Moves } from './moves.ts';
import { nearestPremises } from './premise-moves.ts';
import { localsOf, type Local } from './shapes.ts';
import { sidesOf } from './terms.ts';

/**
 * Steps of algebra for types known only by their laws: apply an operation to both sides of an equation, and instantiate a law
 * at a term of the goal. No tactic invents such terms.
 */

const most = 24;
/** Number of laws to instantiate, and of terms to instantiate them with. */
const laws = 4;
const terms = 4;

/** `a ⋆ b = a ⋆ c` becomes `a⁻¹ ⋆ (a ⋆ b) = a⁻¹ ⋆ (a ⋆ c)`. */
export const bothSidesMoves: Moves = (goal, facts) => {
  const locals = localsOf(goal);
  const elements = elementsOf(locals);
  const { unary, binary } = operationsOf(goal, facts);
  if (elements.length === 0 || binary.length === 0) return [];
  const factors = [
    ...elements.flatMap(({ name }) => unary.map((operation) => `(${operation} ${name})`)),
    ...elements.map(({ name }) => name),
  ];
  const name = fresh(goal, 'hn');
  const equations = locals.filter(({ head }) => head === 'Eq');
  const made = equations.flatMap((equation) =>
    factors.flatMap((factor) =>
      binary.flatMap((operation) => [
        `have ${name} := congrArg (fun z => ${operation} ${factor} z) ${equation.name}`,
        `have ${name} := congrArg (fun z => ${operation} z ${factor}) ${equation.name}`,
      ]),
    ),
  );
  return unique(made).slice(0, most);
};

/** A law at a term: rewritten from right to left, or as an additional fact. */
export const lawMoves: Moves = (goal, facts) => {
  const locals = localsOf(goal);
  const elements = elementsOf(locals);
  if (elements.length === 0) return [];
  const sides = (sidesOf(goal.target, '=') ?? []).map((side) => `(${side})`);
  const inside = goal.target.match(/\([^()]+\)/g) ?? [];
  const pool = unique([...inside, ...sides, ...elements.map(({ name }) => name)]).slice(0, terms);
  const name = fresh(goal, 'hn');
  const made = nearestPremises(goal, facts)
    .slice(0, laws)
    .flatMap((law) =>
      pool.flatMap((term) => [
        `apply ${law} ${term}`,
        `rw [← ${law} ${term}]`,
        `have ${name} := ${law} ${term}`,
      ]),
    );
  return unique(made).slice(0, 2 * most);
};

/** Values of a type that is a variable. */
function elementsOf(locals: readonly Local[]): Local[] {
  const types = new Set(locals.flatMap(({ name, shape }) => (shape === 'sort' ? [name] : [])));
  return locals.filter(({ type }) => types.has(type)).slice(0, 4);
}

interface Operations {
  readonly unary: readonly string[];
  readonly binary: readonly string[];
}

/** Laws of the preamble's structures, and those of the library whose operations the goal uses. */
function operationsOf({ target, hypotheses }: Goal, { operations }: Facts): Operations {
  const text = [target, ...hypotheses.map(({ type }) => type)].join(' ');
  const own = (arity: number): string[] =>
    (operations ?? []).filter((one) => one.arity === arity).map(({ name }) => name);
  return {
    unary: [
      ...own(1),
      ...(/-\p{L}|- -/u.test(text) ? ['Neg.neg'] : []),
      ...(text.includes('⁻¹') ? ['Inv.inv'] : []),
    ].slice(0, 2),
    binary: [
      ...own(2),
      ...(text.includes(' + ') ? ['HAdd.hAdd'] : []),
      ...(text.includes(' * ') ? ['HMul.hMul'] : []),
    ].slice(0, 2),
  };
}
