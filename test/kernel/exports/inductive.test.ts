import { expect, test } from 'vitest';
import type { Expr } from '../../../src/kernel/expr.ts';
import { answersTo, type ExportWorld, type Pitfall } from '../../helpers/ndjson.ts';

const nat = (w: ExportWorld): Expr => w.c('Nat');
const list = (w: ExportWorld, of: Expr): Expr => w.app(w.c('List', w.zero), of);
const numbers = (w: ExportWorld): unknown =>
  w.inductive('N', w.type, 0, { 'N.zero': w.c('N'), 'N.succ': w.arrow(w.c('N'), w.c('N')) });
const parity = (w: ExportWorld): unknown =>
  w.block(0, {
    Even: {
      type: w.type,
      constructors: { 'Even.zero': w.c('Even'), 'Even.next': w.arrow(w.c('Odd'), w.c('Even')) },
    },
    Odd: { type: w.type, constructors: { 'Odd.next': w.arrow(w.c('Even'), w.c('Odd')) } },
  });
/** `def same (a : Type) := a` and `def first (a b : Type) := a` */
function abbreviations(w: ExportWorld): void {
  w.define(
    'same',
    w.arrow(w.type, w.type),
    w.fun(w.type, (a) => a),
  );
  w.define(
    'first',
    w.arrow(w.type, w.type, w.type),
    w.fun(w.type, (a) => w.fun(w.type, () => a)),
  );
}
function box(w: ExportWorld, name: string, field: (a: Expr) => Expr): void {
  w.inductive(name, w.arrow(w.type, w.type), 1, {
    [`${name}.mk`]: w.pi(w.type, (a) => w.arrow(field(a), w.app(w.c(name), a))),
  });
}
const pitfalls: readonly Pitfall[] = [
  [
    'positivity: to the left of an arrow',
    (w) => w.inductive('T', w.type, 0, { 'T.mk': w.arrow(w.arrow(nat(w), w.c('T')), w.c('T')) }),
    (w) => w.inductive('T', w.type, 0, { 'T.mk': w.arrow(w.arrow(w.c('T'), nat(w)), w.c('T')) }),
  ],
  [
    'positivity: twice to the left',
    (w) => w.inductive('T', w.type, 0, { 'T.mk': w.arrow(w.arrow(nat(w), nat(w), w.c('T')), w.c('T')) }),
    (w) =>
      w.inductive('T', w.type, 0, { 'T.mk': w.arrow(w.arrow(w.arrow(w.c('T'), nat(w)), nat(w)), w.c('T')) }),
  ],
  [
    'positivity: through a nested type',
    (w) => (
      box(w, 'Box', (a) => w.arrow(nat(w), a)),
      w.inductive('T', w.type, 0, { 'T.mk': w.arrow(w.app(w.c('Box'), w.c('T')), w.c('T')) })
    ),
    (w) => (
      box(w, 'Box', (a) => w.arrow(a, nat(w))),
      w.inductive('T', w.type, 0, { 'T.mk': w.arrow(w.app(w.c('Box'), w.c('T')), w.c('T')) })
    ),
  ],
  [
    'positivity: through a definition',
    (w) => (
      abbreviations(w),
      w.inductive('T', w.type, 0, { 'T.mk': w.arrow(w.app(w.c('same'), w.c('T')), w.c('T')) })
    ),
    (w) => (
      w.define(
        'negative',
        w.arrow(w.type, w.type),
        w.fun(w.type, (a) => w.arrow(a, nat(w))),
      ),
      w.inductive('T', w.type, 0, { 'T.mk': w.arrow(w.app(w.c('negative'), w.c('T')), w.c('T')) })
    ),
  ],
  [
    'positivity: through a mutual type',
    parity,
    (w) =>
      w.block(0, {
        A: { type: w.type, constructors: { 'A.mk': w.arrow(w.arrow(w.c('B'), nat(w)), w.c('A')) } },
        B: { type: w.type, constructors: { 'B.mk': w.arrow(w.c('A'), w.c('B')) } },
      }),
  ],
  [
    'a type does not stand in its own index',
    (w) =>
      w.inductive('T', w.arrow(nat(w), w.type), 0, {
        'T.mk': w.pi(nat(w), (n) => w.arrow(w.app(w.c('T'), n), w.app(w.c('T'), w.app(w.c('Nat.succ'), n)))),
      }),
    (w) => w.inductive('T', w.arrow(w.type, w.type), 0, { 'T.mk': w.app(w.c('T'), w.app(w.c('T'), nat(w))) }),
  ],
  [
    'fields live in the universe of the type',
    (w) => w.inductive('T', w.sort(w.terms.levels.succ(w.one)), 0, { 'T.mk': w.arrow(w.type, w.c('T')) }),
    (w) => w.inductive('T', w.type, 0, { 'T.mk': w.arrow(w.type, w.c('T')) }),
  ],
  [
    'fields live in the universe of the type: imax',
    (w) => (
      w.axiom('A', w.sort(w.u('u')), ['u']),
      w.inductive(
        'T',
        w.sort(w.terms.levels.max(w.one, w.u('u'))),
        0,
        { 'T.mk': w.arrow(w.c('A', w.u('u')), w.c('T', w.u('u'))) },
        ['u'],
      )
    ),
    (w) =>
      w.inductive(
        'T',
        w.sort(w.terms.levels.imax(w.terms.levels.succ(w.one), w.u('u'))),
        0,
        { 'T.mk': w.arrow(w.type, w.c('T', w.u('u'))) },
        ['u'],
      ),
  ],
  [
    'mutual types live in one universe',
    parity,
    (w) =>
      w.block(0, {
        A: { type: w.type, constructors: {} },
        B: { type: w.sort(w.terms.levels.succ(w.one)), constructors: {} },
      }),
  ],
  [
    'mutual types have the same parameters',
    (w) =>
      w.block(1, {
        A: { type: w.arrow(w.type, w.type), constructors: {} },
        B: { type: w.arrow(w.type, w.type), constructors: {} },
      }),
    (w) =>
      w.block(1, {
        A: { type: w.arrow(w.type, w.type), constructors: {} },
        B: { type: w.arrow(w.prop, w.type), constructors: {} },
      }),
  ],
  [
    'parameters of nested types are checked, also where nothing uses them',
    (w) => (
      w.inductive('Phantom', w.arrow(w.type, nat(w), w.type), 2, {
        'Phantom.mk': w.pi(w.type, (a) => w.pi(nat(w), (n) => w.app(w.c('Phantom'), a, n))),
      }),
      w.inductive('T', w.type, 0, {
        'T.mk': w.arrow(w.app(w.c('Phantom'), w.c('T'), w.c('Nat.zero')), w.c('T')),
      })
    ),
    (w) => (
      w.inductive('Phantom', w.arrow(w.type, nat(w), w.type), 2, {
        'Phantom.mk': w.pi(w.type, (a) => w.pi(nat(w), (n) => w.app(w.c('Phantom'), a, n))),
      }),
      w.inductive('T', w.type, 0, {
        'T.mk': w.arrow(w.app(w.c('Phantom'), w.c('T'), w.c('Bool.true')), w.c('T')),
      })
    ),
  ],
  [
    'the block stands in nested types with its own parameters',
    (w) =>
      w.inductive('T', w.arrow(nat(w), w.type), 1, {
        'T.mk': w.pi(nat(w), (n) => w.arrow(list(w, w.app(w.c('T'), n)), w.app(w.c('T'), n))),
      }),
    (w) =>
      w.inductive('T', w.arrow(nat(w), w.type), 1, {
        'T.mk': w.pi(nat(w), (n) => w.arrow(list(w, w.app(w.c('T'), w.c('Nat.zero'))), w.app(w.c('T'), n))),
      }),
  ],
  [
    'the indices of a nested type are no values of the type itself',
    (w) => w.inductive('T', w.type, 0, { 'T.base': w.c('T'), 'T.node': w.arrow(w.c('T'), w.c('T')) }),
    (w) => {
      w.inductive(
        'Sole',
        w.pi(w.type, (a) => w.arrow(a, w.type)),
        1,
        {
          'Sole.mk': w.pi(w.type, (a) => w.pi(a, (x) => w.app(w.c('Sole'), a, x))),
        },
      );
      w.inductive('T', w.type, 0, {
        'T.base': w.c('T'),
        'T.node': w.pi(w.c('T'), (x) => w.arrow(w.app(w.c('Sole'), w.c('T'), x), w.c('T'))),
      });
    },
  ],
  [
    'parameters of nested types have no local variables',
    (w) => w.inductive('T', w.type, 0, { 'T.mk': w.arrow(nat(w), list(w, w.c('T')), w.c('T')) }),
    (w) => (
      w.inductive('At', w.arrow(w.type, nat(w), w.type), 2, {
        'At.mk': w.pi(w.type, (a) => w.pi(nat(w), (n) => w.arrow(a, w.app(w.c('At'), a, n)))),
      }),
      w.inductive('T', w.type, 0, {
        'T.mk': w.pi(nat(w), (n) => w.arrow(w.app(w.c('At'), w.c('T'), n), w.c('T'))),
      })
    ),
  ],
  ['a constructor constructs its type', numbers, (w) => w.inductive('T', w.type, 0, { 'T.mk': nat(w) })],
  [
    'the result of a constructor shows without reduction',
    numbers,
    (w) => (abbreviations(w), w.inductive('T', w.type, 0, { 'T.mk': w.app(w.c('same'), w.c('T')) })),
  ],
  [
    'the universe of a type shows without evaluating a recursor',
    (w) => w.inductive('T', w.arrow(w.c('Bool'), w.type), 1, {}),
    (w) =>
      w.inductive(
        'T',
        w.pi(w.c('Bool'), (b) =>
          w.app(
            w.c('Bool.rec', w.terms.levels.succ(w.terms.levels.succ(w.one))),
            w.fun(w.c('Bool'), () => w.sort(w.terms.levels.succ(w.one))),
            w.type,
            w.type,
            b,
          ),
        ),
        1,
        {},
      ),
  ],
  [
    'names of auxiliary types are reserved',
    (w) => w.inductive('nested', w.type, 0, {}),
    (w) => w.inductive('_nested.T_1', w.type, 0, {}),
  ],
  [
    'auxiliary types are not mentioned',
    (w) => w.axiom('_nested.T_1', w.prop),
    (w) => (
      w.axiom('_nested.T_1', w.prop),
      w.inductive('T', w.prop, 0, { 'T.mk': w.arrow(w.c('_nested.T_1'), w.c('T')) })
    ),
  ],
];

test.each(pitfalls.map((row) => [row[0], row] as const))('%s', (_what, row) => {
  expect(answersTo(row)).toMatchObject({ honest: 'accepted', forged: 'refused' });
});
