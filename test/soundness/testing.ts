import { beforeAll, describe, expect, test } from 'vitest';
import { kindsOf } from './attack.ts';
import type { Honest, HonestFile } from './honest/honest.ts';
import { runAttacks, runHonest, type HonestOutcome, type Lanes, type Outcome } from './run.ts';
import { expectedKinds, type Way } from './suite.ts';

/** A table runs once, in `beforeAll`; each of its rows is a separate test. */
export function testAttacks(chosen: readonly Way[], lanes: Lanes): void {
  describe('no attack is accepted', () => {
    let outcomes: Outcome[] = [];
    beforeAll(async () => {
      outcomes = await runAttacks(chosen, lanes);
    }, 3_600_000);

    const rows = chosen.map(({ attack, entry }) => ({
      attack,
      entry,
      name: `${attack.sort}: ${attack.disguise} (${entry})`,
    }));
    test.for(rows)('$name', ({ attack, entry }) => {
      const found = outcomes.find((outcome) => outcome.attack === attack && outcome.entry === entry);
      expect(found?.verdict).toMatchObject({ assurance: null });
      expect(kindsOf(expectedKinds(attack, entry))).toContain(found?.verdict.kind);
      expect(found?.verdict.verdict).not.toBe('accepted');
    });
  });
}

export function testHonest(chosen: readonly (Honest | HonestFile)[], lanes: Lanes): void {
  describe('every honest proof is accepted', () => {
    let outcomes: HonestOutcome[] = [];
    beforeAll(async () => {
      outcomes = await runHonest(chosen, lanes);
    }, 1_200_000);

    test.for(chosen.filter((row): row is Honest => !('file' in row)))('$look', (row) => {
      const [verdict] = outcomes.find((outcome) => outcome.honest === row)?.verdicts ?? [];
      expect(verdict).toMatchObject({ verdict: 'accepted', assurance: 'replayed' });
      if (row.bound) expect([...(verdict?.bound ?? [])].sort()).toEqual(row.bound);
      expect([...(verdict?.assumes ?? [])].sort()).toEqual([...(row.assumes ?? [])].sort());
      expect([...(verdict?.axioms ?? [])].sort()).toEqual(
        [...(row.axioms ?? []), ...(row.assumes ?? [])].sort(),
      );
    });

    test.for(chosen.filter((row) => 'file' in row))('a file: $look', (row) => {
      const verdicts = outcomes.find((outcome) => outcome.honest === row)?.verdicts ?? [];
      expect(verdicts.length).toBeGreaterThan(0);
      for (const verdict of verdicts) expect(verdict).toMatchObject({ verdict: 'accepted' });
    });
  });
}
