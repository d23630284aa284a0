import { expect, test } from 'vitest';
import { LeftOpen } from '../../../src/lean/workbench/left-open.ts';
import { batchSize } from '../../../src/lean/workbench/step-options.ts';

const goalOf = (target: string, type?: string, kind: 'equation' | 'other' = 'other') => ({
  hypotheses: type === undefined ? [] : [{ name: 'h', type, kind }],
  target,
});

test('the smallest open goals are kept, each once, those with hypotheses first', () => {
  const left = new LeftOpen();
  left.note([]);
  left.note([goalOf('a'), goalOf('b')]); // two at once: neither was the only one
  expect(left.goals).toEqual([]);
  for (const target of ['1234567', '12', '123456', '123']) left.note([goalOf(target)]);
  left.note([goalOf('1', '12345678')]);
  left.note([goalOf('12')]);
  left.note([goalOf('12345678', 'a = b', 'equation')]);
  const targets = ['12345678', '12', '123', '123456', '1234567', '1'];
  expect(left.goals.map(({ target }) => target)).toEqual(targets);
  for (let size = 10; size < 30; size++) left.note([goalOf('0'.repeat(size))]);
  expect(left.goals).toHaveLength(12);
});

test('unnamed hypotheses get names', () => {
  const left = new LeftOpen();
  const hypotheses = [
    { name: 'x✝¹', type: 'Nat' },
    { name: 'x✝', type: 'Fin x✝¹' },
  ];
  left.note([{ hypotheses, target: 'x✝.val < x✝¹' }]);
  expect(left.goals).toEqual([
    {
      hypotheses: [
        { name: 'x_1', type: 'Nat' },
        { name: 'x_0', type: 'Fin x_1' },
      ],
      target: 'x_0.val < x_1',
    },
  ]);
});

test('batches are shorter for more expensive tactics', () => {
  expect([400, 501, 1501].map((heartbeats) => batchSize(heartbeats, 'closed'))).toEqual([8, 3, 1]);
  expect([400, 1501].map((heartbeats) => batchSize(heartbeats, 'fewer-goals'))).toEqual([2, 1]);
});
