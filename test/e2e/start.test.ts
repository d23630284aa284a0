import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { packageVersion } from '../../src/config/package.ts';
import { childrenOf } from '../../src/io/process-usage.ts';
import { temporaryFolder } from '../helpers/folders.ts';
import { run } from '../helpers/orch.ts';
import { eventually } from '../helpers/processes.ts';

const program = fileURLToPath(new URL('../../bin/orch.js', import.meta.url));

test('a clone runs without a build, also through an npm link', async () => {
  const folder = temporaryFolder();
  symlinkSync(program, path.join(folder, 'orch'));
  const { code, stdout } = await run(path.join(folder, 'orch'), ['--version'], { cwd: folder });
  expect([code, stdout]).toEqual([0, `${packageVersion()}\n`]);
});

test('compiled code is stored only in a folder that others cannot write to', async () => {
  const home = temporaryFolder();
  const environment = { XDG_CACHE_HOME: home, NODE_COMPILE_CACHE: undefined };
  const kept = path.join(home, 'orch', 'compiled');
  expect((await run(process.execPath, [program, '--help'], { env: environment })).code).toBe(0);
  expect(readdirSync(kept)).toHaveLength(1);

  const open = path.join(temporaryFolder(), 'orch', 'compiled');
  mkdirSync(open, { recursive: true });
  chmodSync(open, 0o777);
  const elsewhere = { ...environment, XDG_CACHE_HOME: path.resolve(open, '../..') };
  expect((await run(process.execPath, [program, '--help'], { env: elsewhere })).code).toBe(0);
  expect(readdirSync(open)).toEqual([]);
});

test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
  'an older Node starts the one of the clone, and ends by the same signal: %s',
  async (signal) => {
    const older = path.join(temporaryFolder(), 'older.cjs');
    writeFileSync(older, "Object.defineProperty(process.versions, 'node', { value: '20.19.0' });");
    const child = spawn(process.execPath, ['-r', older, program, 'repl'], { detached: true, stdio: 'pipe' });
    const pid = child.pid ?? 0;
    await eventually(() => childrenOf(pid).length > 0);
    process.kill(-pid, signal);
    expect(await once(child, 'exit')).toEqual([null, signal]);
  },
);
