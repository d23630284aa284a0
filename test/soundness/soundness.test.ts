import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { sorts } from './attack.ts';
import { allHonest } from './run.ts';
import { attacks, sliceOf, ways } from './suite.ts';
import { soundnessPage } from './table.ts';
import { testAttacks, testHonest } from './testing.ts';
import { page } from './write-page.ts';

/** A slice of the attacks, and one honest proof in three, beside another test file; the second tier runs the whole table. */
testAttacks(sliceOf(ways), 1);
testHonest(
  allHonest.filter((_, index) => index % 3 === 0),
  1,
);

test('every sort comes in at least five disguises', () => {
  const counts = Object.keys(sorts).map((sort) => attacks.filter((attack) => attack.sort === sort).length);
  expect(Math.min(...counts)).toBeGreaterThanOrEqual(5);
});

test('there are at least eighty honest proofs', () => {
  expect(allHonest.length).toBeGreaterThanOrEqual(80);
});

test('docs/ATTACKS.md is what npm run soundness writes', () => {
  expect(readFileSync(page, 'utf8')).toBe(soundnessPage());
});
