import { expect, test } from 'vitest';
import {
  bare,
  cutAt,
  flat,
  outlineOf,
  replaced,
  runnable,
  step,
  writtenOutline,
} from '../../../../src/lean/improve/polish/outline.ts';

const script = [
  'induction n',
  '· rfl',
  '· cases h',
  '  · calc a',
  '      _ = b := rfl',
  '  · rename_i x',
  '    omega',
].join('\n');

test('a script with bullets is parsed and printed back', () => {
  const outline = outlineOf(script);
  expect(flat(outline).map(({ tactic }) => tactic)).toEqual([
    'induction n',
    'rfl',
    'cases h',
    'calc a\n  _ = b := rfl',
    'rename_i x',
    'omega',
  ]);
  expect(writtenOutline(outline)).toBe(script);
});

test('steps are replaced in place, and the others stay the same', () => {
  const outline = outlineOf(script);
  const old = flat(outline).find(({ tactic }) => tactic === 'rename_i x');
  if (!old) throw new Error('it is there');
  const without = replaced(outline, old, []);
  expect(writtenOutline(without)).toBe(script.replace('rename_i x\n    omega', 'omega'));
  expect(flat(without)[1]).toBe(flat(outline)[1]);
});

test('cases with names are run as goals and written in place', () => {
  const split = step('induction n', [
    { head: 'zero', steps: [step('rfl')] },
    { head: 'succ n ih', steps: [step('simp [f]'), step('omega')] },
  ]);
  expect(runnable(split)).toBe('induction n with\n| zero => ?_\n| succ n ih => ?_');
  expect(writtenOutline([split])).toBe(
    'induction n with\n| zero => rfl\n| succ n ih =>\n  simp [f]\n  omega',
  );
});

test('a long fact is broken after its name, never inside a binder', () => {
  const fact =
    'have flatOnto_eq_append : ∀ (tree : Tree) (acc : List Nat), Tree.flatOnto tree acc = Tree.flatOnto tree [] ++ acc := by';
  expect(writtenOutline([step(fact)])).toBe(
    fact.replace('flatOnto_eq_append : ', 'flatOnto_eq_append :\n  '),
  );
});

test('lines break before 100 columns if a list can be broken', () => {
  const names = Array.from({ length: 20 }, (_, index) => `lemma_number_${index}`);
  const text = writtenOutline([step(`induction n`, [{ steps: [step(`simp [${names.join(', ')}]`)] }])]);
  expect(Math.max(...text.split('\n').map((line) => line.length + 2))).toBeLessThanOrEqual(100);
  expect(text.replaceAll(/\n\s*/g, ' ')).toBe(`induction n · simp [${names.join(', ')}]`);
});

test('a long line breaks in as few brackets as possible', () => {
  const law = 'foldl (fun a b => a + b) acc xs = acc + foldl (fun a b => a + b) (0 : Nat) xs';
  const text = writtenOutline([step(`have law : ∀ (xs : List Nat) (acc : Nat), ${law} := by`)]);
  expect(text).toBe(`have law : ∀ (xs : List Nat) (acc : Nat),\n  ${law} := by`);
});

test('text is split only outside brackets', () => {
  expect(cutAt('(a; b) <;> first | [c <;> d] | e', '<;>')).toEqual(['(a; b)', 'first | [c <;> d] | e']);
  expect(bare('(a; (b))')).toBe('a; (b)');
  expect(bare('(a) <;> (b)')).toBe('(a) <;> (b)');
});
