import type { Goal } from '../base/protocol.ts';
import { mentions } from '../search/shapes.ts';
import { atomEnd, outermost, replaceText, sidesOf } from '../search/terms.ts';

/** Checking more variants of a goal costs more than it gains. */
const most = 8;

/**
 * Statements that may imply a goal left open, most general first and the goal itself last. An equation among
 * the hypotheses is applied backwards on one side; a term that occurs on both sides becomes a variable;
 * hypotheses that nothing else mentions are dropped; equations are oriented so that they simplify. They are
 * only proposals: Lean decides whether one is true and sufficient.
 */
export function weakenings(goal: Goal): Goal[] {
  const targets = [...fertilised(goal), goal.target]
    .map(oriented)
    .flatMap((target) => [...generalised(goal, target), { target, variables: [] }]);
  const weaker = targets.map(({ target, variables }) => {
    const untyped = variables.map((name) => ({ name, type: '' }));
    return { ...goal, hypotheses: [...needed(goal, target), ...untyped], target };
  });
  const byText = new Map([...weaker, goal].map((one) => [JSON.stringify([one.hypotheses, one.target]), one]));
  const all = [...byText.values()];
  return all.length <= most ? all : [...all.slice(0, most - 1), goal];
}

/** A term of the goal became a variable; Lean infers its type. */
export function isGeneralised({ hypotheses }: Goal): boolean {
  return hypotheses.some(({ type }) => type === '');
}

/** Oriented as a simplification rule: a call on the left of its result, else the longer side first. */
function oriented(target: string): string {
  const sides = sidesOf(target, '=');
  if (!sides) return target;
  const [left, right] = sides;
  const isTurned = isCall(left) === isCall(right) ? left.length < right.length : isCall(right);
  return isTurned ? `${right} = ${left}` : target;
}

/** `f a (g b)`, as opposed to `a + b` and `if a then b else c`. */
function isCall(text: string): boolean {
  return /^(?!(?:if|match|let|fun)\b)[\p{L}_][\p{L}\p{N}_'. ₀-₉]*$/u.test(outermost(text));
}

/** `rev (rev xs ++ [x]) = x :: xs` where `rev (rev xs) = xs`: `rev (rev xs ++ [x]) = x :: rev (rev xs)`; by all equations, then by each. */
function fertilised({ hypotheses, target }: Goal): string[] {
  const known = hypotheses.flatMap(({ type }) => {
    const sides = type.startsWith('∀') ? undefined : sidesOf(type, '=');
    if (!sides) return [];
    const [longer, shorter] = sides[0].length >= sides[1].length ? sides : [sides[1], sides[0]];
    return [{ longer, shorter }];
  });
  const sides = sidesOf(target, '=');
  if (!sides) return [];
  return [0, 1].flatMap((at) => {
    const [side, other] = at === 0 ? sides : [sides[1], sides[0]];
    // only if the other side already mentions the terms that the equation introduces
    const fitting = known.filter(({ longer }) => applications(longer).some((term) => other.includes(term)));
    const ways = [fitting, ...fitting.map((one) => [one])];
    return ways
      .map((some) =>
        some.reduce((text, { longer, shorter }) => replaceText(text, shorter, `(${longer})`), side),
      )
      .filter((changed) => changed !== side)
      .map((changed) => (at === 0 ? `${changed} = ${other}` : `${other} = ${changed}`));
  });
}

interface Generalised {
  readonly target: string;
  readonly variables: readonly string[];
}

/**
 * Replaces applications that occur on both sides by variables: first all of them, longest first, then each
 * alone.
 */
function generalised({ hypotheses }: Goal, target: string): Generalised[] {
  const taken = (name: string): boolean =>
    mentions(target, name) || hypotheses.some((one) => one.name === name);
  const variables = ['ys', 'zs', 'y', 'z'].filter((name) => !taken(name));
  const [left = '', right = ''] = sidesOf(target, '=') ?? [];
  const terms = applications(left)
    .filter((term) => right.includes(term))
    .filter((term) => hypotheses.some(({ name }) => mentions(term, name)))
    // `x r` in `l.node x r`
    .filter(
      (term) => !hypotheses.some(({ name, type }) => term.startsWith(`${name} `) && !type.includes('→')),
    )
    .sort((one, two) => two.length - one.length);
  const replaced = (some: readonly string[]): Generalised => {
    const used: string[] = [];
    const text = some.reduce((now, term) => {
      const variable = variables[used.length];
      if (variable === undefined || !now.includes(term)) return now;
      used.push(variable);
      return replaceText(replaceText(now, `(${term})`, variable), term, variable);
    }, target);
    return { target: text, variables: used };
  };
  return [replaced(terms), ...terms.map((term) => replaced([term]))].filter((one) => one.target !== target);
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

/** The hypotheses that a target mentions directly or indirectly; an instance is kept if its type is. */
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
