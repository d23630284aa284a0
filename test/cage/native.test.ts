import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { Child } from '../../src/io/child.ts';
import { findSandbox, type Sandbox } from '../../src/io/sandbox.ts';
import { examine } from '../../src/lean/doctor.ts';
import { ownNamespaces } from '../../src/lean/toolchain/embedded/namespaces.ts';
import { accessOf, addressSpaceKilobytes, cagedWorker } from '../../src/lean/toolchain/native-cage.ts';
import { embeddedWalls, nativeWalls } from '../../src/lean/toolchain/walls.ts';
import { temporaryFolder } from '../helpers/folders.ts';
import { run } from '../helpers/orch.ts';

const searchPath = process.env['PATH'];
const hidesFiles = ({ kind }: Sandbox): boolean => kept[kind] === everything;

const everything = ['read files', 'write files', 'use the network', 'reach Unix sockets', 'signal processes'];

/**
 * The accesses that each sandbox prevents. Where mounts are forbidden, files stay readable, and doctor reports
 * that.
 */
const kept: Readonly<Record<Sandbox['kind'], readonly string[]>> = {
  bubblewrap: everything,
  mounts: everything,
  namespaces: ['use the network', 'signal processes'],
  none: [],
};

test('the sandbox of a native Lean blocks every attempt', async () => {
  const sandbox = await findSandbox(searchPath);
  const held = (await nativeWalls(sandbox)).filter(({ holds }) => holds).map(({ name }) => name);
  expect(held).toEqual(kept[sandbox.kind]);
});

test('a worker of the embedded Lean: every way out, tried with its own flags', async () => {
  const isApart = (await ownNamespaces()).length > 0;
  const open = (await embeddedWalls()).filter(({ holds }) => !holds).map(({ name }) => name);
  expect(open).toEqual(
    isApart ? ['reach Unix sockets'] : ['use the network', 'reach Unix sockets', 'signal processes'],
  );
});

test('a program sees its own files below the temporary folder, but no others and no secrets', async () => {
  const sandbox = await findSandbox(searchPath);
  const folder = temporaryFolder();
  const place = (name: string): string => path.join(folder, name);
  for (const name of ['project/.orch', 'project/.git', 'beside']) mkdirSync(place(name), { recursive: true });
  for (const name of [
    'project/A.lean',
    'project/.env',
    'project/.orch/ledger.db',
    'project/.git/config',
    'beside/b',
  ])
    writeFileSync(place(name), name);
  const lean = { kind: 'lake', command: '/bin/sh', prefix: [], folder: place('project') } as const;
  const access = accessOf(lean, place('project/A.lean'), folder, {});
  const read = (names: readonly string[]): string[] => names.map((name) => `cat ${place(name)}; echo ,`);
  const script = read([
    'project/A.lean',
    'project/.env',
    'project/.orch/ledger.db',
    'project/.git/config',
  ]).join('\n');
  const [command = '', ...args] = sandbox.wrap(['/bin/sh', '-c', script], { ...access, read: [lean.folder] });
  const { stdout } = await run(command, args);
  const seen = stdout.replaceAll('\n', '').split(',').slice(0, -1);
  expect(seen[0]).toBe('project/A.lean');
  if (hidesFiles(sandbox)) expect(seen.slice(1)).toEqual(['', '', '']);

  const inside = { folder: place('project'), read: [], write: [place('project')] };
  const [program = '', ...words] = sandbox.wrap(
    ['/bin/sh', '-c', `cat ${place('beside/b')}; pwd; echo new > made`],
    inside,
  );
  const written = await run(program, words, { cwd: place('project') });
  expect(written.stdout).toBe(`${hidesFiles(sandbox) ? '' : 'beside/b'}${place('project')}\n`);
  expect(readFileSync(place('project/made'), 'utf8')).toBe('new\n');
});

test('a sandbox that is installed but does not work is not used', async () => {
  const folder = temporaryFolder();
  writeFileSync(path.join(folder, 'bwrap'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
  expect((await findSandbox(folder)).kind).not.toBe('bubblewrap');
});

test('a worker that opens /dev/fd/3 and /dev/fd/4 by name is heard and cancelled, and cannot use up all addresses', async () => {
  const sandbox = await findSandbox(searchPath);
  const script =
    'read line; ulimit -v > /dev/fd/3; read number < /dev/fd/4; echo $line $number > /dev/fd/3; echo lost';
  const env = { PATH: '/usr/bin:/bin' };
  const request = { command: '/bin/sh', args: ['-c', script], env, cwd: '/' };
  const child = new Child(cagedWorker(request, sandbox, { folder: '/', read: [] }));
  let heard = '';
  child.answers.on('data', (chunk: Buffer) => (heard += chunk.toString()));
  child.input.write('asked\n');
  child.cancel(7);
  await child.exited;
  expect([heard, child.errorTail]).toEqual([`${addressSpaceKilobytes}\nasked 7\n`, '']);
});

test('doctor tests each layer of the sandbox and reports the result', async () => {
  const folder = temporaryFolder();
  writeFileSync(path.join(folder, 'lean'), '#!/bin/sh\n', { mode: 0o755 });
  const wallsOf = async (lean?: string): Promise<string[]> => {
    const environment = { PATH: `${folder}:${searchPath}` };
    const findings = await examine({ lean, folder, cacheFolder: folder, environment, workers: 1 });
    return findings.filter(({ name }) => name === 'wall').map(({ detail }) => detail);
  };
  expect(await wallsOf('embedded')).toContain(
    'a worker of the embedded Lean cannot open databases: ERR_UNKNOWN_BUILTIN_MODULE',
  );
  const files = hidesFiles(await findSandbox(searchPath))
    ? 'cannot read files: ENOENT'
    : 'can read files: read';
  expect(await wallsOf()).toContainEqual(expect.stringMatching(new RegExp(`^a native Lean .* ${files}$`)));
});
