/**
 * First-order terms with sorts. A sort is the printed Lean type. An unknown sort matches everything, because Lean checks the
 * result.
 */
export type Term = Variable | Application;

interface Variable {
  readonly variable: number;
  readonly sort: string | undefined;
}

export interface Application {
  readonly head: string;
  readonly args: readonly Term[];
  readonly sort: string | undefined;
}

export type Substitution = ReadonlyMap<number, Term>;
/** The path to a subterm: argument indices from the outside. */
export type TermPosition = readonly number[];

export function isVariable(term: Term): term is Variable {
  return 'variable' in term;
}

export function isSame(first: Term, second: Term): boolean {
  if (first === second) return true;
  if (isVariable(first) || isVariable(second))
    return isVariable(first) && isVariable(second) && first.variable === second.variable;
  return first.head === second.head && allArgs(first, second, isSame);
}

/** Number of symbols and variables. */
export function sizeOf(term: Term): number {
  return isVariable(term) ? 1 : term.args.reduce((sum, one) => sum + sizeOf(one), 1);
}

export function variablesOf(term: Term, found = new Map<number, Term>()): Map<number, Term> {
  if (isVariable(term)) found.set(term.variable, term);
  else for (const one of term.args) variablesOf(one, found);
  return found;
}

export function substitute(term: Term, by: Substitution): Term {
  if (isVariable(term)) return by.get(term.variable) ?? term;
  if (term.args.length === 0) return term;
  const args = term.args.map((one) => substitute(one, by));
  return args.every((one, index) => one === term.args[index]) ? term : { ...term, args };
}

/** Every proper subterm position that is not a variable, outermost first. */
export function* positionsOf(term: Term, at: TermPosition = []): Generator<[TermPosition, Application]> {
  if (isVariable(term)) return;
  yield [at, term];
  for (const [index, one] of term.args.entries()) yield* positionsOf(one, [...at, index]);
}

export function subterm(term: Term, [first, ...rest]: TermPosition): Term {
  if (first === undefined) return term;
  const next = isVariable(term) ? undefined : term.args[first];
  if (!next) throw new Error('no such place in a term');
  return subterm(next, rest);
}

export function replaceAt(term: Term, [first, ...rest]: TermPosition, by: Term): Term {
  if (first === undefined) return by;
  if (isVariable(term)) throw new Error('no such place in a term');
  return { ...term, args: term.args.map((one, index) => (index === first ? replaceAt(one, rest, by) : one)) };
}

/** The values of the pattern's variables for which it equals this term. */
export function match(
  pattern: Term,
  term: Term,
  found = new Map<number, Term>(),
): Map<number, Term> | undefined {
  if (isVariable(pattern)) {
    const known = found.get(pattern.variable);
    if (known) return isSame(known, term) ? found : undefined;
    if (!isFit(pattern, term)) return undefined;
    return found.set(pattern.variable, term);
  }
  if (isVariable(term) || pattern.head !== term.head || pattern.args.length !== term.args.length)
    return undefined;
  return pattern.args.every((one, index) => match(one, argument(term, index), found)) ? found : undefined;
}

/** The most general unifier of two terms without common variables. */
export function unify(first: Term, second: Term): Map<number, Term> | undefined {
  const found = new Map<number, Term>();
  if (!join(first, second, found)) return undefined;
  return new Map([...found.keys()].map((variable) => [variable, resolve(found, variable)] as const));
}

function resolve(found: Substitution, variable: number): Term {
  let term = found.get(variable);
  if (!term) throw new Error('a variable without a value');
  // no cycles: each value was checked when it was bound
  for (;;) {
    const next = substitute(term, found);
    if (next === term) return term;
    term = next;
  }
}

function join(first: Term, second: Term, found: Map<number, Term>): boolean {
  const [one, other] = [walk(first, found), walk(second, found)];
  if (isVariable(one) && isVariable(other) && one.variable === other.variable) return true;
  if (isVariable(one)) return bind(one, other, found);
  if (isVariable(other)) return bind(other, one, found);
  return one.head === other.head && allArgs(one, other, (a, b) => join(a, b, found));
}

function bind(variable: Variable, term: Term, found: Map<number, Term>): boolean {
  if (!isFit(variable, term) || occurs(variable.variable, term, found)) return false;
  found.set(variable.variable, term);
  return true;
}

function walk(term: Term, found: Substitution): Term {
  let at = term;
  while (isVariable(at)) {
    const next = found.get(at.variable);
    if (!next) return at;
    at = next;
  }
  return at;
}

function occurs(variable: number, term: Term, found: Substitution): boolean {
  const at = walk(term, found);
  if (isVariable(at)) return at.variable === variable;
  return at.args.some((one) => occurs(variable, one, found));
}

function isFit({ sort }: Variable, term: Term): boolean {
  return sort === undefined || term.sort === undefined || sort === term.sort;
}

function allArgs(
  first: Application,
  second: Application,
  holds: (one: Term, other: Term) => boolean,
): boolean {
  return (
    first.args.length === second.args.length &&
    first.args.every((one, index) => holds(one, argument(second, index)))
  );
}

function argument({ args }: Application, index: number): Term {
  const found = args[index];
  if (!found) throw new Error('no such argument');
  return found;
}
