import { expect, test } from 'vitest';
import { intervalOf } from '../../bench/splits.ts';
import { splitOf, splits } from '../../src/lean/learning/splits.ts';

test('a module always stays in the same split', () => {
  expect(splitOf('Std.Data.HashMap.Lemmas')).toBe(splitOf('Std.Data.HashMap.Lemmas'));
  const names = Array.from({ length: 2000 }, (_, index) => `Std.Module${index}`);
  const share = splits.map((split) => names.filter((name) => splitOf(name) === split).length / names.length);
  for (const [index, wanted] of [0.5, 0.25, 0.25].entries())
    expect(Math.abs((share[index] ?? 0) - wanted)).toBeLessThan(0.04);
});

test('the confidence interval of a proportion', () => {
  const [low, high] = intervalOf(50, 100);
  expect(low).toBeCloseTo(0.4038, 3);
  expect(high).toBeCloseTo(0.5962, 3);
  expect(intervalOf(0, 10)[0]).toBe(0);
  expect(intervalOf(10, 10)[1]).toBe(1);
  expect(intervalOf(0, 0)).toEqual([0, 1]);
});
