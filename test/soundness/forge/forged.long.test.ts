import { expect, test } from 'vitest';
import { openGate } from '../run.ts';
import { describeForged, faultOf, forgedExports, judgeForged } from './forged.ts';
import { tricks } from './forgery.ts';

const seed = 417;
const count = 6000;
const lanes = 2;

test(`${count} forged exports: every trick is tried often, and the judge accepts none`, async () => {
  const waiting = forgedExports(seed, count);
  const faults: string[] = [];
  const tried = new Map<string, number>();
  const lane = async (): Promise<void> => {
    await using lean = await openGate();
    for (const forged of waiting) {
      const judged = await judgeForged(lean.gate, forged);
      const fault = faultOf(judged);
      if (fault !== undefined) faults.push(`${fault}: ${describeForged(judged)}`);
      for (const trick of forged.forgery.tricks) tried.set(trick, (tried.get(trick) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  expect(faults).toEqual([]);
  const seldom = Object.keys(tricks).filter((trick) => (tried.get(trick) ?? 0) <= 20);
  expect(seldom).toEqual([]);
});
