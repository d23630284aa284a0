import { mkdirSync, writeFileSync, chmodSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { Child } from '../../src/io/child.ts';
import type { Finding } from '../../src/core/finding.ts';
import { examine } from '../../src/lean/toolchain/doctor.ts';
import { ownNamespaces } from '../../src/lean/toolchain/embedded/namespaces.ts';
import { addressSpaceKilobytes, cagedNative } from '../../src/lean/toolchain/native-cage.ts';
import { temporaryFolder } from '../helpers/folders.ts';

const request = { command: '/opt/lean/bin/lean', args: ['--run', 'Worker.lean', 'Init'], env: {}, cwd: '/' };

test('without bubblewrap: a shell that limits the address space', () => {
  const { command, args } = cagedNative(request, { bubblewrap: undefined, visible: [], hidden: [] });
  expect(command).toBe('/bin/sh');
  expect(args[1]).toContain(`ulimit -v ${addressSpaceKilobytes}`);
  expect(args.slice(2)).toEqual([request.command, ...request.args]);
});

test('with bubblewrap: nothing shared, nothing writable, a /tmp of its own, the ledger covered', () => {
  const folder = temporaryFolder();
  const state = path.join(folder, '.orch');
  mkdirSync(state);
  const { args } = cagedNative(request, {
    bubblewrap: '/usr/bin/bwrap',
    visible: [folder, '/opt/lean/bin'],
    hidden: [state, path.join(folder, 'not-there')],
  });
  expect(args.slice(2).join(' ')).toBe(
    `/usr/bin/bwrap --unshare-all --die-with-parent --new-session --ro-bind / / --dev /dev --proc /proc --tmpfs /tmp --ro-bind ${folder} ${folder} --tmpfs ${state} --chdir / -- /opt/lean/bin/lean --run Worker.lean Init`,
  );
});

test('a worker that opens /dev/fd/3 by name is heard, and cannot take all addresses', async () => {
  const child = new Child(
    cagedNative(
      {
        command: '/bin/sh',
        args: ['-c', 'ulimit -v > /dev/fd/3; echo lost'],
        env: { PATH: '/usr/bin:/bin' },
        cwd: '/',
      },
      { bubblewrap: undefined, visible: [], hidden: [] },
    ),
  );
  let heard = '';
  child.answers.on('data', (chunk: Buffer) => (heard += chunk.toString()));
  await child.exited;
  expect(heard.trim()).toBe(String(addressSpaceKilobytes));
});

async function cageOf(environment: Record<string, string>, lean?: string): Promise<Finding | undefined> {
  const folder = temporaryFolder();
  const findings = await examine({ lean, folder, cacheFolder: folder, environment, workers: 1 });
  return findings.find(({ name }) => name === 'cage');
}

test('doctor says how strong the cage is, and what would make it stronger', async () => {
  const folder = temporaryFolder();
  const install = (name: string): void => {
    writeFileSync(path.join(folder, name), '#!/bin/sh\n');
    chmodSync(path.join(folder, name), 0o755);
  };
  expect(await cageOf({ PATH: folder })).toMatchObject({
    state: 'ok',
    detail: expect.stringMatching(/^strong/),
  });
  install('lean');
  expect(await cageOf({ PATH: folder })).toMatchObject({
    state: 'missing',
    detail: expect.stringMatching(/^weak/),
    fix: expect.stringContaining('bubblewrap'),
  });
  install('bwrap');
  expect(await cageOf({ PATH: folder })).toMatchObject({
    state: 'ok',
    detail: expect.stringMatching(/^good/),
  });
  const caged = await cageOf({ PATH: folder }, 'embedded');
  expect(caged?.detail).toMatch(/^strong: .*no loading of code.*no debugger by signal/);
  expect(caged?.detail.includes('but no namespaces of its own')).toBe((await ownNamespaces()).length === 0);
});
