import { expect, test } from 'vitest';
import { ClientBudget } from '../../../src/server/mcp/budget.ts';

test('running calls count: together they get the remaining budget', () => {
  const budget = new ClientBudget(100);
  const [first, second] = [budget.reserve(60), budget.reserve(60)];
  expect([first.left, second.left, budget.left]).toEqual([60, 40, 0]);
  expect(() => budget.reserve(1)).toThrow(/calls in flight/);
  first.charge(10);
  first.release();
  expect(budget.describe()).toEqual({ spent_cpu_seconds: 10, left_cpu_seconds: 50 });
  const third = budget.reserve(1000);
  expect(third.left).toBe(50);
  third.charge(70); // work that is under way may go over
  expect(third.left).toBe(0);
  third.release();
  second.release();
  expect(budget.left).toBe(20);
  budget.reserve(20).charge(20);
  expect(() => budget.reserve()).toThrow(/in flight/);
});

test('a small remaining budget still allows some wall-clock time', () => {
  const call = new ClientBudget(0.5).reserve(60);
  expect(call.clockSeconds(60)).toBe(10);
  expect(call.clockSeconds(2)).toBe(2);
});
