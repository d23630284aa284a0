import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { modelOf } from '../../../src/core/lab/teach.ts';
import type { ArmResult, LabRow } from '../../../src/core/lab/record.ts';
import { ContextualPolicy } from '../../../src/core/policy/contextual.ts';
import { goOnLearning } from '../../../src/core/policy/past.ts';
import { makePolicy } from '../../../src/core/policy/policy.ts';
import { solveLinear } from '../../../src/core/policy/solve.ts';
import type { PolicyModel } from '../../../src/shared/events.ts';

const result = (arm: string, solved: boolean, cpu_seconds = 1): ArmResult => ({
  arm,
  stage: arm === 'close' ? 0 : 1,
  solved,
  cpu_seconds,
});

/** Large goals are for `deep`, small ones for `short`; `close` solves none of them. */
const rows = Array.from({ length: 40 }, (_, index): LabRow => {
  const isLarge = index % 2 === 0;
  return {
    goal: `goal ${index}`,
    source: 'made',
    file: 'made',
    context: 'numbers',
    features: { nodes: isLarge ? 500 + index : 5 + index / 10 },
    arms: [result('close', false, 0.1), result('deep', isLarge, 2), result('short', !isLarge)],
  };
});

const goalOf = (nodes: number, failed: string[] = ['close']) => ({
  context: 'numbers',
  features: { nodes },
  failed,
});

/** Attempts that failed. */
const past = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    run: 'run',
    goal: `g${index}`,
    arm: 'deep',
    context: 'numbers',
    features: { nodes: 600 },
    reward: 0,
    cpuSeconds: 2,
  }));

describe('the contextual policy', () => {
  test('predicts success and cost of each arm from the goal’s features', () => {
    const policy = new ContextualPolicy(modelOf(rows));
    const [large, other] = policy.rank(goalOf(600), ['short', 'deep']);
    expect(large).toMatchObject({ arm: 'deep', trials: 40 });
    expect(large?.mean).toBeGreaterThan(0.7);
    expect(other?.mean).toBeLessThan(0.3);
    expect(large?.seconds).toBeCloseTo(2, 0);
    expect(policy.rank(goalOf(6), ['short', 'deep'])[0]).toMatchObject({ arm: 'short' });
  });

  test('an unknown arm comes last, until attempts change its rank', () => {
    const policy = new ContextualPolicy(modelOf(rows));
    const first = (): string | undefined => policy.rank(goalOf(600), ['new', 'deep'])[0]?.arm;
    expect(first()).toBe('deep');
    for (let time = 0; time < 400; time++)
      policy.learn(goalOf(600), { arm: 'new', reward: 1, cpuSeconds: 0.1 });
    expect(first()).toBe('new');
  });

  test('starts from a model and learns from the ledger: few attempts change little, many change a lot', () => {
    const before = modelOf(rows);
    const chance = (count: number): number =>
      new ContextualPolicy(goOnLearning(before, past(count))).rank(goalOf(600), ['deep'])[0]?.mean ?? 0;
    expect(goOnLearning(before, [])).toBe(before);
    expect(chance(2)).toBeGreaterThan(0.5);
    expect(chance(60)).toBeLessThan(0.3);
  });
});

const made = (goal: string, close: boolean, one: boolean, two: boolean, three: boolean): LabRow => ({
  goal,
  source: 'made',
  file: 'made',
  context: '',
  features: {},
  arms: [result('close', close), result('one', one), result('two', two), result('three', three)],
});

test('the best order ranks an arm by the goals it adds to earlier arms, on goals that the cheap arm leaves', () => {
  const { order } = modelOf([
    made('a', false, true, true, false),
    made('b', false, true, true, false),
    made('c', false, true, false, false),
    made('d', false, false, false, true),
    // `two` succeeds only on goals that do not need it
    ...['e', 'f', 'g', 'h'].map((goal) => made(goal, true, false, true, false)),
  ]);
  expect(order).toEqual(['one', 'three', 'two']);
  const policy = makePolicy('static', { arms: [], policy: { order, scales: {}, arms: [] } });
  expect(policy.rank(goalOf(1), ['unknown', 'two', 'one']).map(({ arm }) => arm)).toEqual([
    'one',
    'two',
    'unknown',
  ]);
});

test('the shipped model covers every arm that needs nothing but Lean', () => {
  const file = new URL('../../../policy/warm-start.json', import.meta.url);
  const model = JSON.parse(readFileSync(file, 'utf8')) as PolicyModel;
  const arms = ['micro/library', 'micro/search'];
  expect([...model.order].sort()).toEqual(arms);
  expect(model.arms.map(({ arm }) => arm)).toEqual(expect.arrayContaining(arms));
});

test('linear equations', () => {
  const found = solveLinear(
    [
      [4, 1],
      [1, 3],
    ],
    [1, 2],
  );
  expect(found[0]).toBeCloseTo(1 / 11);
  expect(found[1]).toBeCloseTo(7 / 11);
});
