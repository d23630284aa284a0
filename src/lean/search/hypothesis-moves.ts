import type { Facts } from '../premises/facts.ts';
import { list, unique } from './closers.ts';
import { fresh, type Moves } from './moves.ts';
import { isProof, localsOf, mentions, type Local } from './shapes.ts';

const most = 24;

/** Uses of a hypothesis on the goal or on another hypothesis: apply, rewrite, destructure, simplify. */
export const hypothesisMoves: Moves = (goal, facts) => {
  const locals = localsOf(goal);
  const equations = locals.filter(({ head }) => head === 'Eq');
  const facing = proofsOf(locals);
  return unique([
    ...equations.filter(({ injective }) => injective === true).map(({ name }) => `injection ${name}`),
    ...equations.flatMap(({ name }) => [`rw [${name}]`, `rw [← ${name}]`]),
    ...rewritten(equations, facing),
    ...locals.filter(({ shape }) => shape === 'function').map(({ name }) => `rw [${name}]`),
    ...facing.slice(0, 4).map(({ name }) => `simp${list(facts.definitions)} at ${name}`),
    ...facing.flatMap(({ name, type }) => unfolded(type, facts).map((its) => `unfold ${its} at ${name}`)),
  ]).slice(0, most);
};

/** New facts: a hypothesis applied to known facts, or to facts that become goals. */
export const forwardMoves: Moves = (goal) => {
  const locals = localsOf(goal);
  const name = fresh(goal, 'hn');
  const proofs = proofsOf(locals);
  const values = locals.filter(({ shape }) => shape === 'data' || shape === 'other').slice(0, 4);
  const functions = locals.filter(({ shape }) => shape === 'function');
  const made = functions.flatMap((local) => [
    ...proofs.filter((proof) => proof !== local).map((proof) => `${local.name} ${proof.name}`),
    ...proofs.filter((proof) => proof !== local).map((proof) => `${local.name} _ ${proof.name}`),
    ...values.map((value) => `${local.name} ${value.name}`),
    // the missing premise becomes a separate goal
    ...(local.kind === 'quantifier' && local.head === '→' ? [`${local.name} ?_`] : []),
  ]);
  const special = functions.flatMap((local) =>
    values.map((value) => `specialize ${local.name} ${value.name}`),
  );
  return unique([...made.map((term) => `have ${name} := ${term}`), ...special]).slice(0, most);
};

/** Hypotheses that may be used, as opposed to values. */
export function proofsOf(locals: readonly Local[]): Local[] {
  return locals.filter(({ shape }) => isProof(shape));
}

function rewritten(equations: readonly Local[], facing: readonly Local[]): string[] {
  return equations.flatMap((equation) =>
    facing
      .filter((other) => other !== equation)
      .map((other) => `rw [${equation.name}] at ${other.name}`)
      .slice(0, 3),
  );
}

/** The definitions that occur in a hypothesis. */
function unfolded(type: string, { definitions }: Facts): string[] {
  return definitions.filter((name) => mentions(type, name.split('.').at(-1) ?? name)).slice(0, 2);
}
