import { expect, test } from 'vitest';
import type { Expr } from '../../../src/kernel/expr.ts';
import type { Level } from '../../../src/kernel/level.ts';
import { answersTo, type ExportWorld, type Pitfall } from '../../helpers/ndjson.ts';

const nat = (w: ExportWorld): Expr => w.c('Nat');
const zero = (w: ExportWorld): Expr => w.c('Nat.zero');
const number = (w: ExportWorld, value: bigint | number): Expr => w.terms.number(BigInt(value));
const same = (w: ExportWorld, a: Expr, b: Expr, type = nat(w)): unknown =>
  w.theorem('a', w.eq(type, a, b), w.refl(type, b));
const call = (w: ExportWorld, name: string, ...args: (bigint | number)[]): Expr =>
  w.app(w.c(`Nat.${name}`), ...args.map((arg) => number(w, arg)));

/** `Sort a : Sort b`, where `b` should be `a + 1`. */
function universe(w: ExportWorld, a: Level, b: Level): unknown {
  return w.define('a', w.sort(b), w.sort(a), ['u', 'v', 'w']);
}
const imax = (w: ExportWorld, a: Level, b: Level): Level => w.terms.levels.imax(a, b);
const max = (w: ExportWorld, a: Level, b: Level): Level => w.terms.levels.max(a, b);
const succ = (w: ExportWorld, a: Level): Level => w.terms.levels.succ(a);
const [u, v, x] = ['u', 'v', 'w'].map((name) => (w: ExportWorld) => w.u(name)) as [
  (w: ExportWorld) => Level,
  (w: ExportWorld) => Level,
  (w: ExportWorld) => Level,
];

/** A function by recursion on its last argument. */
function recursive(
  w: ExportWorld,
  start: Expr,
  step: (before: Expr, result: Expr) => Expr,
  of: Expr,
  result: Expr,
): Expr {
  return w.app(
    w.c('Nat.rec', w.one),
    w.fun(nat(w), () => result),
    start,
    w.fun(nat(w), (before) => w.fun(result, (value) => step(before, value))),
    of,
  );
}

/** `Nat.pred` and `Nat.sub`, as usual or with a predecessor that says `pred 0 = 1`. */
function subtraction(w: ExportWorld, ofZero: Expr): void {
  w.define(
    'Nat.pred',
    w.arrow(nat(w), nat(w)),
    w.fun(nat(w), (n) => recursive(w, ofZero, (before) => before, n, nat(w))),
  );
  w.define(
    'Nat.sub',
    w.arrow(nat(w), nat(w), nat(w)),
    w.fun(nat(w), (a) =>
      w.fun(nat(w), (b) => recursive(w, a, (_, value) => w.app(w.c('Nat.pred'), value), b, nat(w))),
    ),
  );
}

/** `Nat.ble`, as usual or as `<`. */
function comparison(w: ExportWorld, ofZeros: Expr): void {
  const bool = w.c('Bool');
  const toBool = w.arrow(nat(w), bool);
  const no = w.fun(nat(w), (b) => recursive(w, ofZeros, () => w.c('Bool.true'), b, bool));
  w.define(
    'Nat.ble',
    w.arrow(nat(w), nat(w), bool),
    w.fun(nat(w), (a) =>
      recursive(
        w,
        no,
        (_, below) =>
          w.fun(nat(w), (b) => recursive(w, w.c('Bool.false'), (before) => w.app(below, before), b, bool)),
        a,
        toBool,
      ),
    ),
  );
}

/** The declarations behind text literals. */
function texts(w: ExportWorld): void {
  const chars = w.app(w.c('List', w.zero), w.c('Char'));
  w.inductive('Char', w.type, 0, { 'Char.ofNat': w.arrow(nat(w), w.c('Char')) });
  w.inductive('String', w.type, 0, { 'String.ofList': w.arrow(chars, w.c('String')) });
}
const spelled = (w: ExportWorld, points: readonly number[]): Expr =>
  w.app(
    w.c('String.ofList'),
    points.reduceRight<Expr>(
      (rest, point) =>
        w.app(w.c('List.cons', w.zero), w.c('Char'), w.app(w.c('Char.ofNat'), number(w, point)), rest),
      w.app(w.c('List.nil', w.zero), w.c('Char')),
    ),
  );
const text = (w: ExportWorld, value: string, points: readonly number[]): unknown => (
  texts(w),
  same(w, w.terms.text(value), spelled(w, points), w.c('String'))
);

const pitfalls: readonly Pitfall[] = [
  [
    'imax distributes over max on its right, not on its left',
    (w) =>
      universe(
        w,
        imax(w, u(w), max(w, v(w), x(w))),
        succ(w, max(w, imax(w, u(w), v(w)), imax(w, u(w), x(w)))),
      ),
    (w) => universe(w, imax(w, max(w, u(w), v(w)), x(w)), succ(w, max(w, max(w, u(w), v(w)), x(w)))),
  ],
  [
    'imax associates to the right only',
    (w) =>
      universe(
        w,
        imax(w, u(w), imax(w, v(w), x(w))),
        succ(w, max(w, imax(w, u(w), x(w)), imax(w, v(w), x(w)))),
      ),
    (w) => universe(w, imax(w, imax(w, u(w), v(w)), x(w)), succ(w, imax(w, u(w), imax(w, v(w), x(w))))),
  ],
  [
    'a successor inside imax is not one outside',
    (w) => universe(w, imax(w, u(w), succ(w, v(w))), succ(w, max(w, u(w), succ(w, v(w))))),
    (w) => universe(w, imax(w, succ(w, u(w)), v(w)), succ(w, succ(w, imax(w, u(w), v(w))))),
  ],
  [
    'a level does not absorb one that is larger only at 0',
    (w) => universe(w, max(w, w.one, succ(w, u(w))), succ(w, succ(w, u(w)))),
    (w) => universe(w, max(w, w.one, u(w)), succ(w, u(w))),
  ],
  [
    'functions into data live where their arguments live',
    (w) => w.define('a', w.sort(succ(w, w.one)), w.arrow(w.type, nat(w))),
    (w) => w.define('a', w.type, w.arrow(w.type, nat(w))),
  ],
  [
    'the product over a universe is above it',
    (w) =>
      w.define(
        'a',
        w.sort(imax(w, succ(w, u(w)), u(w))),
        w.pi(w.sort(u(w)), (a) => a),
        ['u'],
      ),
    (w) =>
      w.define(
        'a',
        w.sort(u(w)),
        w.pi(w.sort(u(w)), (a) => a),
        ['u'],
      ),
  ],
  [
    'a definition is used at the levels that it is given',
    (w) => (
      w.define('up', w.sort(succ(w, succ(w, u(w)))), w.sort(succ(w, u(w))), ['u']),
      w.define('a', w.c('up', w.one), w.type)
    ),
    (w) => (
      w.define('up', w.sort(succ(w, succ(w, u(w)))), w.sort(succ(w, u(w))), ['u']),
      w.define('a', w.c('up', w.zero), w.type)
    ),
  ],
  [
    'subtraction stops at 0',
    (w) => (subtraction(w, zero(w)), same(w, call(w, 'sub', 3, 5), number(w, 0))),
    (w) => (subtraction(w, zero(w)), same(w, call(w, 'sub', 3, 5), number(w, 2))),
  ],
  [
    'a lied predecessor makes another subtraction',
    (w) => (subtraction(w, w.app(w.c('Nat.succ'), zero(w))), same(w, call(w, 'sub', 1, 2), number(w, 1))),
    (w) => (subtraction(w, w.app(w.c('Nat.succ'), zero(w))), same(w, call(w, 'sub', 1, 2), number(w, 0))),
  ],
  [
    'a number is at most itself',
    (w) => (
      comparison(w, w.c('Bool.true')),
      same(w, call(w, 'ble', 2n ** 70n, 2n ** 70n), w.c('Bool.true'), w.c('Bool'))
    ),
    (w) => (
      comparison(w, w.c('Bool.true')),
      same(w, call(w, 'ble', 2n ** 70n, 2n ** 70n - 1n), w.c('Bool.true'), w.c('Bool'))
    ),
  ],
  [
    'a comparison that says < is computed as it is defined',
    (w) => (comparison(w, w.c('Bool.false')), same(w, call(w, 'ble', 3, 3), w.c('Bool.false'), w.c('Bool'))),
    (w) => (comparison(w, w.c('Bool.false')), same(w, call(w, 'ble', 3, 3), w.c('Bool.true'), w.c('Bool'))),
  ],
  [
    'a number beyond 53 bits is not its neighbour',
    (w) => same(w, number(w, 2n ** 53n + 1n), w.app(w.c('Nat.succ'), number(w, 2n ** 53n))),
    (w) => same(w, number(w, 2n ** 53n + 1n), number(w, 2n ** 53n)),
  ],
  [
    'a number is no proof',
    (w) => w.define('a', nat(w), number(w, 0)),
    (w) => w.theorem('a', w.c('False'), number(w, 0)),
  ],
  [
    'a text has characters, not units of 16 bits',
    (w) => text(w, '💡', [0x1f4a1]),
    (w) => text(w, '💡', [0xd83d, 0xdca1]),
  ],
  ['a text is not normalised', (w) => text(w, 'e\u0301', [0x65, 0x301]), (w) => text(w, 'e\u0301', [0xe9])],
  ['a text keeps its NUL characters', (w) => text(w, 'a\0b', [97, 0, 98]), (w) => text(w, 'a\0b', [97])],
  [
    'names that look alike differ',
    (w) => (w.axiom('ａ', w.c('True')), w.theorem('a', w.c('True'), w.c('ａ'))),
    (w) => (w.theorem('a', w.c('True'), w.c('True.intro')), w.theorem('b', w.c('True'), w.c('а'))),
  ],
];

test.each(pitfalls.map((row) => [row[0], row] as const))('%s', (_what, row) => {
  expect(answersTo(row)).toMatchObject({ honest: 'accepted', forged: 'refused' });
});
