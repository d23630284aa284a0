import { expect, test } from 'vitest';
import { conversation } from '../helpers/lean.ts';
import { bank, closeBySingle, mislabelled } from './closers.ts';

const lean = conversation();

test('every statement of the bank elaborates, and no single closer proves more than 80', async () => {
  const goals = await bank();
  const closed = await closeBySingle(lean.pool, goals);
  expect(closed.broken).toEqual([]);
  expect(mislabelled(goals, closed)).toEqual([]);
  expect(goals.length - closed.closers.size).toBeGreaterThanOrEqual(40);
});
