import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { Git } from '../../src/io/git.ts';
import { temporaryFolder } from '../helpers/folders.ts';

test('without git, the error says what to install', async () => {
  vi.stubEnv('PATH', '/nonexistent');
  const answer = await new Git(temporaryFolder()).root();
  vi.unstubAllEnvs();
  expect(answer).toMatchObject({
    ok: false,
    error: {
      message: 'git is not installed, or not on PATH',
      fix: 'Install git (Debian: apt-get install git) and try again.',
    },
  });
});

const git = (cwd: string, ...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
    cwd,
    encoding: 'utf8',
  }).trim();

test('a remote that sends more than a file may have is cut off', async () => {
  const [here, remote] = [temporaryFolder(), temporaryFolder()];
  for (const folder of [here, remote]) git(folder, 'init', '--quiet');
  git(here, 'remote', 'add', 'origin', remote);
  writeFileSync(path.join(remote, 'file'), randomBytes(3 << 20));
  const object = git(remote, 'hash-object', '-w', 'file');
  git(remote, 'update-ref', 'refs/x/file', object);
  const fetched = { object, ref: 'refs/x/file' };
  const repository = new Git(here);
  expect(await repository.fetchFile('origin', fetched, 1e6)).toMatchObject({
    ok: false,
    error: { message: 'it is larger than 1 MB' },
  });
  expect(await repository.fetchFile('origin', fetched, 4e6)).toMatchObject({ ok: true });
});

test('a work tree has all files of its commit, however sparse the checkout is', async () => {
  const folder = temporaryFolder();
  git(folder, 'init', '--quiet');
  mkdirSync(path.join(folder, 'B'));
  for (const name of ['A.lean', 'B/B.lean']) writeFileSync(path.join(folder, name), '');
  git(folder, 'add', '--all');
  git(folder, 'commit', '--quiet', '--message', 'first');
  git(folder, 'sparse-checkout', 'set', '--no-cone', '/A.lean');
  const tree = new Git(folder).in(path.join(folder, 'tree'));
  expect(await new Git(folder).addWorktree(tree.folder, 'HEAD')).toMatchObject({ ok: true });
  writeFileSync(path.join(tree.folder, 'B/B.lean'), 'changed');
  expect(await tree.commitAll('second')).toMatchObject({ ok: true });
  expect(git(tree.folder, 'show', '--name-only', '--format=')).toBe('B/B.lean');
});
