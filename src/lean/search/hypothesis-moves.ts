import type { Facts } from '../premises/facts.ts';
import type { Goal } from '../protocol.ts';
import { list, unique } from './closers.ts';
import { fresh, type Moves } from './moves.ts';
import { localsOf, mentions, type Local } from './shapes.ts';

const most = 24;

/** What a hypothesis can do to the goal or to another one: be applied, rewrite, be taken apart, be simplified. */
export const hypothesisMoves: Moves = (goal, facts) => {
  const locals = localsOf(goal, facts);
  const equations = locals.filter(({ shape, type }) => shape === 'equation' && / = /.test(type));
  const facing = locals.filter(({ shape }) => shape !== 'data' && shape !== 'sort' && shape !== 'other');
  return unique([
    ...equations.filter(isInjective).map(({ name }) => `injection ${name}`),
    ...equations.flatMap(({ name }) => [`rw [${name}]`, `rw [← ${name}]`]),
    ...rewritten(equations, facing),
    ...locals.filter(({ shape }) => shape === 'function').map(({ name }) => `rw [${name}]`),
    ...facing.slice(0, 4).map(({ name }) => `simp${list(facts.definitions)} at ${name}`),
    ...generalisedInductions(goal, locals),
  ]).slice(0, most);
};

/** New facts from old ones: a hypothesis or a lemma applied to what is there. */
export const forwardMoves: Moves = (goal, facts) => {
  const locals = localsOf(goal, facts);
  const name = fresh(goal, 'hn');
  const proofs = locals.filter(({ shape }) => shape !== 'data' && shape !== 'sort' && shape !== 'other');
  const values = locals.filter(({ shape }) => shape === 'data' || shape === 'other').slice(0, 4);
  const functions = locals.filter(({ shape }) => shape === 'function');
  const applied = functions.flatMap((local) => [
    ...proofs.filter((proof) => proof !== local).map((proof) => `${local.name} ${proof.name}`),
    ...values.map((value) => `${local.name} ${value.name}`),
    ...proofs.filter((proof) => proof !== local).map((proof) => `${local.name} _ ${proof.name}`),
  ]);
  const known = facts.lemmas.slice(0, 6).flatMap((lemma) => {
    const fitting = proofs.filter((proof) => proof.shape !== 'function' && shares(lemma, proof, facts));
    return fitting.flatMap(({ name: its }) => [
      `${lemma} ${its}`,
      `${lemma} _ ${its}`,
      `${lemma} _ _ ${its}`,
    ]);
  });
  const rewrites = facts.lemmas
    .slice(0, 6)
    .flatMap((lemma) =>
      proofs.filter((proof) => shares(lemma, proof, facts)).map((proof) => `rw [${lemma}] at ${proof.name}`),
    );
  return unique([...applied, ...known].map((term) => `have ${name} := ${term}`).concat(rewrites)).slice(
    0,
    most,
  );
};

/** A derivation whose indices are no variables: they are, once they have names. */
function generalisedInductions(goal: Goal, locals: readonly Local[]): string[] {
  return locals
    .filter(({ shape }) => shape === 'predicate')
    .flatMap(({ name, type }) => {
      const indices = argumentsOf(type).filter(
        (text) => !/^[\p{L}\p{N}_'₀-₉✝]+$/u.test(text) && /\p{L}/u.test(text),
      );
      if (indices.length === 0) return [];
      const renamed = indices.map((text, index) => `generalize hi${index} : ${text} = i${index} at ${name}`);
      const others = goal.hypotheses
        .filter(
          (other) =>
            other.name !== name &&
            !other.name.endsWith('✝') &&
            indices.some((text) => mentions(text, other.name)),
        )
        .map((other) => other.name);
      const over = others.length > 0 ? ` generalizing ${others.join(' ')}` : '';
      return [`(${renamed.join('; ')}; induction ${name}${over})`];
    });
}

/** What a printed application is applied to. */
function argumentsOf(type: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let part = '';
  for (const character of type) {
    if ('([{⟨'.includes(character)) depth++;
    if (')]}⟩'.includes(character)) depth--;
    if (character === ' ' && depth === 0) {
      parts.push(part);
      part = '';
    } else part += character;
  }
  return [...parts, part].slice(1);
}

function rewritten(equations: readonly Local[], facing: readonly Local[]): string[] {
  return equations.flatMap((equation) =>
    facing
      .filter((other) => other !== equation)
      .map((other) => `rw [${equation.name}] at ${other.name}`)
      .slice(0, 3),
  );
}

/** Constructors on both sides, as far as print tells. */
function isInjective({ type }: Local): boolean {
  return /::|\.|\bsome\b|\+ 1|⟨/.test(type);
}

/** Whether a lemma speaks of what a hypothesis speaks of. */
function shares(lemma: string, { type }: Local, { lemmaSymbols }: Facts): boolean {
  return (lemmaSymbols.get(lemma) ?? []).some((symbol) => mentions(type, symbol.split('.').at(-1) ?? symbol));
}
