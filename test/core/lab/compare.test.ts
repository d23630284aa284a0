import { expect, test } from 'vitest';
import { comparePolicies, policyStanding, type FoldResult } from '../../../src/core/lab/compare.ts';
import type { LabRow } from '../../../src/core/lab/record.ts';

/** Goals of two kinds, told apart by a feature: one arm is for the large ones, another for the small. */
function rows(count: number): LabRow[] {
  return Array.from({ length: count }, (_, index): LabRow => {
    const isLarge = index % 2 === 0;
    return {
      goal: `goal ${index}`,
      source: 'made',
      file: `file ${index % 3}`,
      context: 'numbers',
      features: { nodes: isLarge ? 500 : 5 },
      arms: [
        { arm: 'close', stage: 0, solved: false, cpu_seconds: 0.1 },
        { arm: 'deep', stage: 1, solved: isLarge, cpu_seconds: 2 },
        { arm: 'short', stage: 2, solved: !isLarge, cpu_seconds: 1 },
      ],
    };
  });
}

const of = (results: readonly FoldResult[], policy: FoldResult['policy'], fold: string): FoldResult => {
  const found = results.find((one) => one.policy === policy && one.fold === fold);
  if (!found) throw new Error(`${policy} was not replayed on ${fold}`);
  return found;
};

test('features predict which arm a goal needs; one fixed order cannot', () => {
  const results = comparePolicies(rows(24), 'file');
  expect(results).toHaveLength(9);
  for (const fold of ['file 0', 'file 1', 'file 2']) {
    const contextual = of(results, 'contextual', fold);
    const fixed = of(results, 'static', fold);
    // four large goals at 2.1, four small ones at 1.1; the cheap arm, which solves none, is part of no hindsight
    expect(contextual).toMatchObject({ goals: 8, best_seconds: 12 });
    expect(contextual.cpu_seconds).toBeCloseTo(12.8);
    expect(contextual.least_seconds).toBeCloseTo(12.8);
    expect(fixed.cpu_seconds).toBeGreaterThan(16);
    expect(contextual.course).toHaveLength(8);
  }
  const standing = policyStanding(results, 'contextual');
  expect(standing?.share).toBeLessThan(0.85);
  expect(standing?.closed).toBeGreaterThan(0.5);
});

test('a goal that no arm solves is ignored, and the same lessons give the same figures', () => {
  const hopeless = rows(2).map((row) => ({
    ...row,
    arms: row.arms.map((result) => ({ ...result, solved: false })),
  }));
  expect(comparePolicies(hopeless, 'source').map(({ goals, cpu_seconds }) => [goals, cpu_seconds])).toEqual([
    [0, 0],
    [0, 0],
    [0, 0],
  ]);
  expect(comparePolicies(rows(12), 'file')).toEqual(comparePolicies(rows(12), 'file'));
});
