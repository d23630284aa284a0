import { expect, test } from 'vitest';
import type { Expr } from '../../../src/kernel/expr.ts';
import { answersTo, type ExportWorld, type Pitfall } from '../../helpers/ndjson.ts';

const nat = (w: ExportWorld): Expr => w.c('Nat');
const zero = (w: ExportWorld): Expr => w.c('Nat.zero');
/** `∀ x y : type, x = y`, by `rfl` */
function allEqual(w: ExportWorld, type: Expr, level = w.one): unknown {
  return w.theorem(
    'allEqual',
    w.pi(type, (x) => w.pi(type, (y) => w.eq(type, x, y, level))),
    w.fun(type, (x) => w.fun(type, () => w.refl(type, x, level))),
  );
}
const opaque = (w: ExportWorld, name: string, type: Expr, value: Expr): unknown =>
  w.add({ kind: 'opaque', name: w.name(name), params: [], type, value, height: 0 });
const pitfalls: readonly Pitfall[] = [
  [
    'proofs of a proposition are equal, values of a type are not',
    (w) => allEqual(w, w.c('True'), w.zero),
    (w) => allEqual(w, w.c('Bool')),
  ],
  [
    'values of a unit type are equal, those of a type with an unknown value are not',
    (w) => allEqual(w, w.c('Unit')),
    (w) => {
      w.axiom('A', w.type);
      w.axiom('A.only', w.c('A'));
      return allEqual(w, w.c('A'));
    },
  ],
  [
    'a proposition shows after reduction',
    (w) => {
      w.define('Prop2', w.type, w.prop);
      w.axiom('P', w.c('Prop2'));
      return allEqual(w, w.c('P'), w.zero);
    },
    (w) => {
      opaque(w, 'Prop2', w.type, w.prop);
      w.axiom('P', w.c('Prop2'));
      return allEqual(w, w.c('P'), w.zero);
    },
  ],
  [
    'opaque constants are not unfolded',
    (w) => {
      opaque(w, 'o', nat(w), zero(w));
      return w.theorem('a', w.eq(nat(w), w.c('o'), w.c('o')), w.refl(nat(w), w.c('o')));
    },
    (w) => {
      opaque(w, 'o', nat(w), zero(w));
      return w.theorem('a', w.eq(nat(w), w.c('o'), zero(w)), w.refl(nat(w), zero(w)));
    },
  ],
  [
    'the value of an opaque constant is checked',
    (w) => opaque(w, 'o', w.c('True'), w.c('True.intro')),
    (w) => opaque(w, 'o', w.c('False'), w.c('True.intro')),
  ],
  [
    'the value of a let is checked, also where the body drops it',
    (w) => w.define('a', nat(w), w.terms.let(nat(w), zero(w), zero(w))),
    (w) => w.define('a', nat(w), w.terms.let(w.c('False'), zero(w), zero(w))),
  ],
  [
    'an argument is checked, also where the function drops it',
    (w) =>
      w.define(
        'a',
        nat(w),
        w.app(
          w.fun(nat(w), () => zero(w)),
          zero(w),
        ),
      ),
    (w) =>
      w.define(
        'a',
        nat(w),
        w.app(
          w.fun(w.c('False'), () => zero(w)),
          zero(w),
        ),
      ),
  ],
  [
    'eta for functions: not for other functions',
    (w) =>
      w.theorem(
        'a',
        w.pi(w.arrow(nat(w), nat(w)), (f) =>
          w.eq(
            w.arrow(nat(w), nat(w)),
            w.fun(nat(w), (x) => w.app(f, x)),
            f,
          ),
        ),
        w.fun(w.arrow(nat(w), nat(w)), (f) => w.refl(w.arrow(nat(w), nat(w)), f)),
      ),
    (w) =>
      w.theorem(
        'a',
        w.pi(w.arrow(nat(w), nat(w)), (f) =>
          w.eq(
            w.arrow(nat(w), nat(w)),
            w.fun(nat(w), () => w.app(f, zero(w))),
            f,
          ),
        ),
        w.fun(w.arrow(nat(w), nat(w)), (f) => w.refl(w.arrow(nat(w), nat(w)), f)),
      ),
  ],
  [
    'terms are closed',
    (w) => w.define('a', w.arrow(nat(w), nat(w)), w.terms.lambda(nat(w), w.terms.bound(0))),
    (w) => w.define('a', w.arrow(nat(w), nat(w)), w.terms.lambda(nat(w), w.terms.bound(1))),
  ],
  [
    'a variable beyond 32 bits is no other variable',
    (w) => w.define('a', w.arrow(nat(w), nat(w)), w.terms.lambda(nat(w), w.terms.bound(0))),
    (w) => w.define('a', w.arrow(nat(w), nat(w)), w.terms.lambda(nat(w), w.terms.bound(2 ** 32))),
  ],
];

test.each(pitfalls.map((row) => [row[0], row] as const))('%s', (_what, row) => {
  expect(answersTo(row)).toMatchObject({
    honest: 'accepted',
    forged: row[3] === 'decline' ? 'declined' : 'refused',
  });
});
