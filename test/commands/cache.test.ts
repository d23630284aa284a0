import { execFileSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import { exportBundle } from '../../src/store/scripts/bundle.ts';
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
  for (const template of ['omega', 'simp', 'grind', 'decide', 'rfl']) {
    const cwd = machine(remote, template);
    expect((await orchHere(['cache', 'push'], { cwd })).code).toBe(0);
    expect((await orchHere(['cache', 'push'], { cwd })).stdout).toContain('already');
  }
  expect(refsOf(remote)).toHaveLength(3);

  const second = machine(remote);
  expect((await orchHere(['cache', 'pull'], { cwd: second })).stdout).toContain('3 new scripts');
  expect((await orchHere(['cache', 'stats'], { cwd: second })).stdout).toContain('3 from bundles');
  expect((await orchHere(['cache', 'push', '--tag', 'stable/M1'], { cwd: second })).code).toBe(0);
  expect(refsOf(remote)).toContain('refs/orch/stable/M1');
  const third = machine(remote, 'exact rfl');
  const moved = await orchHere(['cache', 'push', '--tag', 'stable/M1'], { cwd: third });
  expect(moved.code).toBe(2);
  expect(moved.stderr).toContain('cannot push refs/orch/stable/M1');
});

test('junk on the remote hides no bundle and removes none, whatever its name says', async () => {
  const remote = temporaryFolder();
  execFileSync('git', ['init', '--quiet', '--bare', remote]);
  const good = machine(remote, 'omega');
  expect((await orchHere(['cache', 'push'], { cwd: good })).code).toBe(0);
  const [real] = refsOf(remote);
  const cwd = machine(remote);
  const git = (...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd, encoding: 'utf8' });
  const put = (name: string, content: string | Buffer): void => {
    writeFileSync(path.join(cwd, 'junk'), content);
    git('push', '--quiet', 'origin', `${git('hash-object', '-w', 'junk').trim()}:refs/orch/cache/${name}`);
  };
  put(junkName(1), 'junk');
  put(junkName(2), 'junk');
  put(junkName(3), exportBundle({}).bytes);
  put('99991231T000000000Z-0000000000000000', 'junk of the future');
  put('zzz', 'junk without a time');
  git('commit', '--quiet', '--allow-empty', '--message', 'no file');
  git('push', '--quiet', 'origin', `HEAD:refs/orch/cache/${junkName(4)}`);

  const pulled = await orchHere(['cache', 'pull'], { cwd: machine(remote) });
  expect(pulled.code).toBe(0);
  expect(pulled.stdout).toMatch(/^1 bundle .*: 1 new script/);
  for (const why of ['this is not a bundle', 'it is empty', 'bad file']) expect(pulled.stdout).toContain(why);

  // those who publish remove what is old, not what is good
  for (const template of ['simp', 'grind']) {
    const published = await orchHere(['cache', 'push'], { cwd: machine(remote, template) });
    expect(published.code).toBe(0);
    expect(refsOf(remote)).toContain(real);
  }
  expect(refsOf(remote)).not.toContain('refs/orch/cache/zzz');
  expect((await orchHere(['cache', 'pull'], { cwd: machine(remote) })).stdout).toContain('3 new scripts');
});

/** Dated a minute ahead: as near as an honest clock may be. */
const junkName = (number: number): string =>
  `${new Date(Date.now() + 60_000).toISOString().replaceAll(/[-:.]/g, '')}-${String(number).padStart(16, '0')}`;

const refsOf = (remote: string): string[] =>
  execFileSync('git', ['-C', remote, 'for-each-ref', '--format=%(refname)'], { encoding: 'utf8' })
    .split('\n')
    .filter(Boolean);
