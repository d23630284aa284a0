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

/** What the set-up says at the beginning of each stage, in order. */
const stages = [
  'patching Lean',
  'unpacking',
  'starting Lean for the first time',
  'filling the indexes',
  'saving machine code',
] as const;

/** Starts the set-up and ends it at a stage: Ctrl-C reaches the whole process group, `kill -9` one process. Returns what it said. */
async function endAt(stage: string, how: 'Ctrl-C' | 'kill -9'): Promise<string> {
  const args = [path.join(packageRoot, 'bin/orch.js'), 'lean', 'setup', '--image', 'init'];
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...env, ORCH_LEAN: 'embedded' },
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const pid = child.pid ?? 0;
  let told = '';
  child.stderr.on('data', (chunk: Buffer) => {
    const isNew = !told.includes(stage);
    told += chunk.toString();
    if (isNew && told.includes(stage))
      process.kill(how === 'Ctrl-C' ? -pid : pid, how === 'Ctrl-C' ? 'SIGINT' : 'SIGKILL');
  });
  const signal = await new Promise((resolve) => child.once('close', (_, by) => resolve(by)));
  expect([stage, signal, told]).toEqual([stage, how === 'Ctrl-C' ? 'SIGINT' : 'SIGKILL', told]);
  return told;
}

test('Ctrl-C and kill -9 at every stage: the next set-up continues with that stage', async () => {
  for (const [index, stage] of stages.entries())
    for (const how of ['Ctrl-C', 'kill -9'] as const) {
      const told = await endAt(stage, how);
      expect(told).not.toMatch(/error|ENOENT|\n\s+at /);
      // the heap of Lean is one stage with two sentences
      const done = stages.slice(0, index === 3 ? 2 : index);
      if (index > 2) expect(done.filter((each) => told.includes(each))).toEqual([]);
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

test.each([
  ['runtime', 'lean.wasm'],
  ['image-init', 'heap.bin'],
  ['image-init', 'heap.json'],
  ['code', 'code.bin'],
])('a truncated file of a stage is built again: %s/%s', async (stage, name) => {
  const file = fileOf(stage, name);
  const { size } = statSync(file);
  truncateSync(file, Math.floor(size / 2));
  expect(await orch(claim, { env })).toMatchObject({ code: 0 });
  expect(statSync(file).size).toBeGreaterThan(size * 0.9);
});

test.each([
  ['runtime', 'lean.wasm'],
  ['code', 'code.bin'],
])('orch lean setup finds a changed byte: %s/%s', async (stage, name) => {
  const file = fileOf(stage, name);
  flip(file);
  const { stdout, code } = await orch(['lean', 'setup', '--image', 'init', '--timings'], { env });
  expect([code, stdout]).toEqual([0, expect.stringMatching(new RegExp(`^ +${stage} `, 'm'))]);
  const again = await orch(['lean', 'setup', '--image', 'init', '--timings'], { env });
  expect(again.stdout).not.toMatch(new RegExp(`^ +${stage} `, 'm'));
});
