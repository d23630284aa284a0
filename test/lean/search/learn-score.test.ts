import { expect, test } from 'vitest';
import type { TacticStep } from '../../../src/store/ledger/search-memory.ts';
import { learnedCosts, learnStepCosts } from '../../../src/lean/search/learn-score.ts';
import { handCosts, kindOf, stepCost } from '../../../src/lean/search/score.ts';

function step(state: string, tactic: string, next: readonly string[], isClosed = false): TacticStep {
  const outcome = isClosed ? 'closed' : next.length > 0 ? 'advanced' : 'failed';
  return { state, tactic, outcome, cpuSeconds: 0.01, heartbeats: 400, premises: [], next, words: [] };
}

/** From each start an induction leads to two states that close, and a rewriting to one that nothing closes. */
const story = Array.from({ length: 40 }, (_, index) => [
  step(`start ${index}`, 'induction n', [`zero ${index}`, `succ ${index}`]),
  step(`zero ${index}`, 'rfl', [], true),
  step(`succ ${index}`, 'simp_all', [], true),
  step(`start ${index}`, 'rw [h]', [`lost ${index}`]),
  step(`lost ${index}`, 'omega', []),
  step(`lost ${index}`, 'cases n', [`deeper ${index}`]),
]).flat();

test('what led to solutions becomes cheaper, what never did more expensive; others keep the word of the hand', () => {
  const records = learnStepCosts(story);
  expect(records.map(({ kind, taken, led }) => [kind, taken, led])).toEqual([
    ['induction', 40, 40],
    ['rw', 40, 0],
  ]);
  const costs = learnedCosts(records);
  expect(costs['induction']).toBeLessThan(handCosts['induction'] ?? 0);
  expect(costs['rw']).toBeGreaterThan(handCosts['rw'] ?? 0);
  // from a state that nobody has solved nothing is learned
  expect(costs['cases']).toBe(handCosts['cases']);
  expect(stepCost('rw [h]', costs)).toBe(costs['rw']);
});

test('the same rows in any order teach the same, as plain JSON; no rows teach nothing', () => {
  const costs = learnedCosts(learnStepCosts(story));
  expect(learnedCosts(learnStepCosts(story.toReversed()))).toEqual(costs);
  expect(JSON.parse(JSON.stringify(costs))).toEqual(costs);
  expect(learnedCosts(learnStepCosts([]))).toEqual(handCosts);
});

test('a handful of steps does not turn the word of the hand over', () => {
  const [record] = learnStepCosts(story.slice(0, 3));
  expect(record).toMatchObject({ kind: 'induction', taken: 1, led: 1 });
  expect(Math.abs((record?.cost ?? 0) - (handCosts['induction'] ?? 0))).toBeLessThan(0.1);
});

test('the kind of a step is its first word, or the induction in it', () => {
  expect(kindOf('(intro x; induction x <;> simp)')).toBe('induction');
  expect(kindOf('rcases h with ⟨a, b⟩')).toBe('rcases');
});
