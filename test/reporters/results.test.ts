import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { RunSoFar } from '../../src/reporters/record.ts';
import { Results, resultsOf, writeResults } from '../../src/reporters/results.ts';
import { temporaryFolder } from '../helpers/folders.ts';
import { resultsFrom, smallRun } from './recorded.ts';

describe('results', () => {
  test('keep all former fields, and have more', () => {
    expect(resultsFrom(smallRun)).toMatchObject({
      timestamp: '20260102-030405',
      goals_total: 5,
      goals_processed: 5,
      goals_solved: 2,
      strategies: { micro: { used: 4, succeeded: 2, attempts: 5 } },
      config: { timeout: 120, max_heavy: 0, max_light: 8, cpu_target: 0.5, profile: 0 },
      arms: {
        'micro/close': { used: 3, succeeded: 1, attempts: 3 },
        'micro/library': { used: 1, succeeded: 0 },
        'micro/induct': { used: 1, succeeded: 1 },
      },
      toolchain: 'lean-4.28.0-embedded',
      seed: 7,
      version: '0.1.0',
      cpu_seconds: 130.6,
      lean_cpu_seconds: 125,
      host_cpu_seconds: 5.6,
      utilisation: 0.4926,
      reason: 'timeout',
    });
  });

  test('have one row per goal, in the order of the queue', () => {
    const { goals } = resultsFrom(smallRun);
    expect(goals.map(({ id }) => id)).toEqual(['nat_add', 'list_map', 'hard_one', 'odd|one', 'open_one']);
    expect(goals[1]).toMatchObject({ label: 'medium', topic: 'List', difficulty: 0.5, arm: 'micro/induct' });
    expect(goals[2]).toMatchObject({ label: 'hard', difficulty: 0.8, solved: false });
    expect(goals[4]).toMatchObject({ solved: false, attempts: 1 });
  });

  test('an unfinished run has none', () => {
    const record = new RunSoFar();
    for (const event of smallRun.slice(0, -1)) record.apply(event);
    expect(resultsOf(record)).toBeUndefined();
  });

  test('are written atomically, never overwrite others, and are read back unchanged', () => {
    const folder = path.join(temporaryFolder(), 'bench/results');
    const results = resultsFrom(smallRun);
    const first = writeResults(folder, 'bank', results);
    writeResults(folder, 'bank', results);
    expect(readdirSync(folder).sort()).toEqual(['bank-20260102-030405-2.json', 'bank-20260102-030405.json']);
    expect(Results.parse(JSON.parse(readFileSync(first, 'utf8')))).toEqual(results);
  });
});
