import { execFileSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import type { NewScript } from '../../src/store/scripts/script-cache.ts';
import { ScriptStore } from '../../src/store/scripts/scripts.ts';
import { temporaryFolder } from '../helpers/folders.ts';
import { orchHere } from '../helpers/orch-here.ts';

test('inspecting a missing cache reports that and creates nothing', async () => {
  const cwd = temporaryFolder();
  const stats = await orchHere(['cache', 'stats', '--json'], { cwd });
  expect(stats.code).toBe(0);
  expect(JSON.parse(stats.stdout)).toMatchObject({ scripts: 0, goals: 0, best: [] });
  expect(readdirSync(cwd)).toEqual([]);
});

/** A repository whose caches hold some scripts, next to a bare remote. */
function machine(remote: string, ...templates: string[]): string {
  const cwd = temporaryFolder();
  execFileSync('git', ['init', '--quiet', cwd]);
  execFileSync('git', ['-C', cwd, 'remote', 'add', 'origin', remote]);
  if (templates.length === 0) return cwd;
  using store = new ScriptStore(path.join(cwd, '.orch/ledger.scripts.db'), systemClock);
  for (const template of templates) store.learn(scriptOf(template));
  return cwd;
}

const scriptOf = (template: string): NewScript => ({
  shape: 'a'.repeat(32),
  goalHash: 'b'.repeat(64),
  template,
  tokens: ['Nat'],
  lean: 'lean-4.28.0-embedded',
  mathlib: '',
  project: '',
  seconds: 0.5,
});

test('caches travel through refs of a git remote: nothing is forced, three bundles stay, a tag keeps its own', async () => {
  const remote = temporaryFolder();
  execFileSync('git', ['init', '--quiet', '--bare', remote]);
  const refs = (): string[] =>
    execFileSync('git', ['-C', remote, 'for-each-ref', '--format=%(refname)'], { encoding: 'utf8' })
      .split('\n')
      .filter(Boolean);
  for (const template of ['omega', 'simp', 'grind', 'decide', 'rfl']) {
    const cwd = machine(remote, template);
    expect((await orchHere(['cache', 'push'], { cwd })).code).toBe(0);
    expect((await orchHere(['cache', 'push'], { cwd })).stdout).toContain('already');
  }
  expect(refs()).toHaveLength(3);

  const second = machine(remote);
  expect((await orchHere(['cache', 'pull'], { cwd: second })).stdout).toContain('3 new scripts');
  expect((await orchHere(['cache', 'stats'], { cwd: second })).stdout).toContain('3 from bundles');
  expect((await orchHere(['cache', 'push', '--tag', 'stable/M1'], { cwd: second })).code).toBe(0);
  expect(refs()).toContain('refs/orch/stable/M1');
  const third = machine(remote, 'exact rfl');
  const moved = await orchHere(['cache', 'push', '--tag', 'stable/M1'], { cwd: third });
  expect(moved.code).toBe(2);
  expect(moved.stderr).toContain('cannot push refs/orch/stable/M1');

  // anyone who may push can publish nonsense: it is named and skipped
  const junk = path.join(third, 'junk');
  writeFileSync(junk, 'junk');
  const object = execFileSync('git', ['-C', third, 'hash-object', '-w', junk], { encoding: 'utf8' }).trim();
  execFileSync('git', ['-C', third, 'push', '--quiet', 'origin', `${object}:refs/orch/cache/99999999T-junk`]);
  const fourth = machine(remote);
  const { code, stdout } = await orchHere(['cache', 'pull'], { cwd: fourth });
  expect(code).toBe(0);
  expect(stdout).toMatch(/2 new scripts[^]*99999999T-junk: this is not a bundle/);
});
