import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { writeResults } from '../../src/reporters/results.ts';
import { temporaryFolder } from '../helpers/folders.ts';
import { orchHere } from '../helpers/orch-here.ts';
import { added, closed, finished, resultsFrom, started, unsolved } from '../reporters/recorded.ts';

function twoRuns(folder: string): [a: string, b: string] {
  const a = [
    ...['same', 'gained', 'slower', 'faster', 'noise', 'only_a'].map((goal) => added(goal)),
    closed('same', 1),
    unsolved('gained', 2),
    closed('slower', 3, { cpu_seconds: 1 }),
    closed('faster', 4, { cpu_seconds: 9 }),
    closed('noise', 5, { cpu_seconds: 1 }),
    closed('only_a', 5),
  ];
  const b = [
    ...['same', 'gained', 'slower', 'faster', 'noise'].map((goal) => added(goal)),
    closed('same', 1),
    closed('gained', 2, { cpu_seconds: 2 }),
    closed('slower', 3, { cpu_seconds: 4 }),
    closed('faster', 4, { cpu_seconds: 3 }),
    closed('noise', 5, { cpu_seconds: 1.2 }),
  ];
  return [
    writeResults(
      folder,
      'a',
      resultsFrom([started(), ...a, finished(60, { goals_total: 6, goals_solved: 5 })]),
    ),
    writeResults(
      folder,
      'b',
      resultsFrom([started({ seed: 8 }), ...b, finished(60, { goals_total: 5, goals_solved: 5 })]),
    ),
  ];
}

describe('orch compare', () => {
  test('lists newly solved, slower, faster and missing goals, with totals side by side', async () => {
    const [a, b] = twoRuns(temporaryFolder());
    const { code, stdout, stderr } = await orchHere(['compare', a, b]);
    expect(stderr).toBe('');
    expect(stdout).toContain('Newly solved (1)\n  gained  micro/close  2.0 CPU-s\n');
    expect(stdout).toContain('Slower (1)\n  slower  1.0 → 4.0 CPU-s\n');
    expect(stdout).toContain('Faster (1)\n  faster  9.0 → 3.0 CPU-s\n');
    expect(stdout).toContain('Only before (1)\n  only_a\n');
    expect(stdout).toMatch(/goals_total +6 +5\n/);
    expect(stdout).toMatch(/seed +7 +8\n/);
    expect(stdout).not.toContain('Lost');
    expect(code).toBe(0);
  });

  test('exits 1 when a goal was lost', async () => {
    const [a, b] = twoRuns(temporaryFolder());
    const { code, stdout } = await orchHere(['compare', b, a, '--json']);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      lost: [{ id: 'gained', solved: false }],
      gained: [],
      onlyInB: ['only_a'],
    });
  });

  test.each([
    ['no file', undefined],
    ['no JSON', '{'],
    ['other JSON', '{"goals_total": 3}'],
  ])('%s exits 2 and names the file', async (_, text) => {
    const folder = temporaryFolder();
    const [a] = twoRuns(folder);
    const file = path.join(folder, 'bad.json');
    if (text !== undefined) writeFileSync(file, text);
    const { code, stdout, stderr } = await orchHere(['compare', a, file]);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain('bad.json');
    expect(stderr).not.toContain('unexpected error');
  });
});
