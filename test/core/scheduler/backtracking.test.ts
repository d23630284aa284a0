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

test('an arm that never helped a class of goals rests, once that has been seen often enough', () => {
  expect(restingArms([good, barren, young])).toEqual(['micro/cases']);
});

test('where nothing ever helped, nothing rests', () => {
  expect(restingArms([barren])).toEqual([]);
});
