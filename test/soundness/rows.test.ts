import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from '../helpers/folders.ts';
import { jsonLines, orch } from '../helpers/orch.ts';
import { rowAttacks, rowsBeside } from './attacks/rows.ts';

/** All rows in one run: a hostile one must not spoil those beside it either. */
let solved: ReadonlyMap<unknown, unknown>;

beforeAll(async () => {
  const cwd = temporaryFolder();
  const rows = [...rowAttacks, ...rowsBeside].map((row) => JSON.stringify(row));
  writeFileSync(path.join(cwd, 'goals.jsonl'), `${rows.join('\n')}\n`);
  const args = ['run', 'goals.jsonl', '--reporter', 'json', '--goal-cpu', '1', '--num-procs', '1'];
  const { stdout } = await orch([...args, '--cpu-target', '1'], { cwd });
  const goals = (jsonLines(stdout) as Record<string, unknown>[]).filter(({ type }) => type === 'goal');
  solved = new Map(goals.map(({ id, solved: isSolved }) => [id, isSolved]));
}, 300_000);

test.for(rowAttacks)('$id: the row is not solved', ({ id }) => {
  expect(solved.get(id)).toBe(false);
});

test.for(rowsBeside)('$id: the row beside is', ({ id }) => {
  expect(solved.get(id)).toBe(true);
});
