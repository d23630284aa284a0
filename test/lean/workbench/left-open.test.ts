import { expect, test } from 'vitest';
import { LeftOpen } from '../../../src/lean/workbench/left-open.ts';
import { batchSize } from '../../../src/lean/workbench/step-options.ts';

const goalOf = (target: string, ...types: string[]) => ({
  hypotheses: types.map((type, index) => ({ name: `h${index}`, type })),
  target,
});

test('of goals that were left alone the five smallest are kept, each once, hypotheses counted', () => {
  const left = new LeftOpen();
  left.note([]);
  left.note([goalOf('a'), goalOf('b')]); // two at once: neither was the only one
  expect(left.goals).toEqual([]);
  for (const target of ['1234567', '12', '123456', '123', '12345', '1234']) left.note([goalOf(target)]);
  left.note([goalOf('1', '12345678')]);
  left.note([goalOf('12')]);
  expect(left.goals.map(({ target }) => target)).toEqual(['12', '123', '1234', '12345', '123456']);
});

test('the more a tactic may cost, the shorter the batch', () => {
  expect([400, 501, 1501].map((heartbeats) => batchSize(heartbeats, 'closed'))).toEqual([8, 3, 1]);
  expect([400, 1501].map((heartbeats) => batchSize(heartbeats, 'fewer-goals'))).toEqual([2, 1]);
});
