import os from 'node:os';
import { expect, test } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import { Child } from '../../src/io/child.ts';
import { LeanWorker } from '../../src/lean/toolchain/worker.ts';

/** A process that replaces Lean: it reports that it is ready and then misbehaves on its first request. */
function hostile(onRequest: string): LeanWorker {
  const script = `
    const fs = require('node:fs');
    fs.writeSync(3, JSON.stringify({ id: null, body: { ok: true, ready: true } }) + '\\n');
    process.stdin.once('data', (line) => { const { id } = JSON.parse(line); ${onRequest} });
    setInterval(() => {}, 1000);`;
  const env = { PATH: process.env['PATH'] ?? '' };
  const child = new Child({ command: process.execPath, args: ['-e', script], env, cwd: os.tmpdir() });
  return new LeanWorker(child, systemClock, { residentBytes: 400 << 20, processes: 20 });
}

test.each([
  [
    'memory',
    'eats memory',
    /used more than 419430400 bytes/,
    'const held = []; setInterval(() => held.push(Buffer.alloc(50 << 20, 1)), 20);',
  ],
  [
    'crash',
    'starts processes without end',
    /started more than 20 processes/,
    "setInterval(() => require('node:child_process').spawn('sleep', ['1000']), 5);",
  ],
  [
    'memory',
    'answers without end',
    /Lean process sent an answer larger than/,
    "const part = Buffer.alloc(1 << 20, 97); for (let i = 0; i < 70; i++) fs.writeSync(3, part); fs.writeSync(3, '\\n');",
  ],
])('%s: a worker that %s is killed, and its request is answered', async (kind, _, message, onRequest) => {
  const worker = hostile(onRequest);
  expect(await worker.ready).toBe(true);
  const reply = await worker.request('load', { session: 0, text: '' }, { deadlineMs: 120_000 });
  expect(reply).toMatchObject({ ok: false, kind, message: expect.stringMatching(message) });
  await worker.exited;
});
