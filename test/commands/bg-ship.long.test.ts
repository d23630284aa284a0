import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from '../helpers/folders.ts';
import { GitHubServer } from '../helpers/github-server.ts';
import { Formalisation } from './formalisation.ts';

let server: GitHubServer;
beforeAll(async () => {
  server = await GitHubServer.start();
});
afterAll(async () => await server.close());

const files = {
  'lakefile.toml': 'name = "small"\n[[lean_lib]]\nname = "Small"\n',
  'Small.lean': 'theorem Small.add_zero (n : Nat) : n + 0 = n := by\n  sorry\n',
  '.gitignore': '.orch/\n',
};

function example(): string {
  const folder = temporaryFolder();
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
  return folder;
}

test('bg --ship opens a pull request for each proof while it runs, including new goals, and waits while the work tree is dirty', async () => {
  const clone = new Formalisation(example(), server);
  const stop = new AbortController();
  const background = ['bg', '--ship', '--repo', 'o/r', '--reporter', 'plain', '--cpu-target', '1'];
  const ended = clone.orchUntil(stop.signal, ...background);
  const branches = (): string[] => server.requests.map(({ head }) => head.ref);
  await expect.poll(branches).toEqual(['auto/lem/Small/add_zero']);

  clone.edit('Small.lean', (text) => `${text}\ntheorem Small.four : 2 + 2 = 4 := by\n  sorry\n`);
  const dirty = clone.git('status', '--porcelain');
  clone.commit('One more');
  await expect.poll(branches).toEqual(['auto/lem/Small/add_zero', 'auto/lem/Small/four']);
  stop.abort();
  expect((await ended).code).toBe(0);
  expect(dirty).toContain('Small.lean');
  expect(clone.git('status', '--porcelain')).toBe('');
  expect(clone.git('show', 'origin/auto/lem/Small/four:Small.lean')).not.toMatch(/four[^]*sorry/);
});
