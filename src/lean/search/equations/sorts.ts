import { isVariable, type Term } from './term.ts';

type Sides = readonly [Term, Term];

/** A head with values of several types has no reliable sort. */
const several = Symbol('several');
type Known = Map<string, string | typeof several>;

/**
 * Infers the sorts of all terms from those of variables and locals: both sides of an equation share a sort, and each argument
 * position of an operation has one.
 */
export function withSorts(equations: readonly Sides[], locals: ReadonlyMap<string, string>): Sides[] {
  const known: Known = new Map();
  for (const [name, type] of locals) {
    // the argument and result sorts of a local function are in its type
    const sorts = /[∀(]/.test(type) ? [] : type.split(' → ');
    for (const [index, sort] of sorts.entries())
      known.set(index === sorts.length - 1 ? name : `${name} ${index}`, sort);
  }
  for (let size = -1; size !== known.size;) {
    ({ size } = known);
    for (const [left, right] of equations) {
      learn(left, right, known);
      learn(right, left, known);
      for (const side of [left, right]) learnArguments(side, known);
    }
  }
  const sorted = (term: Term): Term =>
    isVariable(term) ? term : { ...term, args: term.args.map(sorted), sort: sortIn(term, known) };
  return equations.map(([left, right]) => [sorted(left), sorted(right)]);
}

function learn(from: Term, about: Term, known: Known): void {
  if (!isVariable(about)) note(about.head, sortIn(from, known), known);
}

function learnArguments(term: Term, known: Known): void {
  if (isVariable(term)) return;
  for (const [index, one] of term.args.entries()) {
    const place = `${term.head} ${index}`;
    note(place, sortIn(one, known), known);
    const wanted = known.get(place);
    if (!isVariable(one) && typeof wanted === 'string') note(one.head, wanted, known);
    learnArguments(one, known);
  }
}

function note(key: string, sort: string | undefined, known: Known): void {
  if (sort === undefined) return;
  const before = known.get(key);
  if (before === undefined) known.set(key, sort);
  else if (before !== sort) known.set(key, several);
}

function sortIn(term: Term, known: Known): string | undefined {
  const found = isVariable(term) ? term.sort : known.get(term.head);
  return typeof found === 'string' ? found : undefined;
}
