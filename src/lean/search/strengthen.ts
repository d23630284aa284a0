import type { Facts } from '../premises/facts.ts';
import type { Goal } from '../base/protocol.ts';
import { unique } from './closers.ts';
import { applications, fresh } from './moves.ts';
import { localsOf, mentions, type Local } from './shapes.ts';
import { callsOf, isName, sidesOf } from './terms.ts';

/** A generalised fact, and a test that would refute it. */
export interface Strengthened {
  /** Leaves two goals: the general fact, and the goal with that fact. */
  readonly tactic: string;
  /** Succeeds only if the fact is false for some small values; absent if the types are not known well enough. */
  readonly refutation?: string;
}

const most = 6;

/**
 * Generalises an equation about a function called with a constant, such as an accumulator: the constant becomes a variable,
 * combined with the other side by the operation for which the constant is neutral.
 */
export function strengthened(goal: Goal, facts: Facts): Strengthened[] {
  const sides = sidesOf(goal.target, '=');
  if (!sides) return [];
  const locals = localsOf(goal);
  const name = fresh(goal, 'hs');
  const variable = fresh(goal, 'acc');
  const [left, right] = sides;
  const found = [
    [left, right],
    [right, left],
  ].flatMap(([side = '', other = '']) =>
    constantsIn(side, goal, facts).flatMap(({ call, constant }) =>
      joined(other, constant, variable).map((joint) => ({
        general: `${side.replace(call, generalised(call, constant, variable))} = ${joint}`,
        constant,
      })),
    ),
  );
  return unique(found.map(({ general }) => general))
    .slice(0, most)
    .map((general) => {
      const tactic = `have ${name} : ∀ ${variable}, ${general} := ?_`;
      const constant = found.find((one) => one.general === general)?.constant ?? '';
      const instance = instanceOf(general, variable, constant, locals);
      return instance === undefined
        ? { tactic }
        : { tactic, refutation: `have : ¬(${instance}) := by decide` };
    });
}

/** Whether a step states such a fact. */
export function isStrengthened(tactic: string): boolean {
  return /^have hs\d* : /.test(tactic);
}

/** Whether a goal is such a fact. */
export function isStatedGenerally(target: string): boolean {
  return /^∀ \(?acc\d*\b/.test(target);
}

/** The library's own accumulators. */
const folds = ['List.foldl', 'Array.foldl', 'List.reverseAux'];

/** Constants among the arguments of calls in a text. */
function constantsIn(text: string, goal: Goal, facts: Facts): { call: string; constant: string }[] {
  return [...applications(goal, facts), ...folds].flatMap((name) =>
    callsOf(text, name).flatMap((call) =>
      call
        // its other arguments must be able to vary in an induction
        .filter((constant) => neutral.has(constant) && call.every((one) => one === constant || isTerm(one)))
        .map((constant) => ({ call: textOfCall(text, call), constant })),
    ),
  );
}

/** A variable, or a function argument. */
function isTerm(argument: string): boolean {
  return isName(argument) || argument.startsWith('(fun ');
}

/** The text of a call, with its arguments as written. */
function textOfCall(text: string, call: readonly string[]): string {
  const written = ` ${call.join(' ')}`;
  return text.includes(written) ? written : ` ${call.slice(1).join(' ')}`;
}

function generalised(call: string, constant: string, variable: string): string {
  const at = call.lastIndexOf(` ${constant}`);
  return `${call.slice(0, at)} ${variable}${call.slice(at + 1 + constant.length)}`;
}

/** The operations for which a constant is neutral; `_` is the other side and `A` the variable. */
const neutral: ReadonlyMap<string, readonly string[]> = new Map([
  ['0', ['A + _', '_ + A', '_ - A']],
  ['1', ['A * _', '_ * A', 'A + _ - 1']],
  ['[]', ['_ ++ A', 'A ++ _', 'A.reverse ++ _']],
  ['""', ['A ++ _', '_ ++ A']],
  ['#[]', ['A ++ _', '_ ++ A']],
  ['true', ['(A && _)']],
  ['false', ['(A || _)', '(A ^^ _)']],
]);

function joined(other: string, constant: string, variable: string): string[] {
  const forms = (neutral.get(constant) ?? []).map((form) =>
    form.replaceAll('A', variable).replace('_', `(${other})`),
  );
  const replaced = replaceWord(other, constant, variable);
  return replaced === other ? forms : [replaced, ...forms];
}

/** Small values for all variables of the fact, if their types are simple. */
function instanceOf(
  general: string,
  variable: string,
  constant: string,
  locals: readonly Local[],
): string | undefined {
  let text = replaceWord(general, variable, constant === '0' || constant === '1' ? '5' : '[5]');
  if (!['0', '1', '[]'].includes(constant)) return undefined;
  for (const { name, type } of locals) {
    if (!mentions(general, name)) continue;
    const value = samples.get(type);
    if (value === undefined) return undefined;
    text = replaceWord(text, name, value);
  }
  return text;
}

const samples: ReadonlyMap<string, string> = new Map([
  ['Nat', '3'],
  ['List Nat', '[2, 3]'],
  ['Bool', 'true'],
]);

function replaceWord(text: string, word: string, by: string): string {
  return text
    .split(/(#\[\]|\[\]|""|[\p{L}\p{N}_'₀-₉]+)/u)
    .map((part) => (part === word ? by : part))
    .join('');
}
