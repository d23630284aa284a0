import { expect, test } from 'vitest';
import { LeftOpen } from '../../../src/lean/workbench/left-open.ts';
import { batchSize } from '../../../src/lean/workbench/step-options.ts';

const goalOf = (target: string, size: number, kind: 'equation' | 'other' = 'other') => ({
  hypotheses: Array.from({ length: size }, (_, at) => ({ name: `h${at}`, type: 'p', kind })),
  target,
});

const stateOf = (...goals: readonly ReturnType<typeof goalOf>[]) => ({ key: JSON.stringify(goals), goals });

test('the smallest open goals are kept, each once, those with assumptions first', () => {
  const left = new LeftOpen();
  left.note(stateOf());
  left.note(stateOf(goalOf('a', 1), goalOf('b', 1))); // two at once: neither was the only one
  expect(left.states).toEqual([]);
  for (const size of [7, 2, 6, 3, 2]) left.note(stateOf(goalOf(`p ${size}`, size)));
  left.note(stateOf(goalOf('a = b', 8, 'equation')));
  const targets = left.states.map(({ goals }) => goals[0]?.target);
  expect(targets).toEqual(['a = b', 'p 2', 'p 3', 'p 6', 'p 7']);
  for (let size = 10; size < 30; size++) left.note(stateOf(goalOf('q', size)));
  expect(left.states).toHaveLength(12);
});

test('batches are shorter for more expensive tactics', () => {
  expect([400, 501, 1501].map((heartbeats) => batchSize(heartbeats, 'closed'))).toEqual([8, 3, 1]);
  expect([400, 1501].map((heartbeats) => batchSize(heartbeats, 'fewer-goals'))).toEqual([2, 1]);
});
