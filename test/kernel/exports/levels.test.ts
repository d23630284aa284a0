import { expect, test } from 'vitest';
import type { Expr } from '../../../src/kernel/expr.ts';
import { answersTo, type ExportWorld, type Pitfall } from '../../helpers/ndjson.ts';

const succ = (w: ExportWorld, level = w.zero) => w.terms.levels.succ(level);
const imax = (w: ExportWorld, a: string, b: string) => w.terms.levels.imax(w.u(a), w.u(b));
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
const pitfalls: readonly Pitfall[] = [
  [
    'imax u v + 1 is not at most imax u v',
    (w) => w.define('a', w.sort(succ(w, imax(w, 'u', 'v'))), w.sort(imax(w, 'u', 'v')), ['u', 'v']),
    (w) => w.define('a', w.sort(imax(w, 'u', 'v')), w.sort(imax(w, 'u', 'v')), ['u', 'v']),
  ],
  [
    'imax v u is not imax u v',
    (w) => w.define('a', w.sort(succ(w, imax(w, 'u', 'v'))), w.sort(imax(w, 'u', 'v')), ['u', 'v']),
    (w) => w.define('a', w.sort(succ(w, imax(w, 'v', 'u'))), w.sort(imax(w, 'u', 'v')), ['u', 'v']),
  ],
  [
    'a sort such as imax 1 0 is Prop, imax 0 1 is not',
    (w) => {
      w.axiom('P', w.sort(w.terms.levels.imax(w.one, w.zero)));
      return allEqual(w, w.c('P'), w.zero);
    },
    (w) => {
      w.axiom('P', w.sort(w.terms.levels.imax(w.zero, w.one)));
      return allEqual(w, w.c('P'));
    },
  ],
  [
    'a level at 0 is not the level',
    (w) =>
      w.define(
        'a',
        w.pi(w.prop, (t) => w.arrow(t, t, w.prop)),
        w.c('Eq', w.zero),
      ),
    (w) =>
      w.define(
        'a',
        w.pi(w.sort(w.u('u')), (t) => w.arrow(t, t, w.prop)),
        w.c('Eq', w.zero),
        ['u'],
      ),
  ],
  [
    'constants take as many levels as they declare',
    (w) => w.axiom('a', w.eq(nat(w), zero(w), zero(w))),
    (w) => w.axiom('a', w.app(w.c('Eq', w.one, w.one), nat(w), zero(w), zero(w))),
  ],
  [
    'universe parameters are declared once: definitions',
    (w) => w.define('a', w.sort(succ(w, w.u('u'))), w.sort(w.u('u')), ['u']),
    (w) => w.define('a', w.sort(succ(w, w.u('u'))), w.sort(w.u('u')), ['u', 'u']),
  ],
  [
    'universe parameters are declared once: types',
    (w) => w.inductive('T', w.sort(succ(w, w.u('u'))), 0, {}, ['u', 'v']),
    (w) => w.inductive('T', w.sort(succ(w, w.u('u'))), 0, {}, ['u', 'u']),
  ],
  [
    'universe parameters are declared: values',
    (w) => w.define('a', w.type, w.prop, ['u']),
    (w) =>
      w.define(
        'a',
        w.sort(succ(w, w.one)),
        w.app(
          w.fun(w.sort(succ(w, succ(w, w.u('u')))), () => w.type),
          w.sort(succ(w, w.u('u'))),
        ),
      ),
  ],
  [
    'the type of a theorem is a proposition',
    (w) => w.define('a', nat(w), zero(w)),
    (w) => w.theorem('a', nat(w), zero(w)),
  ],
  [
    'a theorem at imax 1 0',
    (w) =>
      w.theorem(
        'a',
        w.pi(w.type, () => w.c('True')),
        w.fun(w.type, () => w.c('True.intro')),
      ),
    (w) =>
      w.theorem(
        'a',
        w.pi(w.c('True'), () => nat(w)),
        w.fun(w.c('True'), () => zero(w)),
      ),
  ],
];

test.each(pitfalls.map((row) => [row[0], row] as const))('%s', (_what, row) => {
  expect(answersTo(row)).toMatchObject({
    honest: 'accepted',
    forged: row[3] === 'decline' ? 'declined' : 'refused',
  });
});
