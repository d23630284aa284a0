import { spawn } from 'node:child_process';
import {
  openSync,
  readSync,
  readdirSync,
  statSync,
  truncateSync,
  utimesSync,
  writeSync,
  closeSync,
} from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../../src/config/package.ts';
import { sharedFolder } from '../helpers/folders.ts';
import { orch } from '../helpers/orch.ts';

/** The set-up of the embedded Lean is interrupted, killed and damaged; whatever happens, the next command answers. */
const cache = sharedFolder();
const env = { ORCH_CACHE_DIR: cache };
const folder = path.join(cache, 'lean');
const claim = ['check', '--stmt', 'theorem t (a b : Nat) : a + b = b + a', '--proof', 'by omega'];

/** What the set-up says at the beginning of each step. The second is a stage of its own, the first, third and fourth are one. */
const steps = [
  'unpacking',
  'patching Lean',
  'starting Lean for the first time',
  'filling the indexes',
  'saving machine code',
] as const;

/** The steps that are not repeated at the second attempt to reach a step. */
const kept: Partial<Record<(typeof steps)[number], readonly string[]>> = {
  'starting Lean for the first time': ['patching Lean'],
  'filling the indexes': ['patching Lean'],
  'saving machine code': steps.slice(0, 4),
};

/** Starts the set-up and ends it at a step: Ctrl-C reaches the whole process group, `kill -9` one process. Returns what it said. */
async function endAt(step: string, how: 'Ctrl-C' | 'kill -9'): Promise<string> {
  const args = [path.join(packageRoot, 'bin/orch.js'), 'lean', 'setup', '--image', 'init'];
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...env, ORCH_LEAN: 'embedded' },
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const pid = child.pid ?? 0;
  let told = '';
  child.stderr.on('data', (chunk: Buffer) => {
    const isNew = !told.includes(step);
    told += chunk.toString();
    if (isNew && told.includes(step))
      process.kill(how === 'Ctrl-C' ? -pid : pid, how === 'Ctrl-C' ? 'SIGINT' : 'SIGKILL');
  });
  const signal = await new Promise((resolve) => child.once('close', (_, by) => resolve(by)));
  expect([step, signal, told]).toEqual([step, how === 'Ctrl-C' ? 'SIGINT' : 'SIGKILL', told]);
  expect(told).not.toMatch(/error|ENOENT|\n\s+at /);
  return told;
}

test('Ctrl-C and kill -9 at every step: the next set-up continues with that stage', async () => {
  for (const step of steps) {
    await endAt(step, 'Ctrl-C');
    const told = await endAt(step, 'kill -9');
    expect(kept[step]?.filter((each) => told.includes(each)) ?? []).toEqual([]);
  }
  expect(await orch(claim, { env })).toMatchObject({ code: 0 });
  expect(await orch(['lean', 'setup', '--image', 'init'], { env })).toMatchObject({ code: 0 });
  // no lock, and nothing half-written
  expect(readdirSync(folder).filter((name) => /\.(lock|new)/.test(name))).toEqual([]);
});

function fileOf(stage: string, name: string): string {
  const found = readdirSync(folder).find((each) => each.startsWith(`${stage}-`)) ?? '';
  return path.join(folder, found, name);
}

/** Changes one byte in the middle, and keeps size and time. */
function flip(file: string): void {
  const { size, atime, mtime } = statSync(file);
  const opened = openSync(file, 'r+');
  const byte = Buffer.alloc(1);
  readSync(opened, byte, 0, 1, Math.floor(size / 2));
  writeSync(opened, Buffer.of((byte[0] ?? 0) ^ 0xff), 0, 1, Math.floor(size / 2));
  closeSync(opened);
  utimesSync(file, atime, mtime);
}

/** Each would be used at every start. */
const files = () => [
  fileOf('runtime', 'lean.wasm'),
  fileOf('image-init', 'heap.bin'),
  fileOf('image-init', 'heap.json'),
  fileOf('code', 'code.bin'),
];
const setup = ['lean', 'setup', '--image', 'init', '--timings'];

test('truncated files are built again at the next start', async () => {
  const sizes = files().map((file) => statSync(file).size);
  for (const file of files()) truncateSync(file, Math.floor(statSync(file).size / 2));
  expect(await orch(claim, { env })).toMatchObject({ code: 0 });
  expect(await orch(setup, { env })).toMatchObject({ code: 0 });
  for (const [index, size] of sizes.entries())
    expect(statSync(files()[index] ?? '').size / size).toBeCloseTo(1, 1);
});

test('orch lean setup finds a changed byte', async () => {
  for (const file of files()) flip(file);
  const { stdout, code } = await orch(setup, { env });
  for (const stage of ['runtime', 'image-init', 'code'])
    expect([code, stdout]).toEqual([0, expect.stringMatching(new RegExp(`^ +${stage} `, 'm'))]);
  const again = await orch(setup, { env });
  expect(again).toMatchObject({ code: 0, stdout: expect.not.stringContaining('runtime') as string });
});
