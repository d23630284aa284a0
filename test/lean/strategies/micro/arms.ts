import { expect, test } from 'vitest';
import type { LeanGoal } from '../../../../src/lean/goals/goal.ts';
import { attempt, candidateOf, double, expectAccepted, goalOf, onBench } from './bench.ts';

const larger = 'def larger (a b : Nat) : Nat := if a ≤ b then b else a\n';

const group = `structure Grp (G : Type) where
  op : G → G → G
  e : G
  inv : G → G
  assoc : ∀ a b c, op (op a b) c = op a (op b c)
  e_op : ∀ a, op e a = a
  inv_op : ∀ a, op (inv a) a = e
`;

/** An arm, a goal that it solves, and arms that do not. */
const arms: readonly (readonly [string, LeanGoal, readonly string[]])[] = [
  ['micro/close', goalOf('theorem t (a b : Nat) : larger a b = larger b a', larger), []],
  [
    'micro/equations',
    goalOf('theorem t {G : Type} (S : Grp G) (a : G) : S.inv (S.inv a) = a', group),
    ['micro/close'],
  ],
  ['micro/relate', goalOf('theorem t (n : Nat) : double n = n + n', double), ['micro/close']],
  ['micro/relate', goalOf('theorem t (m : Option α) : m.isSome = true ∨ m = none'), ['micro/close']],
  ['micro/search', goalOf('theorem t (n : Nat) : Nonempty {m : Nat // m = n + 1}'), ['micro/close']],
  ['micro/library', goalOf('theorem t (a b c : Nat) (h : a ∣ b) (k : a ∣ c) : a ∣ b + c'), ['micro/close']],
  [
    'micro/search',
    goalOf(
      'theorem t [Monad m] (x : m Bool) (f g : Bool → m β) (h : f true = g true) (k : f false = g false) : (x >>= f) = (x >>= g)',
    ),
    ['micro/close'],
  ],
];

export function eachSolves(): void {
  test.each(arms)('%s', async (name, goal) => {
    await expectAccepted(goal, await candidateOf(goal, name));
  });
}

/** An arm that finds nothing uses up what it may. */
export function othersDoNot(): void {
  const contested = arms.filter(([, , others]) => others.length > 0);
  test.each(contested)('goals that need %s', async (_, goal, others) => {
    for (const other of others) {
      const outcome = await onBench(goal, async (bench) => await attempt(bench, other));
      expect([other, outcome.kind]).not.toEqual([other, 'solved']);
      expect(outcome.nextGoals).toHaveLength(1);
    }
  });
}
