import { expect, test } from 'vitest';
import type { Expr } from '../../src/kernel/expr.ts';
import type { KernelOutcome } from '../../src/kernel/outcome.ts';
import { World } from '../helpers/kernel.ts';

/** One rule of the calculus each, with a case that it allows and one that it forbids. */
const rules: readonly [
  rule: string,
  allowed: (w: World) => KernelOutcome,
  forbidden: (w: World) => KernelOutcome,
][] = [
  [
    'the value has the declared type',
    (w) => w.define('a', w.sort(w.one), w.prop),
    (w) => w.define('a', w.prop, w.sort(w.one)),
  ],
  ['a type is a type', (w) => w.axiom('a', w.c('Nat')), (w) => w.axiom('a', w.c('Nat.zero'))],
  [
    'the type of a theorem is a proposition',
    (w) => w.theorem('a', w.c('True'), w.c('True.intro')),
    (w) => w.theorem('a', w.c('Nat'), w.c('Nat.zero')),
  ],
  [
    'universe parameters are declared',
    (w) => w.axiom('a', w.sort(w.u('u')), ['u']),
    (w) => w.axiom('a', w.sort(w.u('u')), ['v']),
  ],
  [
    'universe parameters are declared once',
    (w) => w.axiom('a', w.prop, ['u', 'v']),
    (w) => w.axiom('a', w.prop, ['u', 'u']),
  ],
  [
    'constants take as many levels as they declare',
    (w) =>
      w.theorem('a', w.eq(w.c('Nat'), w.c('Nat.zero'), w.c('Nat.zero')), w.refl(w.c('Nat'), w.c('Nat.zero'))),
    (w) => w.axiom('a', w.app(w.c('Eq'), w.c('Nat'), w.c('Nat.zero'), w.c('Nat.zero'))),
  ],
  ['constants exist', (w) => w.axiom('a', w.c('Nat')), (w) => w.axiom('a', w.c('Missing'))],
  ['names are declared once', (w) => w.axiom('fresh', w.prop), (w) => w.axiom('Nat.rec', w.prop)],
  [
    'definitions do not mention themselves',
    (w) => w.define('a', w.c('Nat'), w.c('Nat.zero')),
    (w) => w.define('a', w.c('Nat'), w.c('a')),
  ],
  [
    'arguments have the type of the domain',
    (w) => w.define('a', w.c('Nat'), w.app(w.c('Nat.succ'), w.c('Nat.zero'))),
    (w) => w.define('a', w.c('Nat'), w.app(w.c('Nat.succ'), w.c('Bool.true'))),
  ],
  [
    'only functions are applied',
    (w) =>
      w.define(
        'a',
        w.c('Nat'),
        w.app(
          w.fun(w.c('Nat'), (x) => x),
          w.c('Nat.zero'),
        ),
      ),
    (w) => w.define('a', w.c('Nat'), w.app(w.c('Nat.zero'), w.c('Nat.zero'))),
  ],
  [
    'binders range over types',
    (w) =>
      w.define(
        'a',
        w.arrow(w.c('Nat'), w.c('Nat')),
        w.fun(w.c('Nat'), (x) => x),
      ),
    (w) =>
      w.define(
        'a',
        w.arrow(w.c('Nat'), w.c('Nat')),
        w.fun(w.c('Nat.zero'), (x) => x),
      ),
  ],
  [
    'functions into propositions are propositions',
    (w) =>
      w.axiom(
        'a',
        w.app(
          w.c('And'),
          w.pi(w.type, () => w.c('True')),
          w.c('True'),
        ),
      ),
    (w) =>
      w.axiom(
        'a',
        w.app(
          w.c('And'),
          w.pi(w.type, () => w.c('Nat')),
          w.c('True'),
        ),
      ),
  ],
  [
    'let: the value has the declared type',
    (w) => w.define('a', w.c('Nat'), w.terms.let(w.c('Nat'), w.c('Nat.zero'), w.terms.bound(0))),
    (w) => w.define('a', w.c('Nat'), w.terms.let(w.c('Nat'), w.c('Bool.true'), w.c('Nat.zero'))),
  ],
  [
    'terms are closed',
    (w) => w.define('a', w.arrow(w.c('Nat'), w.c('Nat')), w.terms.lambda(w.c('Nat'), w.terms.bound(0))),
    (w) => w.define('a', w.c('Nat'), w.terms.bound(0)),
  ],
  [
    'proofs of one proposition are equal, values of one type are not',
    (w) => w.theorem('a', sameTwo(w, w.prop), proofOfSame(w, w.prop, w.zero)),
    (w) => w.theorem('a', sameTwo(w, w.type, w.one), proofOfSame(w, w.type, w.one)),
  ],
  [
    'a type that reduces to Prop is Prop',
    (w) => {
      w.define('Same', w.sort(w.one), w.prop);
      return w.theorem('a', sameTwo(w, w.c('Same')), proofOfSame(w, w.c('Same'), w.zero));
    },
    (w) => {
      w.axiom('Opaque', w.sort(w.one));
      return w.theorem('a', sameTwo(w, w.c('Opaque')), proofOfSame(w, w.c('Opaque'), w.zero));
    },
  ],
  [
    'eta for functions',
    (w) => etaFunction(w, (f, x) => w.app(f, x)),
    (w) => etaFunction(w, (f, x) => w.app(f, w.app(f, x))),
  ],
  ['eta for structures', (w) => etaPair(w, 0, 1), (w) => etaPair(w, 0, 0)],
  [
    'eta for structures: not for one that recurses through another type',
    (w) => etaInBlock(w, 'Nat'),
    (w) => etaInBlock(w, 'R'),
  ],
  [
    'a recursor takes one step on a number, however large',
    (w) => predecessor(w, 10n ** 300n, 10n ** 300n - 1n),
    (w) => predecessor(w, 10n ** 300n, 10n ** 300n),
  ],
  [
    'values of a structure without fields are equal',
    (w) => w.theorem('a', equalPair(w, w.c('Unit')), reflPair(w, w.c('Unit'))),
    (w) => w.theorem('a', equalPair(w, w.c('Bool')), reflPair(w, w.c('Bool'))),
  ],
  [
    'projections exist',
    (w) =>
      w.define(
        'a',
        w.arrow(pair(w), w.c('Nat')),
        w.fun(pair(w), (p) => w.terms.projection(w.name('Prod'), 1, p)),
      ),
    (w) =>
      w.define(
        'a',
        w.arrow(pair(w), w.c('Nat')),
        w.fun(pair(w), (p) => w.terms.projection(w.name('Prod'), 2, p)),
      ),
  ],
  [
    'projections name the type of the value',
    (w) =>
      w.define(
        'a',
        w.arrow(pair(w), w.c('Nat')),
        w.fun(pair(w), (p) => w.terms.projection(w.name('Prod'), 0, p)),
      ),
    (w) =>
      w.define(
        'a',
        w.arrow(pair(w), w.c('Nat')),
        w.fun(pair(w), (p) => w.terms.projection(w.name('And'), 0, p)),
      ),
  ],
  [
    'projections are out of structures',
    (w) =>
      w.define(
        'a',
        w.arrow(pair(w), w.c('Nat')),
        w.fun(pair(w), (p) => w.terms.projection(w.name('Prod'), 0, p)),
      ),
    (w) =>
      w.define(
        'a',
        w.arrow(w.c('Nat'), w.c('Nat')),
        w.fun(w.c('Nat'), (n) => w.terms.projection(w.name('Nat'), 0, n)),
      ),
  ],
  [
    'proofs can be projected out of propositions, data cannot',
    (w) => {
      const and = w.app(w.c('And'), w.c('True'), w.c('False'));
      return w.theorem(
        'a',
        w.arrow(and, w.c('False')),
        w.fun(and, (h) => w.terms.projection(w.name('And'), 1, h)),
      );
    },
    (w) => {
      const exists = w.app(
        w.c('Exists', w.one),
        w.c('Nat'),
        w.fun(w.c('Nat'), () => w.c('True')),
      );
      return w.define(
        'a',
        w.arrow(exists, w.c('Nat')),
        w.fun(exists, (h) => w.terms.projection(w.name('Exists'), 0, h)),
      );
    },
  ],
  [
    'recursors compute on constructors',
    (w) => recursor(w, w.c('Bool.true'), w.c('Nat.zero')),
    (w) => recursor(w, w.c('Bool.false'), w.c('Nat.zero')),
  ],
  [
    'K: a proof counts as the constructor only if its type fits',
    (w) => ruleK(w, w.c('Bool.true')),
    (w) => ruleK(w, w.c('Bool.false')),
  ],
  [
    'large elimination: out of propositions without data only',
    (w) =>
      w.define(
        'a',
        w.arrow(w.c('False'), w.c('Nat')),
        w.fun(w.c('False'), (h) =>
          w.app(
            w.c('False.rec', w.one),
            w.fun(w.c('False'), () => w.c('Nat')),
            h,
          ),
        ),
      ),
    (w) => {
      const exists = w.app(
        w.c('Exists', w.one),
        w.c('Nat'),
        w.fun(w.c('Nat'), () => w.c('True')),
      );
      return w.define('a', w.prop, w.app(w.c('Exists.rec', w.one, w.one), exists));
    },
  ],
];

const pair = (w: World) => w.app(w.c('Prod'), w.c('Nat'), w.c('Nat'));

function sameTwo(w: World, sort: Expr, level = w.zero) {
  return w.pi(sort, (p) => w.pi(p, (x) => w.pi(p, (y) => w.eq(p, x, y, level))));
}
function proofOfSame(w: World, sort: Expr, level = w.zero) {
  return w.fun(sort, (p) => w.fun(p, (x) => w.fun(p, () => w.refl(p, x, level))));
}
function equalPair(w: World, type: Expr) {
  return w.pi(type, (x) => w.pi(type, (y) => w.eq(type, x, y)));
}
function reflPair(w: World, type: Expr) {
  return w.fun(type, (x) => w.fun(type, () => w.refl(type, x)));
}
function etaFunction(w: World, body: (f: Expr, x: Expr) => Expr) {
  const nat = w.c('Nat');
  const fn = w.arrow(nat, nat);
  return w.theorem(
    'a',
    w.pi(fn, (f) =>
      w.eq(
        fn,
        w.fun(nat, (x) => body(f, x)),
        f,
      ),
    ),
    w.fun(fn, (f) => w.refl(fn, f)),
  );
}
/** `x = S.mk x.0 x.1` for a structure with fields of types `Nat` and `second`; `R` is declared together with it. */
function etaInBlock(w: World, second: string): KernelOutcome {
  const s = w.c('S');
  w.block(0, {
    S: { type: w.type, constructors: { 'S.mk': w.arrow(w.c('Nat'), w.c(second), s) } },
    R: { type: w.type, constructors: { 'R.mk': w.arrow(w.c(second === 'R' ? 'S' : 'Nat'), w.c('R')) } },
  });
  const field = (index: number, x: Expr): Expr => w.terms.projection(w.name('S'), index, x);
  return w.theorem(
    'a',
    w.pi(s, (x) => w.eq(s, x, w.app(w.c('S.mk'), field(0, x), field(1, x)))),
    w.fun(s, (x) => w.refl(s, x)),
  );
}

/** `Nat.rec 0 (fun n _ => n) of = is` */
function predecessor(w: World, of: bigint, is: bigint): KernelOutcome {
  const nat = w.c('Nat');
  const step = w.fun(nat, (n) => w.fun(nat, () => n));
  const before = w.app(
    w.c('Nat.rec', w.one),
    w.fun(nat, () => nat),
    w.c('Nat.zero'),
    step,
    w.terms.number(of),
  );
  return w.theorem('a', w.eq(nat, before, w.terms.number(is)), w.refl(nat, before));
}

function etaPair(w: World, first: number, second: number) {
  const type = pair(w);
  const field = (p: Expr, i: number) => w.terms.projection(w.name('Prod'), i, p);
  return w.theorem(
    'a',
    w.pi(type, (p) =>
      w.eq(type, w.app(w.c('Prod.mk'), w.c('Nat'), w.c('Nat'), field(p, first), field(p, second)), p),
    ),
    w.fun(type, (p) => w.refl(type, p)),
  );
}
function recursor(w: World, value: Expr, expected: Expr) {
  const nat = w.c('Nat');
  const one = w.app(w.c('Nat.succ'), w.c('Nat.zero'));
  const computed = w.app(
    w.c('Bool.rec', w.one),
    w.fun(w.c('Bool'), () => nat),
    one,
    w.c('Nat.zero'),
    value,
  );
  return w.theorem('a', w.eq(nat, computed, expected), w.refl(nat, expected));
}
function ruleK(w: World, right: Expr) {
  const bool = w.c('Bool');
  const yes = w.c('Bool.true');
  const motive = w.fun(bool, (b) => w.fun(w.eq(bool, yes, b), () => bool));
  return w.theorem(
    'a',
    w.pi(w.eq(bool, yes, right), (h) =>
      w.pi(bool, (x) => w.eq(bool, w.app(w.c('Eq.rec', w.one, w.one), bool, yes, motive, x, right, h), x)),
    ),
    w.fun(w.eq(bool, yes, right), () => w.fun(bool, (x) => w.refl(bool, x))),
  );
}

test.each(rules)('%s', (_rule, allowed, forbidden) => {
  expect(allowed(new World().withBasics())).toEqual({ answer: 'accept' });
  expect(forbidden(new World().withBasics())).toMatchObject({ answer: 'refuse' });
});

test('a refused declaration leaves nothing behind', () => {
  const w = new World().withBasics();
  expect(w.define('a', w.prop, w.type).answer).toBe('refuse');
  expect(w.define('a', w.sort(w.one), w.prop).answer).toBe('accept');
});
