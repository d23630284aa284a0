import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Git } from '../../../src/io/git.ts';
import { GitHub } from '../../../src/io/github.ts';
import { openBase, ship, type Shipment, type Shipped } from '../../../src/lean/ship/ship.ts';
import { branchOf, broughtAlong, textsOf, type ShippedProof } from '../../../src/lean/ship/texts.ts';
import { inWorktree } from '../../../src/lean/ship/worktree.ts';
import { GitHubServer } from '../../helpers/github-server.ts';
import { longTest } from '../../helpers/tier.ts';

const before = 'theorem Demo.one : 1 = 1 := sorry\n';
const after = 'theorem Demo.one : 1 = 1 := by rfl\n';
const secret = 'ghp_0123456789secret';

let folder: string;
let server: GitHubServer;
let git: Git;
const slept: number[] = [];

beforeAll(async () => {
  server = await GitHubServer.start();
});

afterAll(async () => await server.close());

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'orch-ship-test-'));
  const remote = path.join(folder, 'remote.git');
  const work = path.join(folder, 'work');
  execFileSync('git', ['init', '--quiet', '--bare', remote]);
  execFileSync('git', ['init', '--quiet', '--initial-branch=dev', work]);
  git = new Git(work);
  inGit('config', 'user.name', 'A Person');
  inGit('config', 'user.email', 'person@example.invalid');
  // an address that is meant from the work tree
  inGit('remote', 'add', 'origin', '../remote.git');
  mkdirSync(path.join(work, 'Demo'));
  writeFileSync(path.join(work, 'Demo/One.lean'), before);
  inGit('add', '--all');
  inGit('commit', '--quiet', '--message', 'Begin');
  inGit('push', '--quiet', 'origin', 'dev');
  server.requests.length = 0;
  server.seen.length = 0;
  server.faults.length = 0;
  slept.length = 0;
  return () => rmSync(folder, { recursive: true });
});

const inGit = (...args: string[]): string =>
  execFileSync('git', args, { cwd: git.folder, encoding: 'utf8' }).trim();

const proof: ShippedProof = {
  name: 'Demo.one',
  file: 'Demo/One.lean',
  proof: 'by rfl',
  assurance: 'replayed',
  strategy: 'micro',
  seconds: 12.44,
  cost: { cpu: 75, gpu: 0, cloud: 0 },
  cacheHits: 2,
  toolchain: 'lean-4.28.0',
  nodes: ['lem:one'],
  below: ['Demo.zero'],
  isFullyProved: true,
  attempts: 8,
  dollars: 0.0125,
  axioms: ['propext'],
  premises: ['Nat.add_comm'],
  secondKernel: null,
  statementHashes: ['5f1d'],
  sorries: { before: 3, after: 1 },
  stuck: ['Demo.two'],
};

const github = () =>
  new GitHub({
    owner: 'o',
    repo: 'r',
    token: secret,
    api: server.api,
    now: () => Date.now(),
    sleep: async (ms) => void slept.push(ms),
  });

const branch = 'auto/lem/Demo/one';

/** In the gate's terms: a file is the proof, or it is not. */
const shipment = (changes: Partial<ShippedProof>): Shipment => ({
  name: proof.name,
  branch,
  write: async (tree) => {
    writeFileSync(path.join(tree, proof.file), after);
    return { ok: true, value: textsOf({ ...proof, ...changes }) };
  },
  holds: async (tree) =>
    readFileSync(path.join(tree, proof.file), 'utf8') === after
      ? { ok: true, value: textsOf({ ...proof, ...changes }) }
      : { ok: false, error: { kind: 'branch', message: 'another statement' } },
});

async function shipIt(changes: Partial<ShippedProof> = {}): Promise<Shipped> {
  const options = { base: 'dev', remote: 'origin', github: github() };
  const [result] = await ship(git, await openBase(git, options), [shipment(changes)], options);
  if (!result) throw new Error('nothing was shipped');
  return result;
}

describe('a proof', () => {
  test('becomes a branch with one commit and a labelled pull request; the work tree is unchanged', async () => {
    expect(await shipIt()).toMatchObject({ result: 'opened', branch, url: 'https://example.invalid/pull/1' });
    expect(inGit('status', '--porcelain')).toBe('');
    expect(inGit('rev-parse', '--abbrev-ref', 'HEAD')).toBe('dev');
    expect(inGit('worktree', 'list').split('\n')).toHaveLength(1);
    inGit('fetch', '--quiet');
    expect(inGit('show', `origin/${branch}:Demo/One.lean`)).toBe(after.trim());
    expect(inGit('rev-list', '--count', `origin/dev..origin/${branch}`)).toBe('1');
    expect(inGit('log', '-1', '--format=%B', `origin/${branch}`)).toBe(
      [
        'feat(lean): add Demo.one',
        '',
        '[status] fully_proved=true assurance=replayed',
        '[metrics] time=12.4s tactics=1 strategies=micro',
        '[cost] local_cpu_s=75.0 local_gpu_s=0.0 cloud_gpu_s=0.0',
        '[with] Demo.zero',
      ].join('\n'),
    );
    expect(server.requests[0]).toMatchObject({ base: { ref: 'dev' }, title: 'feat(lean): add Demo.one' });
    expect(server.requests[0]?.labels).toEqual([{ name: 'needs-cloud' }]);
    for (const line of [
      'Local: CPU 00:01:15',
      'Open in the project: 3 sorrys → 1',
      'Cache: 2 of 8 attempts used one (25 %)',
      'models: $0.0125',
      'Axioms: `propext`',
      'lemmas used: `Nat.add_comm`',
      'Second kernel: not asked',
      'Statement: unchanged, as the gate compared it with the base; hash of the elaborated statement: `5f1d`',
    ])
      expect(server.requests[0]?.body).toContain(line);
    expect(server.requests[0]?.body).toContain('Still open in this file, and critical: `Demo.two`');
  });

  longTest('that was expensive counts as solved: the label needs-cloud is for open goals', async () => {
    await shipIt({ stuck: [], cost: { cpu: 9000, gpu: 0, cloud: 0 } });
    expect(server.requests[0]?.labels).toEqual([]);
  });

  test('shipping twice makes one pull request, and the second time changes nothing', async () => {
    await shipIt();
    expect(await shipIt()).toMatchObject({ result: 'unchanged' });
    expect(await shipIt({ cost: { cpu: 5, gpu: 0, cloud: 0 } })).toMatchObject({ result: 'updated' });
    expect(server.requests).toHaveLength(1);
    inGit('fetch', '--quiet');
    expect(inGit('rev-list', '--count', `origin/dev..origin/${branch}`)).toBe('1');
  });

  longTest('removes the work tree of a killed run, and no other', async () => {
    const trees = ['orch-ship-999999999-killed', `orch-ship-${process.pid}-alive`].map((name) =>
      path.join(folder, name, 'tree'),
    );
    for (const tree of trees) inGit('worktree', 'add', '--quiet', '--detach', tree);
    await shipIt();
    expect(trees.map((tree) => existsSync(tree))).toEqual([false, true]);
  });

  longTest('whose pull request was closed is not proposed again', async () => {
    await shipIt();
    for (const request of server.requests) request.state = 'closed';
    expect(await shipIt()).toMatchObject({ result: 'closed' });
    expect(server.requests).toHaveLength(1);
  });

  test('whose branch has other content is a conflict, and nothing is force-pushed', async () => {
    await shipIt();
    const theirs = 'theorem Demo.one : 1 = 2 := by contradiction\n';
    inGit('checkout', '--quiet', '-b', 'other', 'origin/dev');
    writeFileSync(path.join(git.folder, 'Demo/One.lean'), theirs);
    inGit('commit', '--quiet', '--all', '--message', 'Another proof');
    inGit('push', '--quiet', '--force', 'origin', `HEAD:${branch}`);
    expect(await shipIt()).toMatchObject({ result: 'conflict' });
    inGit('fetch', '--quiet');
    expect(inGit('show', `origin/${branch}:Demo/One.lean`)).toBe(theirs.trim());
  });
});

describe('refused before anything happens', () => {
  test('a dirty work tree, not counting orch’s own files', async () => {
    mkdirSync(path.join(git.folder, 'Demo/.orch'));
    writeFileSync(path.join(git.folder, 'Demo/.orch/ledger.db'), 'ours');
    await openBase(git, { base: 'dev', remote: 'origin' });
    writeFileSync(path.join(git.folder, 'new.txt'), 'new');
    await expect(shipIt()).rejects.toThrow(/changes that are not committed: \?\? new.txt/);
    expect(server.seen).toEqual([]);
  });

  test('a base that does not exist, a folder that is not a repository', async () => {
    const options = { base: 'nowhere', remote: 'origin' };
    await expect(openBase(git, options)).rejects.toThrow(/no branch nowhere/);
    await expect(openBase(new Git(folder), options)).rejects.toThrow(/is not in a git repository/);
  });
});

describe('GitHub', () => {
  longTest('rate limits and lost connections are retried', async () => {
    server.faults.push('rate-limit', 'lost');
    expect(await shipIt()).toMatchObject({ result: 'opened' });
    expect(slept[0]).toBe(1000);
  });

  test('an existing pull request is updated, never duplicated', async () => {
    await shipIt();
    server.faults.push('hidden');
    expect(await shipIt({ seconds: 1, cacheHits: 9 })).toMatchObject({ result: 'updated' });
    expect(server.requests).toHaveLength(1);
  });

  test.each([
    ['long-limit', /rate-limit/],
    ['not-found', /not-found/],
  ] as const)('%s is reported, and the branch is kept for the next attempt', async (fault, message) => {
    server.faults.push(fault);
    const failed = await shipIt();
    expect(failed).toMatchObject({ result: 'failed' });
    expect(failed.message).toMatch(message);
    expect(await shipIt()).toMatchObject({ result: 'opened' });
  });

  longTest('is unreachable: reported without the token', async () => {
    server.faults.push('lost', 'lost', 'lost', 'lost', 'lost', 'lost');
    const failed = await shipIt();
    expect(failed.result).toBe('failed');
    expect(JSON.stringify(failed)).not.toContain(secret);
    expect(server.seen[0]?.authorization).toBe(`token ${secret}`);
  });

  longTest('a missing remote is reported', async () => {
    inGit('remote', 'set-url', 'origin', path.join(folder, 'nowhere.git'));
    expect(await shipIt()).toMatchObject({ result: 'failed' });
    expect(existsSync(path.join(git.folder, 'Demo/One.lean'))).toBe(true);
    expect(readFileSync(path.join(git.folder, 'Demo/One.lean'), 'utf8')).toBe(before);
  });
});

test('a work tree uses the project’s packages without committing them', async () => {
  const packages = [
    { type: 'git', name: 'near' },
    { type: 'path', name: 'beside', dir: '../beside' },
    { type: 'path', name: 'far', dir: '../../../far' },
  ];
  writeFileSync(path.join(git.folder, 'lake-manifest.json'), JSON.stringify({ packages }));
  writeFileSync(path.join(git.folder, '.gitignore'), '.lake/\n');
  inGit('add', '--all');
  inGit('commit', '--quiet', '--message', 'Packages');
  for (const place of ['.lake/packages/near', '../beside']) {
    mkdirSync(path.join(git.folder, place), { recursive: true });
    writeFileSync(path.join(git.folder, place, 'lakefile.toml'), `name = "${path.basename(place)}"\n`);
  }
  const seen = await inWorktree(git, 'HEAD', async (tree) => ({
    files: ['.lake/packages/near', '../beside', '../../../far'].map((place) =>
      existsSync(path.join(tree.folder, place, 'lakefile.toml')),
    ),
    changes: await tree.changes(),
  }));
  expect(seen).toEqual({
    ok: true,
    value: { files: [true, true, false], changes: { ok: true, value: '' } },
  });
  expect(existsSync(path.join(git.folder, '.lake/packages/near/lakefile.toml'))).toBe(true);
});

test('shipped goals are read back from the commit messages', () => {
  expect(broughtAlong('feat(lean): add A.b\n\n[with] A.c, A.d\n\nother')).toEqual(['A.c', 'A.d']);
});

test('the namespace is one path part of the branch name', () => {
  expect(branchOf('A.B.c')).toBe('auto/lem/A.B/c');
  expect(branchOf('c')).toBe('auto/lem/root/c');
  expect(branchOf('A.«odd name»')).toBe('auto/lem/A/-odd-name-');
});

test('the checks of a commit are passed, failed or running', async () => {
  server.checks.push(
    { name: 'Lean build', status: 'completed', conclusion: 'success' },
    { name: 'docs', status: 'completed', conclusion: 'skipped' },
    { name: 'orch check', status: 'completed', conclusion: 'failure' },
    { name: 'Blueprint', status: 'completed', conclusion: 'timed_out' },
    { name: 'Milestone', status: 'in_progress', conclusion: null },
  );
  const checks = await github().checksOf('0123456789');
  expect(checks.ok && checks.value.map(({ state }) => state)).toEqual([
    'green',
    'green',
    'red',
    'red',
    'running',
  ]);
});
