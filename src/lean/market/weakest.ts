import type { Goal } from '../protocol.ts';
import { mentions } from '../search/shapes.ts';
import { atomEnd, replaceText, sidesOf } from '../search/terms.ts';

/** More ways of saying a goal are not worth their looks. */
const most = 8;

/**
 * Statements from which a goal that was left open may follow, the most general first and the goal itself last: an equation among its
 * hypotheses is used the other way round on one side, a term that stands on both sides becomes a variable, and hypotheses that
 * the rest does not speak of are dropped; equations are turned so that they simplify. They are proposals: whether one is true and enough is for Lean to say.
 */
export function weakenings(goal: Goal): Goal[] {
  const targets = [...fertilised(goal), goal.target]
    .map(oriented)
    .flatMap((target) => [...generalised(goal, target), { target, variable: undefined }]);
  const weaker = targets.map(({ target, variable }) => {
    const hypotheses = needed(goal, target);
    const untyped = variable === undefined ? [] : [{ name: variable, type: '' }];
    return { ...goal, hypotheses: [...hypotheses, ...untyped], target };
  });
  const byText = new Map([...weaker, goal].map((one) => [JSON.stringify([one.hypotheses, one.target]), one]));
  const all = [...byText.values()];
  return all.length <= most ? all : [...all.slice(0, most - 1), goal];
}

/** A term of the goal became a variable, whose type Lean finds out. */
export function isGeneralised({ hypotheses }: Goal): boolean {
  return hypotheses.some(({ type }) => type === '');
}

/** As a rule that makes things simpler: the longer side first. */
function oriented(target: string): string {
  const sides = sidesOf(target, '=');
  return sides && sides[0].length < sides[1].length ? `${sides[1]} = ${sides[0]}` : target;
}

/** `rev (rev xs ++ [x]) = x :: xs` where `rev (rev xs) = xs`: `rev (rev xs ++ [x]) = x :: rev (rev xs)`. */
function fertilised({ hypotheses, target }: Goal): string[] {
  const sides = sidesOf(target, '=');
  if (!sides) return [];
  return hypotheses.flatMap(({ type }) => {
    const known = type.startsWith('∀') ? undefined : sidesOf(type, '=');
    if (!known) return [];
    const [longer, shorter] = known[0].length >= known[1].length ? known : [known[1], known[0]];
    return sides.flatMap((side, index) => {
      const other = sides[1 - index] ?? '';
      // only where the other side already speaks of what the equation brings in
      const changed = replaceText(side, shorter, `(${longer})`);
      if (changed === side || applications(longer).every((term) => !other.includes(term))) return [];
      return [index === 0 ? `${changed} = ${other}` : `${other} = ${changed}`];
    });
  });
}

interface Generalised {
  readonly target: string;
  readonly variable: string;
}

/** Each application that stands on both sides, the longest first, as a variable. */
function generalised({ hypotheses }: Goal, target: string): Generalised[] {
  const [left = '', right = ''] = sidesOf(target, '=') ?? [];
  const names = new Set(hypotheses.map(({ name }) => name));
  const variable = ['ys', 'zs', 'y', 'z'].find((name) => !names.has(name) && !mentions(target, name));
  if (variable === undefined) return [];
  return applications(left)
    .filter((term) => right.includes(term))
    .filter((term) => hypotheses.some(({ name }) => mentions(term, name)))
    .sort((one, two) => two.length - one.length)
    .map((term) => replaceText(replaceText(target, `(${term})`, variable), term, variable))
    .filter((text) => text !== target)
    .map((text) => ({ target: text, variable }));
}

/** Every `f a b` in a text whose arguments are atoms, inner ones too, each once. */
function applications(text: string): string[] {
  const found = new Set<string>();
  for (const { index } of text.matchAll(/(?<![\p{L}\p{N}_'.])[\p{L}_][\p{L}\p{N}_'.₀-₉]*(?= )/gu)) {
    let end = atomEnd(text, index);
    for (
      let next = atomEnd(text, end + 1);
      text[end] === ' ' && next > end + 1;
      next = atomEnd(text, end + 1)
    )
      end = next;
    const term = text.slice(index, end);
    if (term.includes(' ')) found.add(term);
  }
  return [...found];
}

/** The hypotheses that a target speaks of, and those that these speak of; instances stay where their type does. */
function needed({ hypotheses }: Goal, target: string): Goal['hypotheses'] {
  const kept = new Set<number>();
  let texts = [target];
  while (texts.length > 0) {
    const fresh = [...hypotheses.entries()].filter(
      ([index, { name, type }]) =>
        !kept.has(index) &&
        (isInstance(name)
          ? hypotheses.some((other, at) => kept.has(at) && mentions(type, other.name))
          : texts.some((text) => mentions(text, name))),
    );
    for (const [index] of fresh) kept.add(index);
    texts = fresh.map(([, { type }]) => type);
  }
  return hypotheses.filter((_, index) => kept.has(index));
}

function isInstance(name: string): boolean {
  return name === '' || name.startsWith('inst');
}
