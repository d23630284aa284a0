import { expect, test } from 'vitest';
import type { Expr } from '../../../src/kernel/expr.ts';
import { answersTo, type ExportWorld, type Pitfall } from '../../helpers/ndjson.ts';

const nat = (w: ExportWorld): Expr => w.c('Nat');
const zero = (w: ExportWorld): Expr => w.c('Nat.zero');
const proj = (w: ExportWorld, structure: string, index: number, of: Expr): Expr =>
  w.terms.projection(w.name(structure), index, of);
const exists = (w: ExportWorld): Expr =>
  w.app(
    w.c('Exists', w.one),
    nat(w),
    w.fun(nat(w), () => w.c('True')),
  );
/** A structure in `Sort u`: a proposition for `u = 0`. */
function maybeProp(w: ExportWorld): void {
  w.inductive(
    'M',
    w.pi(w.sort(w.u('u')), () => w.sort(w.u('u'))),
    1,
    {
      'M.mk': w.pi(w.sort(w.u('u')), (a) => w.arrow(a, w.app(w.c('M', w.u('u')), a))),
    },
    ['u'],
  );
}
/** A proposition with a number and a proof about it. */
function mixed(w: ExportWorld): Expr {
  w.inductive('Mixed', w.prop, 0, {
    'Mixed.mk': w.arrow(
      w.c('True'),
      w.pi(nat(w), (n) => w.arrow(w.eq(nat(w), n, n), w.c('True'), w.c('Mixed'))),
    ),
  });
  return w.c('Mixed');
}
const pitfalls: readonly Pitfall[] = [
  [
    'proofs are projected out of propositions, data is not',
    (w) =>
      w.theorem(
        'a',
        w.arrow(w.app(w.c('And'), w.c('True'), w.c('False')), w.c('False')),
        w.fun(w.app(w.c('And'), w.c('True'), w.c('False')), (h) => proj(w, 'And', 1, h)),
      ),
    (w) =>
      w.define(
        'a',
        w.arrow(exists(w), nat(w)),
        w.fun(exists(w), (h) => proj(w, 'Exists', 0, h)),
      ),
  ],
  [
    'nothing is projected past data on which it depends',
    (w) =>
      w.theorem(
        'a',
        w.arrow(mixed(w), w.c('True')),
        w.fun(w.c('Mixed'), (h) => proj(w, 'Mixed', 0, h)),
      ),
    (w) =>
      w.theorem(
        'a',
        w.arrow(mixed(w), w.c('True')),
        w.fun(w.c('Mixed'), (h) => proj(w, 'Mixed', 3, h)),
      ),
  ],
  [
    'projections are out of types with one constructor',
    (w) =>
      w.define(
        'a',
        w.arrow(w.c('Unit'), w.c('Unit')),
        w.fun(w.c('Unit'), (x) => x),
      ),
    (w) =>
      w.define(
        'a',
        w.arrow(nat(w), nat(w)),
        w.fun(nat(w), (x) => proj(w, 'Nat', 0, x)),
      ),
  ],
  [
    'projections are out of types without indices',
    (w) => {
      w.inductive('V', w.arrow(w.type, w.type), 1, {
        'V.mk': w.pi(w.type, (a) => w.arrow(nat(w), w.app(w.c('V'), a))),
      });
      const v = w.app(w.c('V'), nat(w));
      return w.define(
        'a',
        w.arrow(v, nat(w)),
        w.fun(v, (x) => proj(w, 'V', 0, x)),
      );
    },
    (w) => {
      w.inductive('V', w.arrow(nat(w), w.type), 0, { 'V.mk': w.pi(nat(w), (n) => w.app(w.c('V'), n)) });
      const v = w.app(w.c('V'), zero(w));
      return w.define(
        'a',
        w.arrow(v, nat(w)),
        w.fun(v, (x) => proj(w, 'V', 0, x)),
      );
    },
  ],
  [
    'projection indices do not wrap at 32 bits',
    (w) =>
      w.define(
        'a',
        w.arrow(w.app(w.c('Prod'), nat(w), nat(w)), nat(w)),
        w.fun(w.app(w.c('Prod'), nat(w), nat(w)), (p) => proj(w, 'Prod', 1, p)),
      ),
    (w) =>
      w.define(
        'a',
        w.arrow(w.app(w.c('Prod'), nat(w), nat(w)), nat(w)),
        w.fun(w.app(w.c('Prod'), nat(w), nat(w)), (p) => proj(w, 'Prod', 2 ** 32, p)),
      ),
  ],
  [
    'a projection names the type of the value',
    (w) =>
      w.define(
        'a',
        w.arrow(w.app(w.c('Prod'), nat(w), nat(w)), nat(w)),
        w.fun(w.app(w.c('Prod'), nat(w), nat(w)), (p) => proj(w, 'Prod', 0, p)),
      ),
    (w) => {
      w.inductive('Pair', w.type, 0, { 'Pair.mk': w.arrow(nat(w), nat(w), w.c('Pair')) });
      const pair = w.app(w.c('Prod'), nat(w), nat(w));
      return w.define(
        'a',
        w.arrow(pair, nat(w)),
        w.fun(pair, (p) => proj(w, 'Pair', 0, p)),
      );
    },
  ],
  [
    'what may be a proposition has no projections',
    (w) => {
      maybeProp(w);
      const m = w.app(w.c('M', w.one), nat(w));
      return w.define(
        'a',
        w.arrow(m, nat(w)),
        w.fun(m, (x) => proj(w, 'M', 0, x)),
      );
    },
    (w) => {
      maybeProp(w);
      const u = w.u('u');
      const m = (a: Expr): Expr => w.app(w.c('M', u), a);
      return w.define(
        'a',
        w.pi(w.sort(u), (a) => w.arrow(m(a), a)),
        w.fun(w.sort(u), (a) => w.fun(m(a), (x) => proj(w, 'M', 0, x))),
        ['u'],
      );
    },
  ],
  [
    'the value of a projection is checked',
    (w) =>
      w.theorem(
        'a',
        w.c('True'),
        proj(
          w,
          'And',
          0,
          w.app(w.c('And.intro'), w.c('True'), w.c('True'), w.c('True.intro'), w.c('True.intro')),
        ),
      ),
    (w) =>
      w.theorem(
        'a',
        w.c('False'),
        proj(
          w,
          'And',
          0,
          w.app(w.c('And.intro'), w.c('False'), w.c('True'), w.c('True.intro'), w.c('True.intro')),
        ),
      ),
  ],
];

test.each(pitfalls.map((row) => [row[0], row] as const))('%s', (_what, row) => {
  expect(answersTo(row)).toMatchObject({
    honest: 'accepted',
    forged: row[3] === 'decline' ? 'declined' : 'refused',
  });
});
