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
test.each(pitfalls.map((row) => [row[0], row] as const))('%s', (_what, row) => {
  expect(answersTo(row)).toMatchObject({ honest: 'accepted', forged: 'refused' });
});
