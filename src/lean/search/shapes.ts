import type { Goal, Hypothesis } from '../base/protocol.ts';

/** A named hypothesis, with Lean's data about its type. */
export interface Local extends Hypothesis {
  readonly shape: Shape;
}

/**
 * `data` has constructors and is not a proof; `predicate` is an inductive proposition; `logic` is ∧ ∨ ∃ ↔; `equation` may be
 * substituted or injected; `order` also covers membership and divisibility; `function` covers → ∀ ¬; `claim` is a proposition with
 * another head; `sort` is a type or a proposition variable.
 */
export type Shape =
  | 'data'
  | 'predicate'
  | 'logic'
  | 'equation'
  | 'order'
  | 'function'
  | 'claim'
  | 'sort'
  | 'other';

export function localsOf({ hypotheses }: Goal): Local[] {
  return hypotheses
    .filter(({ name, kind }) => !name.endsWith('✝') && kind !== 'class')
    .map((one) => ({ ...one, shape: shapeOf(one) }));
}

/** Library operators that hide a predicate which should not be split first. */
const relations: ReadonlySet<string> = new Set(['Membership.mem', 'List.Mem', 'Dvd.dvd']);

function shapeOf({ kind = 'other', head = '' }: Hypothesis): Shape {
  switch (kind) {
    case 'data':
    case 'structure':
      return 'data';
    case 'predicate':
      return relations.has(head) ? 'order' : 'predicate';
    case 'connective':
      return head === 'Not' ? 'function' : head === 'True' || head === 'False' ? 'other' : 'logic';
    case 'function':
    case 'quantifier':
      return 'function';
    case 'equation':
    case 'order':
    case 'claim':
    case 'other':
      return kind;
    case 'sort':
    case 'class':
      return 'sort';
  }
}

/** A fact, as opposed to a value or a type. */
export function isProof(shape: Shape): boolean {
  return shape !== 'data' && shape !== 'sort' && shape !== 'other';
}

/** A value on which an induction is possible. */
export function isInductive({ shape, recursive }: Local): boolean {
  return shape === 'data' && recursive === true;
}

/** A value that may be split. */
export function isSplit({ shape, splits }: Local): boolean {
  return shape === 'data' && splits === true;
}

/** A derivation about terms that are not variables: few rules can have produced it. */
export function isInversion({ shape, inverts }: Local): boolean {
  return shape === 'predicate' && inverts === true;
}

/** The words of a text, to test whether a name occurs in it. */
export function mentions(text: string, name: string): boolean {
  return text.split(/[^\p{L}\p{N}_'!?₀-₉✝]+/u).includes(name);
}
