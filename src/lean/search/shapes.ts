import type { Goal } from '../base/protocol.ts';
import type { Facts } from '../premises/facts.ts';
import { isName, outermost, partsOf } from './terms.ts';

/** A hypothesis as the plans see it: only its printed type is known, which is enough to propose and too little to trust. */
export interface Local {
  readonly name: string;
  readonly type: string;
  readonly shape: Shape;
}

/**
 * `data` has constructors and no proof value; `predicate` is an inductive proposition; `logic` is ∧ ∨ ∃ ↔; `equation` may be
 * substituted or injected; `function` covers → and ∀; `claim` looks like a proposition with another head; `sort` is a type, a proposition variable or an
 * instance.
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

const libraryData = new Set([
  'Nat',
  'Int',
  'List',
  'Option',
  'Bool',
  'Array',
  'Prod',
  'Sum',
  'Fin',
  'Except',
  'Ordering',
  'Char',
  'String',
  'Subtype',
  'Sigma',
  'PUnit',
  'Unit',
  'Empty',
]);
const recursiveData = new Set(['Nat', 'List']);

export function localsOf(goal: Goal, facts: Facts): Local[] {
  return goal.hypotheses
    .filter(({ name }) => !name.endsWith('✝') && !name.startsWith('inst'))
    .map(({ name, type }) => ({ name, type, shape: shapeOf(type, facts, goal) }));
}

function shapeOf(type: string, facts: Facts, { hypotheses }: Goal): Shape {
  if (/^(?:Type|Sort|Prop)\b/.test(type)) return 'sort';
  if (/^(?:∀|¬)/.test(type)) return 'function';
  const outside = outermost(type);
  if (outside.includes('→')) return type.startsWith('∃') ? 'logic' : 'function';
  if (/^∃|[∧∨↔]/.test(outside)) return 'logic';
  if (/[×⊕]/.test(outside) || /^\{.*\/\//.test(type)) return 'data';
  if (/ [=≠] /.test(outside)) return 'equation';
  if (/ (?:[<≤>≥∈∉∣]) /.test(outside)) return 'order';
  const head = headOf(type);
  if (facts.predicates.some((name) => name === head || name.endsWith(`.${head}`))) return 'predicate';
  if (libraryData.has(head) || facts.dataTypes.has(head)) return 'data';
  const isApplied = partsOf(type).length > 1;
  const local = hypotheses.find(({ name }) => name === head);
  return isApplied && (local === undefined || local.type.endsWith('Prop')) ? 'claim' : 'other';
}

/** A fact, as opposed to a value or a type. */
export function isProof(shape: Shape): boolean {
  return shape !== 'data' && shape !== 'sort' && shape !== 'other';
}

/** May an induction on a value of this type have a case with a hypothesis? */
export function isRecursive(type: string, facts: Facts): boolean {
  const head = headOf(type);
  return recursiveData.has(head) || facts.dataTypes.has(head);
}

/** A derivation about terms that are no variables: few rules can have led to it. */
export function isInversion({ shape, type }: Local): boolean {
  return (
    shape === 'predicate' &&
    partsOf(type)
      .slice(1)
      .some((part) => !isName(part))
  );
}

export function headOf(type: string): string {
  return /^[^\s()[\]{}⟨⟩,]+/.exec(type)?.[0] ?? '';
}

/** The words of a text, to see whether a name occurs in it. */
export function mentions(text: string, name: string): boolean {
  return text.split(/[^\p{L}\p{N}_'!?₀-₉✝]+/u).includes(name);
}
