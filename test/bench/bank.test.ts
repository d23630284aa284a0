import { describe, expect, test } from 'vitest';
import type { LeanGoal } from '../../src/lean/goals/goal.ts';
import { conversation } from '../helpers/lean.ts';
import { bank, closeBySingle, mislabelled } from './closers.ts';

const lean = conversation();

const count = (some: readonly LeanGoal[]): Record<string, number> =>
  Object.fromEntries(
    [...Map.groupBy(some, ({ topic }) => topic ?? '')].map(([topic, its]) => [topic, its.length]),
  );

describe('the bank', () => {
  test('has 120 lemmas; the first 64 are the toy set', async () => {
    const goals = await bank();
    expect(goals).toHaveLength(120);
    expect(count(goals.slice(0, 64))).toEqual({ Nat: 30, List: 14, 'Bool and Prop': 14, Option: 6 });
    expect(count(goals)).toEqual({
      Nat: 45,
      List: 30,
      'Bool and Prop': 25,
      Option: 10,
      Int: 4,
      String: 2,
      Function: 4,
    });
    expect(goals.every(({ label }) => label !== null)).toBe(true);
  });

  test('every twenty-fourth statement elaborates, and is easy if a single closer finishes it', async () => {
    const sample = (await bank()).filter((_, index) => index % 24 === 0);
    const closed = await closeBySingle(lean.pool, sample);
    expect(closed.broken).toEqual([]);
    expect(mislabelled(sample, closed)).toEqual([]);
  });
});
