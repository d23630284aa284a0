import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, lstatSync, mkdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { packageRoot } from '../../src/config/package.ts';
import { daemonSocket, keyFile } from '../../src/io/daemon-socket.ts';
import { treeOf } from '../../src/io/process-usage.ts';
import { sharedFolder, temporaryFolder } from '../helpers/folders.ts';
import { orch } from '../helpers/orch.ts';
import { eventually } from '../helpers/processes.ts';
import { shareOwnProcesses } from '../helpers/shared-workers.ts';

const cli = fileURLToPath(new URL('../../src/cli.ts', import.meta.url));
const runtime = sharedFolder();
const env = { XDG_RUNTIME_DIR: runtime };
const claim = ['check', '--json', '--stmt'];

let daemon: ChildProcess;
let said = '';

let unshare: () => void;
beforeAll(async () => {
  unshare = shareOwnProcesses();
  daemon = spawn(process.execPath, [cli, 'daemon', '--idle', '600'], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  if (daemon.stderr) createInterface({ input: daemon.stderr }).on('line', (line) => (said += `${line}\n`));
  await isReady(1);
});
afterAll(async () => {
  daemon.kill('SIGINT');
  await eventually(() => daemon.exitCode === 0);
  unshare();
  expect(said).toContain('ended: stopped');
});

/** The n-th process waits for a command. */
async function isReady(count: number): Promise<void> {
  await eventually(() => said.split('ready\n').length > count);
}

const summaryOf = (stdout: string): unknown => {
  const { verdict, kind, name, axioms } = JSON.parse(stdout) as Record<string, unknown>;
  return { verdict, kind, name, axioms };
};

test('answers as the command does by itself: verdicts, exit codes, errors, the working folder', async () => {
  const folder = temporaryFolder();
  writeFileSync(path.join(folder, 'Two.lean'), 'theorem two : 1 + 1 = 2 := rfl\n');
  const commands = [
    [...claim, 'theorem t : 1 + 1 = 2', '--proof', 'rfl'],
    [...claim, 'theorem t : 1 + 1 = 3', '--proof', 'rfl'],
    ['check', '--json', 'Two.lean'],
    ['check', 'Missing.lean'],
  ];
  for (const [index, args] of commands.entries()) {
    await isReady(index + 1);
    const before = said;
    const served = await orch(args, { cwd: folder, env });
    const alone = await orch(args, { cwd: folder, env: { XDG_RUNTIME_DIR: temporaryFolder() } });
    expect(served).toMatchObject({ code: alone.code, stderr: alone.stderr });
    if (served.stdout !== '') expect(summaryOf(served.stdout)).toEqual(summaryOf(alone.stdout));
    // it was the daemon: the next process is prepared
    await eventually(() => said !== before);
  }
});

test('a client that disconnects ends its command, and the next one is served', async () => {
  await isReady(5);
  const endless = ['--stmt', 'theorem t : ∀ n : Nat, n < 10 ^ 9 → n < 10 ^ 9 + 1', '--proof', 'by decide'];
  const client = spawn(process.execPath, [cli, 'check', '--timeout', '600', ...endless], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  // the command has begun
  await once(client.stderr, 'data');
  const working = treeOf(daemon.pid ?? 0);
  client.kill('SIGKILL');
  await isReady(6);
  expect(treeOf(daemon.pid ?? 0).filter((pid) => working.includes(pid) && pid !== daemon.pid)).toEqual([]);
  expect(await orch([...claim, 'theorem t : True', '--proof', 'trivial'], { env })).toMatchObject({
    code: 0,
  });
});

test('only its user reaches it; a second daemon and a folder that is open to others are refused', async () => {
  const address = daemonSocket(packageRoot, env) ?? '';
  expect(lstatSync(path.dirname(address)).mode & 0o077).toBe(0);
  expect(lstatSync(keyFile(address)).mode & 0o077).toBe(0);
  await isReady(7);
  const stranger = connect(address);
  let answer = '';
  stranger.on('data', (chunk: Buffer) => (answer += chunk.toString()));
  stranger.write(`${JSON.stringify({ key: 'guessed', args: ['--version'], cwd: '/', env: {} })}\n`);
  await once(stranger, 'close');
  expect(answer).toBe('');
  const second = await orch(['daemon'], { env });
  expect([second.code, second.stderr]).toEqual([2, expect.stringContaining('a daemon already listens')]);
  const open = temporaryFolder();
  mkdirSync(path.join(open, 'orch', 'daemon'), { recursive: true });
  chmodSync(path.join(open, 'orch', 'daemon'), 0o755);
  const refused = await orch(['daemon'], { env: { XDG_RUNTIME_DIR: open } });
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('no folder for the socket')]);
});

test('a client that says nothing, or too much, does not block the next one', async () => {
  const address = daemonSocket(packageRoot, env) ?? '';
  await isReady(8);
  const silent = once(connect(address).resume(), 'close');
  expect(await orch([...claim, 'theorem t : True', '--proof', 'trivial'], { env })).toMatchObject({
    code: 0,
  });
  await silent;
  await isReady(9);
  const endless = connect(address).on('error', () => undefined);
  const ended = new Promise((resolve) => endless.resume().once('close', resolve));
  const flood = setInterval(() => endless.write(Buffer.alloc(1024 * 1024, 'x')), 1);
  await ended;
  clearInterval(flood);
});
