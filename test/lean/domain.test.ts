import { expect, test } from 'vitest';
import { difficultyOf } from '../../src/core/difficulty.ts';
import { LeanDomain } from '../../src/lean/domain.ts';
import { Gate } from '../../src/lean/gate/gate.ts';
import { wholeStatement, type LeanGoal } from '../../src/lean/goals/goal.ts';
import { conversation } from '../helpers/lean.ts';

const lean = conversation();

const goalOf = (statement: string, preamble = ''): LeanGoal => ({
  id: statement,
  preamble,
  statement,
  holes: wholeStatement,
  topic: null,
  label: null,
  allowAxioms: [],
  source: null,
});

const trees = `inductive Tree (α : Type) where
  | leaf : Tree α
  | node : Tree α → α → Tree α → Tree α

def Tree.size {α : Type} : Tree α → Nat
  | .leaf => 0
  | .node left _ right => left.size + 1 + right.size

def Tree.flip {α : Type} : Tree α → Tree α
  | .leaf => .leaf
  | .node left value right => .node right.flip value left.flip

def Tree.within {α : Type} (bound : Nat) : Tree α → Prop
  | .leaf => True
  | .node left _ right => left.within bound ∧ right.within bound ∧ left.size ≤ right.size + bound
`;

const hard = `theorem hard {α : Type} (s t : Tree α) (a b c : Nat) (small : s.size ≤ t.size + a)
  (inside : t.within b) (h : ∀ u : Tree α, u.size < s.size → u.flip.within c → u.within (b + c)) :
  s.within (a + b) → ∃ u : Tree α, u.size = s.size + t.size ∧ (u.flip.within (a + b + c) ∨ s.flip.size = u.size)`;

test('Lean’s features separate easy goals from hard ones without a label', async () => {
  const domain = new LeanDomain(lean.pool, new Gate(lean.pool, lean.pool));
  const examine = async (goal: LeanGoal): Promise<Readonly<Record<string, number>>> => {
    const opened = await domain.open(goal, async () => {}, new AbortController().signal);
    if (opened.kind !== 'open') throw new Error(JSON.stringify(opened));
    await domain.close(opened.work);
    expect(opened.cpuSeconds).toBeGreaterThan(0);
    return opened.facts.features;
  };
  const simple = await examine(goalOf('theorem simple (n : Nat) : n + 0 = n'));
  const resisting = await examine(goalOf('theorem resisting (p q : Prop) (h : q) : p ∨ q'));
  const deep = await examine(goalOf(hard, trees));
  expect(simple).toMatchObject({ hypotheses: 1, quantifiers: 1, preamble_symbols: 0, resists_simp: 0 });
  expect(resisting).toMatchObject({ hypotheses: 3, resists_simp: 1 });
  expect(deep).toMatchObject({ hypotheses: 9, preamble_symbols: 4, resists_simp: 1 });
  for (const features of [simple, resisting, deep])
    expect(Object.values(features).every((count) => Number.isInteger(count) && count >= 0)).toBe(true);
  expect(deep['nodes']).toBeGreaterThan(4 * (simple['nodes'] ?? 0));
  expect(difficultyOf(simple, null)).toBeLessThan(0.35);
  expect(difficultyOf(deep, null)).toBeGreaterThan(0.6);
  expect(difficultyOf(resisting, null)).toBeLessThan(difficultyOf(deep, null));
});
