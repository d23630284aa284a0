import type { Facts } from '../premises/facts.ts';
import type { Goal } from '../base/protocol.ts';
import { unique } from './closers.ts';
import { applications, interleave, type Moves } from './moves.ts';
import { isInductive, localsOf, mentions, type Local } from './shapes.ts';
import { callsOf, isName, partsOf } from './terms.ts';

/**
 * Inductions on each derivation and each value, plain and with everything else generalised, and along functions. A derivation
 * carries more information than its values, so it goes first, with the strongest hypothesis.
 */
export const inductionMoves: Moves = (goal, facts) => {
  const locals = localsOf(goal);
  const derivations = locals.filter(({ shape, recursive }) => shape === 'predicate' && recursive === true);
  const isIndex = ({ name }: Local): boolean => derivations.some(({ type }) => mentions(type, name));
  const place = (local: Local): number =>
    (mentions(goal.target, local.name) ? 0 : 2) + (isIndex(local) ? 1 : 0);
  const values = locals.filter(isInductive).sort((first, second) => place(first) - place(second));
  const generalised = (local: Local): string[] => {
    const others = generalisable(local, locals);
    return others.length === 0 ? [] : [`induction ${local.name} generalizing ${others.join(' ')}`];
  };
  const indexed = derivations.filter(hasIndices).flatMap((local) => overIndices(goal, local, locals));
  // terms in a derivation's type may be parameters, which need no names; then the plain induction works
  const derived = derivations.flatMap((local) => [...generalised(local), plain(local)]);
  const valued = interleave(values.map(plain), values.flatMap(generalised));
  const strong = values.filter(({ head }) => head === 'Nat').map(strongInduction);
  return unique([...interleave(indexed, derived), ...interleave(valued, along(goal, facts)), ...strong]);
};

function plain({ name }: Local): string {
  return `induction ${name}`;
}

/** Induction along a function's recursion: by name if that identifies the call, otherwise per call. */
function along(goal: Goal, facts: Facts): string[] {
  const texts = [goal.target, ...goal.hypotheses.map(({ type }) => type)];
  return applications(goal, facts).flatMap((name) => {
    const calls = unique(texts.flatMap((text) => callsOf(text, name)).map((call) => call.join(' ')));
    const onVariables = calls.filter((call) => call !== '' && call.split(' ').every(isName));
    return [
      `fun_induction ${name}`,
      ...(calls.length > 1 ? onVariables.slice(0, 2).map((call) => `fun_induction ${name} ${call}`) : []),
    ];
  });
}

/** A derivation about terms that are not variables, which `induction` refuses unchanged. */
function hasIndices({ shape, type }: Local): boolean {
  return shape === 'predicate' && indicesOf(type).length > 0;
}

/** Terms get names first, so that the cases keep their equations; hypotheses that mention them are generalised too. */
function overIndices(goal: Goal, { name, type }: Local, locals: readonly Local[]): string[] {
  const indices = indicesOf(type);
  const renamed = indices.map((text, index) => `generalize hi${index} : ${text} = i${index} at ${name}`);
  const idle = indices.map((_, index) => `i${index}`).join(' ');
  const inside = goal.hypotheses
    .filter((other) => other.name !== name && !other.name.endsWith('✝'))
    .filter((other) => indices.some((text) => mentions(text, other.name)))
    .map((other) => other.name);
  const also = locals
    .filter(({ name: other, shape }) => other !== name && !inside.includes(other) && shape === 'data')
    .filter(({ name: other }) => !partsOf(type).includes(other) && mentions(goal.target, other))
    .map(({ name: other }) => other);
  return unique(
    [[...inside, ...also], inside, []].map(
      (names) => `(${renamed.join('; ')}; induction ${name}${over(names)} <;> (try clear ${idle}))`,
    ),
  );
}

function over(names: readonly string[]): string {
  return names.length > 0 ? ` generalizing ${names.join(' ')}` : '';
}

function indicesOf(type: string): string[] {
  return unique(partsOf(type).slice(1)).filter((text) => !isName(text));
}

function strongInduction({ name }: Local): string {
  return `induction ${name} using Nat.strongRecOn`;
}

/** Other values that an induction may generalise, with the facts about them, except those in its own type. */
function generalisable(local: Local, locals: readonly Local[]): string[] {
  return locals
    .filter(({ name, shape }) => name !== local.name && varying.has(shape) && !mentions(local.type, name))
    .map(({ name }) => name);
}

const varying: ReadonlySet<Local['shape']> = new Set(['data', 'other']);
