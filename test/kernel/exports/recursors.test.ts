import { expect, test } from 'vitest';
import type { Expr } from '../../../src/kernel/expr.ts';
import { answersTo, type ExportWorld, type Pitfall, type Row } from '../../helpers/ndjson.ts';

const nat = (w: ExportWorld): Expr => w.c('Nat');
const list = (w: ExportWorld, of: Expr): Expr => w.app(w.c('List', w.zero), of);
const tree = (w: ExportWorld): unknown =>
  w.inductive('Tree', w.type, 0, { 'Tree.node': w.arrow(list(w, w.c('Tree')), w.c('Tree')) });
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
/** Change what the export says about the first row of a part of its last block. */
const change =
  (declare: (w: ExportWorld) => unknown, part: 'types' | 'ctors' | 'recs', fields: Row, at = 0) =>
  (w: ExportWorld): void => {
    declare(w);
    Object.assign(w.part(part)[at] ?? {}, fields);
  };
/** A lie about a block of the given kind. */
const lie = (
  what: string,
  declare: (w: ExportWorld) => unknown,
  part: 'types' | 'ctors' | 'recs',
  fields: Row,
): Pitfall => [what, declare, change(declare, part, fields)];
const rules = (w: ExportWorld): Row[] => w.part('recs')[0]?.['rules'] as Row[];
const prop = (w: ExportWorld): unknown => w.inductive('P', w.prop, 0, { 'P.mk': w.arrow(nat(w), w.c('P')) });
const pitfalls: readonly Pitfall[] = [
  lie('number of indices', numbers, 'types', { numIndices: 1 }),
  lie('number of parameters', numbers, 'types', { numParams: 1 }),
  lie('whether a type is recursive', numbers, 'types', { isRec: false }),
  lie('number of nested types', tree, 'types', { numNested: 0 }),
  lie('types declared together', parity, 'types', { all: [] }),
  lie('number of fields', numbers, 'ctors', { numFields: 1 }),
  lie('place of a constructor', numbers, 'ctors', { cidx: 1 }),
  lie('type of a constructor', parity, 'ctors', { induct: 0 }),
  lie('universe parameters of a constructor', numbers, 'ctors', { levelParams: [1] }),
  lie('k for numbers', numbers, 'recs', { k: true }),
  lie('number of motives', tree, 'recs', { numMotives: 1 }),
  lie('number of minor premises', numbers, 'recs', { numMinors: 3 }),
  lie('number of indices of a recursor', numbers, 'recs', { numIndices: 1 }),
  lie('number of parameters of a recursor', numbers, 'recs', { numParams: 1 }),
  lie('no rules', numbers, 'recs', { rules: [] }),
  lie('types declared together, of a recursor', parity, 'recs', { all: [1] }),
  lie('universe parameters of a recursor', numbers, 'recs', { levelParams: [] }),
  [
    'k for accessibility',
    (w) => w.axiom('a', w.c('True')),
    (w) => {
      const acc = w.rows.findLast((row) => 'inductive' in row)?.['inductive'] as { recs: Row[] };
      Object.assign(acc.recs[0] ?? {}, { k: true });
    },
  ],
  ['rules in another order', numbers, (w) => (numbers(w), rules(w).reverse())],
  [
    'a rule without its induction hypothesis',
    numbers,
    (w) => (numbers(w), Object.assign(rules(w)[1] ?? {}, { rhs: rules(w)[0]?.['rhs'] })),
  ],
  [
    'the number of fields of a rule',
    numbers,
    (w) => (numbers(w), Object.assign(rules(w)[1] ?? {}, { nfields: 0 })),
  ],
  [
    'the type of a recursor',
    numbers,
    (w) => (numbers(w), Object.assign(w.part('recs')[0] ?? {}, { type: w.exprId(w.c('False')) })),
  ],
  [
    'a recursor of no type',
    numbers,
    (w) => (numbers(w), w.part('recs').push({ ...w.part('recs')[0], name: w.nameId(w.name('rogue')) })),
  ],
  ['a recursor twice', numbers, (w) => (numbers(w), w.part('recs').push({ ...w.part('recs')[0] }))],
  [
    'a recursor of another type',
    parity,
    (w) => (numbers(w), Object.assign(w.part('recs')[0] ?? {}, { name: w.nameId(w.name('Nat.rec')) })),
  ],
  [
    'large elimination out of a proposition with data',
    prop,
    (w) => {
      // the recursor of a type in `Type` with the same fields eliminates into every universe
      w.inductive('P', w.type, 0, { 'P.mk': w.arrow(nat(w), w.c('P')) });
      Object.assign(w.part('types')[0] ?? {}, { type: w.exprId(w.prop) });
    },
  ],
  [
    'large elimination out of a proposition with two proofs',
    (w) => w.inductive('P', w.prop, 0, { 'P.a': w.c('P'), 'P.b': w.c('P') }),
    (w) => {
      w.inductive('P', w.type, 0, { 'P.a': w.c('P'), 'P.b': w.c('P') });
      Object.assign(w.part('types')[0] ?? {}, { type: w.exprId(w.prop) });
    },
  ],
  [
    'large elimination needs the field itself in the result',
    (w) => {
      w.inductive('P', w.arrow(nat(w), w.prop), 0, { 'P.mk': w.pi(nat(w), (n) => w.app(w.c('P'), n)) });
      const motive = w.pi(nat(w), (n) => w.arrow(w.app(w.c('P'), n), w.type));
      return w.axiom(
        'a',
        w.pi(motive, (m) =>
          w.arrow(
            w.pi(nat(w), (n) => w.app(m, n, w.app(w.c('P.mk'), n))),
            w.pi(nat(w), (n) =>
              w.pi(w.app(w.c('P'), n), () => (w.c('P.rec', w.one) === undefined ? w.prop : w.c('True'))),
            ),
          ),
        ),
      );
    },
    (w) => {
      w.inductive('P', w.arrow(nat(w), w.prop), 0, {
        'P.mk': w.pi(nat(w), (n) => w.app(w.c('P'), w.app(w.c('Nat.succ'), n))),
      });
      return w.define(
        'a',
        w.arrow(w.prop, w.prop),
        w.fun(w.prop, (p) =>
          w.app(
            w.fun(w.prop, () => p),
            w.app(w.c('P.rec', w.one), p),
          ),
        ),
      );
    },
  ],
  [
    'names are declared once: a constructor like its type',
    numbers,
    (w) => w.inductive('T', w.type, 0, { T: w.c('T') }),
  ],
  [
    'names are declared once: an axiom where a recursor comes later',
    numbers,
    (w) => (w.axiom('N.rec', w.c('False')), numbers(w)),
  ],
  [
    'names are declared once: a constructor like a recursor',
    numbers,
    (w) => w.inductive('T', w.type, 0, { 'T.rec': w.c('T') }),
  ],
  [
    'names are declared once: two constructors',
    parity,
    (w) =>
      w.block(0, {
        A: { type: w.type, constructors: { 'A.mk': w.c('A') } },
        B: { type: w.type, constructors: { 'A.mk': w.c('B') } },
      }),
  ],
];

test.each(pitfalls.map((row) => [row[0], row] as const))('%s', (_what, row) => {
  expect(answersTo(row)).toMatchObject({ honest: 'accepted', forged: 'refused' });
});
