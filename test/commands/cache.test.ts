import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../helpers/folders.ts';
import { orchHere } from '../helpers/orch-here.ts';

test('inspecting a missing cache reports that and creates nothing', async () => {
  const cwd = temporaryFolder();
  const stats = await orchHere(['cache', 'stats', '--json'], { cwd });
  expect(stats.code).toBe(0);
  expect(JSON.parse(stats.stdout)).toMatchObject({ scripts: 0, goals: 0, best: [] });
  expect(readdirSync(cwd)).toEqual([]);
});
