import { expect, test } from 'vitest';
import { withLemma } from '../../../src/lean/market/lemma.ts';
import { lemmaName } from '../../../src/lean/base/lemma-name.ts';
import { bareGoal } from '../../../src/lean/goals/goal.ts';
import { readSignature, signatureText } from '../../../src/lean/base/signature.ts';

test.each([
  ['(xs ys : List Nat) : (xs ++ ys).length = xs.length + ys.length', 'length_append'],
  ['(a b : Nat) : a + b = b + a', 'add_comm'],
  ['(a b c : Nat) : a + b + c = a + (b + c)', 'add_assoc'],
  ['(a b : Nat) : gcd a b = gcd b a', 'gcd_comm'],
  ['(n : Nat) : twice n = 2 * n', 'twice_eq_two_mul'],
  ['(xs : List α) : rev (rev xs) = xs', 'rev_rev'],
  ['(x : Nat) (xs) (h : Sorted xs) : Sorted (insert x xs)', 'sorted_insert_of_sorted'],
  ['(head_0 : Nat) (ys) : len (app ys [head_0]) = len ys + 1', 'len_app_singleton'],
  ['(a b : Nat) (hab : a < b) : a ≤ b', 'le_of_lt'],
  ['(a b : Nat) : a < b → ¬ b ≤ a', 'not_le_of_lt'],
  ['{α} (x : α) (xs : List α) : x ∈ [x] ++ xs ↔ True', 'mem_singleton_append_iff'],
  [': ∀ (n : Nat) (xs), Sums.total (n :: xs) = n + total xs', 'total_cons'],
  ['(n : Nat) : n * 0 = 0', 'mul_zero'],
  [': ∀ (v : List Nat) (acc : Nat), go acc v = acc + go (0 : Nat) v', 'go_eq_add_go_zero'],
  ['(n : Nat) : ∃ m, double m = n + n', 'exists_double_eq_add'],
  ['(f : Nat → Nat) : (fun x => f x) = f', undefined],
  ['(p : Prop) (h : p) : p', undefined],
])('theorem t %s is named %s', (rest, name) => {
  expect(lemmaName(`theorem t ${rest}`)).toBe(name);
});

test('a statement is split into its parts and printed back', () => {
  const text = 'theorem A.t.{u} {α : Type u} (a b : α) [inst : Add α] [Mul α] ⦃c⦄ d (h : a = b) : a + b = d';
  const signature = readSignature(`/-- Why. -/ @[simp] protected ${text}`);
  expect(signature && signatureText(signature)).toBe(text);
  expect(readSignature('theorem t')).toBeUndefined();
  expect(readSignature('theorem t ((a) : a = a')).toBeUndefined();
});

test('two lemmas of the same name get two names', () => {
  const goal = { ...bareGoal, id: 'g', preamble: '', statement: 'theorem g : True' };
  const one = { statement: 'theorem f_aux (n : Nat) : f n = 0', proof: 'by rfl' };
  const two = { statement: 'theorem f_aux (n : Nat) : f n = g n', proof: 'by rfl' };
  expect(withLemma(withLemma(goal, one), two).lent).toEqual([
    "have f_aux' (n : Nat) : f n = g n := by rfl",
    'have f_aux (n : Nat) : f n = 0 := by rfl',
  ]);
});
