import { expect, test } from 'vitest';
import { environmentOf } from '../../../src/lean/project/environment.ts';
import { Ground } from '../../../src/lean/promotion/ground.ts';
import { knownTheorem } from '../../../src/lean/promotion/known.ts';
import { conversation } from '../../helpers/lean.ts';

const lean = conversation();

/** Statements of the library, with sides turned round, hypotheses in another order, or other names. */
const statements = [
  '(a b : Nat) : b + a = a + b',
  '(a b c : Nat) : a + (b + c) = a + b + c',
  '(a b c : Nat) : a * b + a * c = a * (b + c)',
  '(xs ys : List α) : ys.length + xs.length = (ys ++ xs).length',
  '(a b c : Nat) (h : b ≤ c) (g : a ≤ b) : a ≤ c',
  '(xs : List α) : xs = xs.reverse.reverse',
  '(xs ys : List α) : ys.reverse ++ xs.reverse = (xs ++ ys).reverse',
  '(x : α) (xs ys : List α) : x ∈ xs ∨ x ∈ ys ↔ x ∈ xs ++ ys',
  '(a b : Nat) (h : b ≤ a) (g : a ≤ b) : a = b',
  '(p q : Prop) : q ∧ p ↔ p ∧ q',
  '(a b : Int) : b * a = a * b',
  '(f : β → γ) (g : α → β) (xs : List α) : xs.map (f ∘ g) = (xs.map g).map f',
  '(a b k : Nat) (h : k ∣ b) (g : k ∣ a) : k ∣ a + b',
  '(n m : Nat) : ¬ n < m ↔ m ≤ n',
  '(a b : Nat) : max b a = max a b',
  '(xs : List Nat) : [] ++ xs = xs',
  '(a n : Nat) : a ^ n * a = a ^ (n + 1)',
  '(p q : Prop) : (¬ p ∧ ¬ q) ↔ ¬ (p ∨ q)',
  '(a b c : Nat) (g : b < c) (h : a < b) : a < c',
  '(a b : Bool) : (b && a) = (a && b)',
];

test('at least seventeen of twenty library statements are recognised', async () => {
  const ground = new Ground(lean.pool, '', environmentOf(''));
  const unknown: string[] = [];
  for (const statement of statements)
    if (!(await knownTheorem(ground, `theorem t ${statement}`))) unknown.push(statement);
  expect(unknown.slice(3)).toEqual([]);
});

test('a statement that needs several theorems is not recognised', async () => {
  const ground = new Ground(lean.pool, '', environmentOf(''));
  for (const statement of [
    '(a b c : Nat) (h : a < b) : a + c * 2 < b + c * 2 + 1',
    '(xs ys : List Nat) : (xs ++ ys).reverse.length = xs.length + ys.length',
  ])
    expect(await knownTheorem(ground, `theorem t ${statement}`)).toBeUndefined();
});
