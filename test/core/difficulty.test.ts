import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  difficultyOf,
  firstDifficulty,
  firstWeights,
  labelOf,
  learnWeights,
  priorityOf,
} from '../../src/core/difficulty.ts';

test('labels start at 0.2, 0.5 and 0.8, and are read back from there', () => {
  for (const [label, start] of [
    ['easy', 0.2],
    ['medium', 0.5],
    ['hard', 0.8],
  ] as const) {
    expect(firstDifficulty(label)).toBe(start);
    expect(labelOf(start)).toBe(label);
  }
  expect(firstDifficulty(null)).toBe(0.5);
});

test('a given number starts the estimate, and features still change even a certain one', () => {
  expect([0.3, 0, 1].map(firstDifficulty)).toEqual([0.3, 0.02, 0.98]);
  const features = { nodes: 50, failures: 3 };
  const [easy = 0, hard = 0] = [0.1, 0.9].map((said) => difficultyOf(features, said));
  expect(easy).toBeLessThan(hard);
  expect(difficultyOf(features, 1)).toBeLessThan(difficultyOf({ ...features, failures: 9 }, 1));
});

test('a larger goal and a goal that resisted attempts are estimated as harder', () => {
  fc.assert(
    fc.property(fc.nat(5000), fc.nat(5000), fc.nat(20), (nodes, more, failures) => {
      const small = difficultyOf({ nodes, failures }, null);
      expect(difficultyOf({ nodes: nodes + more, failures }, null)).toBeGreaterThanOrEqual(small);
      expect(difficultyOf({ nodes, failures: failures + 1 }, null)).toBeGreaterThan(small);
      expect(small > 0 && small < 1).toBe(true);
    }),
  );
});

test('weights are learned from goals: features of unsolved goals raise the difficulty', () => {
  const goals = Array.from({ length: 60 }, (_, index) => ({
    features: { nodes: 50, induction: index % 2 === 0 ? 5 : 0 },
    label: null,
    solved: index % 2 === 1,
  }));
  const weights = learnWeights(goals);
  const hard = difficultyOf({ nodes: 50, induction: 5 }, null, weights);
  const easy = difficultyOf({ nodes: 50, induction: 0 }, null, weights);
  expect(hard).toBeGreaterThan(easy + 0.3);
  expect(learnWeights(goals)).toEqual(weights);
  expect(learnWeights(goals.slice(0, 10))).toBe(firstWeights);
});

test('easy goals come first, unless many goals depend on another one', () => {
  expect(priorityOf(0.2)).toBeGreaterThan(priorityOf(0.8));
  expect(priorityOf(0.8, { criticality: 1 })).toBeGreaterThan(priorityOf(0.2));
});
