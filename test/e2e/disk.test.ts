import path from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../helpers/folders.ts';
import { orch, run, type Finished } from '../helpers/orch.ts';

/** The message when the cache cannot be filled: a sentence, what to do, and the exit code of a broken set-up. */
const claim = ['check', '--stmt', 'theorem t : 1 = 1', '--proof', 'rfl'];

function expectAdvice({ code, stdout, stderr }: Finished, said: RegExp): void {
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(said);
  expect(stderr).toContain('ORCH_CACHE_DIR');
  expect(stderr).not.toMatch(/^\s+at /m);
}

test.each(['/dev/null/cache', '/proc/cache'])('a cache that cannot be written: %s', async (folder) => {
  expectAdvice(await orch(claim, { env: { ORCH_CACHE_DIR: folder } }), /cannot|not be written/i);
});

const cli = path.resolve(import.meta.dirname, '../../src/cli.ts');

test('output to a full disk', async () => {
  const { code, stderr } = await run('sh', [
    '-c',
    '"$@" > /dev/full',
    'sh',
    process.execPath,
    cli,
    'explain',
  ]);
  expect([code, stderr]).toEqual([
    2,
    expect.stringMatching(/^orch: the output cannot be written \(ENOSPC.*\)\n$/),
  ]);
});

test('a full disk', async () => {
  const folder = temporaryFolder();
  const mounted = `mount -t tmpfs -o size=100k tmpfs "$1" && shift && exec "$@"`;
  const unshare = ['--user', '--map-root-user', '--mount', 'sh', '-c', mounted, 'sh', folder];
  const env = { ORCH_CACHE_DIR: folder, ORCH_LEAN: 'embedded' };
  const finished = await run('unshare', [...unshare, process.execPath, cli, ...claim], { env });
  // a small disk needs namespaces; without them the folder is an ordinary one
  if (/unshare failed|Operation not permitted|permission denied/i.test(finished.stderr)) return;
  expectAdvice(finished, /the disk is too full: .* needs \d+ MB in .*, where 0 MB are free/);
});
