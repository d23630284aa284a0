import { describe, expect, test } from 'vitest';
import { shapeOf } from '../../../src/lean/cache/shape.ts';
import { fillIn, filledTemplate, templateOf } from '../../../src/lean/cache/template.ts';

/** Small expressions, written as Lean's canonical form has them (docs/PROTOCOL.md). */
type Expression =
  | { readonly bound: number }
  | { readonly constant: string }
  | { readonly apply: readonly [Expression, ...Expression[]] };

/** ∀ types, body: each type may mention the binders before it, the nearest being 0. */
function canonical(types: readonly Expression[], body: Expression): string {
  const lines: string[] = [];
  const put = (line: string): number => {
    const known = lines.indexOf(line);
    return known >= 0 ? known : lines.push(line) - 1;
  };
  const write = (expression: Expression): number => {
    if ('bound' in expression) return put(`b ${expression.bound}`);
    if ('constant' in expression) return put(`c ${expression.constant}`);
    const [head, ...values] = expression.apply;
    return values.reduce((applied, value) => put(`a ${applied} ${write(value)}`), write(head));
  };
  const written = types.map(write);
  const root = written.reduceRight((inner, type) => put(`p ${type} ${inner}`), write(body));
  return `${lines.join('\n')}\n${root}`;
}

const constant = (name: string): Expression => ({ constant: name });
const b = (bound: number): Expression => ({ bound });
const of = (name: string, ...values: Expression[]): Expression => ({ apply: [constant(name), ...values] });
const nat = constant('Nat');
const none: ReadonlySet<string> = new Set();

/** (a b c : Nat) (h : a < b) (k : b ≤ c) : a < c */
const one = canonical([nat, nat, nat, of('LT', b(2), b(1)), of('LE', b(2), b(1))], of('LT', b(4), b(2)));
/** (z y x : Nat) (far : y ≤ z) (near : x < y) : x < z */
const other = canonical([nat, nat, nat, of('LE', b(1), b(2)), of('LT', b(1), b(2))], of('LT', b(2), b(4)));

const about = (name: string) =>
  shapeOf(canonical([nat], of('Eq', of(name, b(0)), b(0))), new Set(['go', 'run']));

const names = (order: readonly number[] = [], all: readonly string[]): string[] =>
  order.map((index) => all[index] ?? '');

describe('the shape of a goal', () => {
  test('ignores names and the order of hypotheses, and maps one goal to the other', () => {
    const [here, there] = [shapeOf(one, none), shapeOf(other, none)];
    expect(there?.key).toBe(here?.key);
    const mine = { hypotheses: names(here?.order, ['a', 'b', 'c', 'h', 'k']), constants: [] };
    const theirs = { hypotheses: names(there?.order, ['z', 'y', 'x', 'far', 'near']), constants: [] };
    expect(fillIn(templateOf('exact lt_of_lt_of_le (b := b) h k', mine), theirs)).toBe(
      'exact lt_of_lt_of_le (y := y) near far',
    );
  });

  test('depends on the content', () => {
    const keys = [
      one,
      // : a ≤ c
      canonical([nat, nat, nat, of('LT', b(2), b(1)), of('LE', b(2), b(1))], of('LE', b(4), b(2))),
      // (k : c ≤ b)
      canonical([nat, nat, nat, of('LT', b(2), b(1)), of('LE', b(1), b(2))], of('LT', b(4), b(2))),
      // without k
      canonical([nat, nat, nat, of('LT', b(2), b(1))], of('LT', b(3), b(1))),
    ].map((form) => shapeOf(form, none)?.key);
    expect(new Set(keys).size).toBe(4);
  });

  test('constants of the preamble are placeholders; those of the library are not', () => {
    expect(about('go')).toMatchObject({ key: about('run')?.key, own: ['go'] });
    expect(about('Nat.succ')?.key).not.toBe(about('go')?.key);
  });

  test('a huge goal has no shape', () => {
    expect(shapeOf(Array.from({ length: 5000 }, (_, line) => `n ${line}`).join('\n'), none)).toBeUndefined();
  });
});

describe('templates', () => {
  const goal = { hypotheses: ['h', 'n'], constants: ['Even', 'Even.step'] };
  const template = templateOf('cases h.1 <;> simp [Even.step, Even, helper] at n', goal);

  test('are filled completely or not at all', () => {
    expect(template).toBe('cases ⟦h0⟧.1 <;> simp [⟦c1⟧, ⟦c0⟧, helper] at ⟦h1⟧');
    expect(fillIn(template, goal)).toBe('cases h.1 <;> simp [Even.step, Even, helper] at n');
    expect(fillIn(template, { hypotheses: ['x'], constants: ['A', 'B'] })).toBeUndefined();
    expect(fillIn(template, { hypotheses: ['a✝', 'b'], constants: ['A', 'B'] })).toBeUndefined();
  });

  test('are made from tactic proofs, not from terms', () => {
    expect(filledTemplate('by\n  induction n\n  · rfl\n  · simp\n    omega')).toBe(
      'induction n\n· rfl\n· simp\n  omega',
    );
    expect(filledTemplate('by omega')).toBe('omega');
    expect(filledTemplate('fun h => h')).toBeUndefined();
  });
});
