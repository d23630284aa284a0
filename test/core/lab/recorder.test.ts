import { expect, test } from 'vitest';
import { systemClock } from '../../../src/core/clock.ts';
import { recordGoal } from '../../../src/core/lab/recorder.ts';
import { division, FactorDomain, strategyOf } from '../scheduler/factoring.ts';

const ways = strategyOf('divide', { small: division(3), middle: division(5), large: division(100) });
const staged = {
  ...ways,
  arms: (work: Parameters<typeof ways.arms>[0]) =>
    ways.arms(work).map((arm) => ({ ...arm, stage: arm.name === 'divide/small' ? 0 : 1 })),
};

const parts = () => ({
  domain: new FactorDomain(),
  clock: systemClock,
  signal: new AbortController().signal,
});

async function solvedBy(n: number, onlyReached: boolean): Promise<string[] | undefined> {
  const row = await recordGoal(parts, { n }, String(n), [staged], { cpuSeconds: 1, seed: 1, onlyReached });
  return row?.arms.map(({ arm, solved }) => `${arm} ${solved}`);
}

test('every arm is tried, even if others have solved the goal', async () => {
  expect(await solvedBy(15, false)).toEqual(['divide/small true', 'divide/middle true', 'divide/large true']);
  expect(await solvedBy(7.5, false)).toBeUndefined();
});

test('only arms after a cheap arm that solves the goal are skipped', async () => {
  expect(await solvedBy(15, true)).toEqual(['divide/small true']);
  expect(await solvedBy(25, true)).toEqual(['divide/small false', 'divide/middle true', 'divide/large true']);
});
