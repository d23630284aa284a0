import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { sorts } from './attack.ts';
import { allHonest } from './run.ts';
import { attacks, sliceOf, ways } from './suite.ts';
import { soundnessPage } from './table.ts';
import { testAttacks, testHonest } from './testing.ts';
import { page } from './write-page.ts';

/** Honest files next to the attacks on names, references and guards. */
const neighbours: ReadonlySet<string> = new Set([
  'names that only look like those of recursors',
  'the reference’s modules copied, and a module of one’s own beside them',
  'a guard that says which error it expects of an example',
]);

/** A slice of the attacks and of the honest rows; the second tier runs the whole tables. */
testAttacks(sliceOf(ways), 1);
testHonest(
  allHonest.filter((row, index) => ('file' in row ? neighbours.has(row.look) : index % 24 === 0)),
  1,
);

test('every honest counterpart is in the table', () => {
  const looks = new Set(allHonest.map(({ look }) => look));
  expect([...neighbours].filter((look) => !looks.has(look))).toEqual([]);
});

test('every kind of attack has at least five disguises', () => {
  const counts = Object.keys(sorts).map((sort) => attacks.filter((attack) => attack.sort === sort).length);
  expect(Math.min(...counts)).toBeGreaterThanOrEqual(5);
});

test('there are at least eighty honest proofs', () => {
  expect(allHonest.length).toBeGreaterThanOrEqual(80);
});

test('docs/ATTACKS.md matches the output of npm run soundness', () => {
  expect(readFileSync(page, 'utf8')).toBe(soundnessPage());
});
