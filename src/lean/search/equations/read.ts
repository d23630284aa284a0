import { mentions } from '../shapes.ts';
import { isName, outermost, partsOf } from '../terms.ts';
import type { Term } from './term.ts';

/**
 * What Lean prints without its notations: `∀ {α : Type} [self : Loop α] (a b : α), Eq (Loop.op a b) (Loop.op b a)`. Anything
 * other than an application of a name becomes a constant named by its whole text.
 */

/** Printed hypotheses by name, each on one line, and the target. */
export interface PrintedGoal {
  readonly locals: ReadonlyMap<string, string>;
  readonly target: string;
}

/** A quantified equation, as printed. */
export interface PrintedEquation {
  /** Names of the type variables, then of the others with their types. */
  readonly types: readonly string[];
  readonly binders: ReadonlyMap<string, string>;
  readonly sides: readonly [string, string];
}

/** Prints a goal in this form: the tactic fails with the goal as its message. */
export const plainly =
  'set_option pp.notation false in set_option pp.fieldNotation false in set_option pp.fullNames true in set_option pp.numericTypes true in fail ""';

export function printedGoal(words: string): PrintedGoal | undefined {
  // the first goal only; an indented line continues the one before
  const [first = ''] = words.trim().split('\n\n');
  const lines = first.replace(/\n\s+/g, ' ').split('\n');
  const target = lines.find((line) => line.startsWith('⊢ '))?.slice(2);
  if (target === undefined) return undefined;
  const locals = new Map<string, string>();
  for (const line of lines) {
    const [, names = '', type = ''] = /^((?:[^\s:]+ )+): (.*)$/.exec(line) ?? [];
    for (const name of names.trim().split(' ')) if (name !== '') locals.set(name, type.replace(/ := .*/, ''));
  }
  return { locals, target };
}

/** Undefined for anything but an unconditional equation. */
export function printedEquation(text: string): PrintedEquation | undefined {
  const types: string[] = [];
  const binders = new Map<string, string>();
  const [head, body] = text.startsWith('∀ ') ? halves(text.slice(2), ', ') : ['', text];
  if (body === undefined) return undefined;
  for (const group of partsOf(head)) {
    if (group.startsWith('[')) continue;
    const [names, type = ''] = halves(group.slice(1, -1), ' : ');
    for (const name of names.split(' '))
      if (/^(?:Type|Sort)\b/.test(type)) types.push(name);
      else binders.set(name, type);
  }
  if (body.startsWith('∀ ')) return undefined;
  const [relation, left, right, ...more] = partsOf(body);
  if (relation !== 'Eq' || left === undefined || right === undefined || more.length > 0) return undefined;
  return { types, binders, sides: [left, right] };
}

/** Variables that stand for numbers; sorts come later. */
export function termOf(text: string, variables: ReadonlyMap<string, Term>): Term | undefined {
  const parts = partsOf(text);
  const [head = ''] = parts;
  if (parts.length === 1) {
    const inner = unbracketed(text);
    if (inner !== undefined && halves(inner, ' : ')[1] === undefined) return termOf(inner, variables);
    return variables.get(text) ?? opaque(text, variables);
  }
  if (!isConstant(head) || keywords.has(head)) return opaque(`(${text})`, variables);
  if (variables.has(head)) return undefined;
  const args = parts.slice(1).map((part) => termOf(part, variables));
  return args.every((one) => one !== undefined) ? { head, args, sort: undefined } : undefined;
}

/** Opaque parts must not depend on a variable. */
function opaque(text: string, variables: ReadonlyMap<string, Term>): Term | undefined {
  if ([...variables.keys()].some((name) => mentions(text, name))) return undefined;
  return { head: text, args: [], sort: undefined };
}

const keywords = new Set(['fun', 'if', 'match', 'let', 'have', 'show', '∀', '∃', 'λ', 'do']);

function isConstant(text: string): boolean {
  return text.split('.').every(isName) && !text.includes('✝');
}

function unbracketed(text: string): string | undefined {
  return text.startsWith('(') && outermost(text) === '' && closesAtEnd(text) ? text.slice(1, -1) : undefined;
}

/** Whether the first bracket closes at the last character. */
function closesAtEnd(text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '(') depth++;
    else if (text[at] === ')' && --depth === 0) return at === text.length - 1;
  }
  return false;
}

/** The text before and after the first mark outside all brackets. */
function halves(text: string, mark: string): [string, string | undefined] {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    if ('([{⦃⟨'.includes(text[at] ?? ' ')) depth++;
    else if (')]}⦄⟩'.includes(text[at] ?? ' ')) depth--;
    else if (depth === 0 && text.startsWith(mark, at))
      return [text.slice(0, at), text.slice(at + mark.length)];
  }
  return [text, undefined];
}
