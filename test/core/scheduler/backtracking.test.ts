import { expect, test } from 'vitest';
import { backtracking, restingArms } from '../../../src/core/scheduler/backtracking.ts';

const { trials, mean } = backtracking.barren;
const arm = (name: string, itsTrials: number, itsMean: number) => ({
  arm: name,
  score: 1,
  mean: itsMean,
  trials: itsTrials,
});
const good = arm('micro/close', 50, 0.4);
const barren = arm('micro/cases', trials, mean / 2);
const young = arm('micro/search', trials - 1, 0);

test('an arm that never solved a class of goals pauses after enough attempts', () => {
  expect(restingArms([good, barren, young])).toEqual(['micro/cases']);
});

test('no arm pauses for a class that no arm has solved', () => {
  expect(restingArms([barren])).toEqual([]);
});
