import type { Checker } from './checker.ts';
import type { Quotient } from './environment.ts';
import { CONSTANT, PI, type Expr } from './expr.ts';
import { nameText, type KernelName } from './name.ts';
import { kernelRefuses } from './outcome.ts';
import { close, walk } from './substitute.ts';

/** The four constants of quotients, with their types in the theory. */
export function quotientConstants(checker: Checker): Quotient[] {
  const { terms } = checker;
  const { levels, names } = terms;
  const universe = (name: KernelName): Expr => terms.sort(levels.param(name));
  const u = names.of('u');
  const v = names.of('v');
  const arrow = (a: Expr, b: Expr): Expr => terms.pi(a, b);
  const alpha = terms.free(0, universe(u));
  const relation = terms.free(1, arrow(alpha, arrow(alpha, terms.prop)));
  const atU = levels.list([levels.param(u)]);
  const quot = (...args: Expr[]): Expr => terms.applyAll(terms.constant(names.of('Quot'), atU), args);
  const mk = (...args: Expr[]): Expr => terms.applyAll(terms.constant(names.of('Quot', 'mk'), atU), args);
  const a = terms.free(2, alpha);
  const pi = (variables: Parameters<typeof close>[2], e: Expr): Expr => close(terms, PI, variables, e);

  const beta = terms.free(2, universe(v));
  const fn = terms.free(3, arrow(alpha, beta));
  const x = terms.free(4, alpha);
  const y = terms.free(5, alpha);
  const same = terms.applyAll(terms.constant(names.of('Eq'), levels.list([levels.param(v)])), [
    beta,
    terms.apply(fn, x),
    terms.apply(fn, y),
  ]);
  const respects = pi([x, y], arrow(terms.applyAll(relation, [x, y]), same));
  const proof = terms.free(4, respects);

  const motive = terms.free(2, arrow(quot(alpha, relation), terms.prop));
  const element = terms.free(3, alpha);
  const forMk = terms.free(3, pi([element], terms.apply(motive, mk(alpha, relation, element))));
  const any = terms.free(4, quot(alpha, relation));
  const make = (role: Quotient['role'], part: string | null, params: KernelName[], type: Expr): Quotient => ({
    kind: 'quotient',
    name: part === null ? names.of('Quot') : names.of('Quot', part),
    params,
    type,
    role,
  });
  return [
    make('type', null, [u], pi([alpha, relation], universe(u))),
    make('constructor', 'mk', [u], pi([alpha, relation, a], quot(alpha, relation))),
    make('lift', 'lift', [u, v], pi([alpha, relation, beta, fn, proof], arrow(quot(alpha, relation), beta))),
    make('induction', 'ind', [u], pi([alpha, relation, motive, forMk, any], terms.apply(motive, any))),
  ];
}

const wrong = (): never => kernelRefuses('quotients need Eq to be equality');

/** `Quot.lift` mentions equality, so `Eq` must have its standard definition. */
export function requireEquality(checker: Checker): void {
  const { terms, environment } = checker;
  const { levels, names } = terms;
  const eq = environment.get(names.of('Eq'));
  const refl = environment.get(names.of('Eq', 'refl'));
  if (eq.kind !== 'inductive' || refl.kind !== 'constructor') return wrong();
  const [u] = eq.params;
  if (u === undefined || eq.params.length !== 1 || eq.constructors.length !== 1 || refl.inductive !== eq.name)
    return wrong();
  const alpha = terms.free(0, terms.sort(levels.param(u)));
  const a = terms.free(1, alpha);
  const type = close(terms, PI, [alpha], terms.pi(alpha, terms.pi(alpha, terms.prop)));
  const same = terms.applyAll(terms.constant(eq.name, levels.list([levels.param(u)])), [alpha, a, a]);
  if (eq.type !== type || refl.params[0] !== u || refl.type !== close(terms, PI, [alpha, a], same)) wrong();
}

/** The required form of a quotient constant of an export. The constants in its type must be those of quotients, too. */
export function officialQuotient(checker: Checker, name: KernelName): Quotient {
  const all = quotientConstants(checker);
  const found = all.find((one) => one.name === name);
  if (found === undefined) return kernelRefuses(`${nameText(name)} is not a constant of quotients`);
  walk(found.type, (node) => {
    if (node.kind === CONSTANT && all.some((one) => one.name === node.name))
      requireQuotient(checker, node.name);
    return true;
  });
  return found;
}

export function requireQuotient(checker: Checker, name: KernelName): void {
  if (checker.environment.get(name).kind !== 'quotient')
    kernelRefuses(`${nameText(name)} is not a constant of quotients`);
}
