import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { kindsOf, sorts } from './attack.ts';
import { honest } from './honest.ts';
import {
  attacks,
  entriesOf,
  expectedKinds,
  runAttacks,
  runHonest,
  type HonestOutcome,
  type Outcome,
} from './suite.ts';
import { soundnessPage } from './table.ts';
import { page } from './write-page.ts';

/** Both tables run once, in `beforeAll`; each row is then a test of its own. */
let outcomes: Outcome[] = [];
let honestOutcomes: HonestOutcome[] = [];

beforeAll(async () => {
  outcomes = await runAttacks();
  honestOutcomes = await runHonest();
}, 1_200_000);

const rows = attacks.flatMap((attack) =>
  entriesOf(attack).map((entry) => ({
    attack,
    entry,
    name: `${attack.sort}: ${attack.disguise} (${entry})`,
  })),
);

describe('no attack is accepted', () => {
  test.for(rows)('$name', ({ attack, entry }) => {
    const found = outcomes.find((outcome) => outcome.attack === attack && outcome.entry === entry);
    expect(found?.verdict).toMatchObject({ assurance: null });
    expect(kindsOf(expectedKinds(attack, entry))).toContain(found?.verdict.kind);
    expect(found?.verdict.verdict).not.toBe('accepted');
  });

  test('every sort comes in at least three disguises', () => {
    const counts = Object.keys(sorts).map((sort) => attacks.filter((attack) => attack.sort === sort).length);
    expect(Math.min(...counts)).toBeGreaterThanOrEqual(3);
  });
});

describe('every honest proof is accepted', () => {
  test.for(honest)('$look', (row) => {
    const verdict = honestOutcomes.find((outcome) => outcome.honest === row)?.verdict;
    expect(verdict).toMatchObject({ verdict: 'accepted', assurance: 'replayed' });
    expect([...(verdict?.assumes ?? [])].sort()).toEqual([...(row.assumes ?? [])].sort());
    expect([...(verdict?.axioms ?? [])].sort()).toEqual(
      [...(row.axioms ?? []), ...(row.assumes ?? [])].sort(),
    );
  });

  test('there are at least forty', () => {
    expect(honest.length).toBeGreaterThanOrEqual(40);
  });
});

test('docs/SOUNDNESS.md is what npm run soundness writes', () => {
  expect(readFileSync(page, 'utf8')).toBe(soundnessPage());
});
