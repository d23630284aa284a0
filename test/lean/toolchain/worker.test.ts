import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/core/clock.ts';
import { Child } from '../../../src/io/child.ts';
import { LineSplitter } from '../../../src/io/lines.ts';
import { maxRequestBytes } from '../../../src/lean/base/protocol.ts';
import { LeanWorker } from '../../../src/lean/toolchain/worker.ts';
import { ending, startWorker, succeeded } from '../../helpers/lean.ts';
import { shareWorkers } from '../../helpers/shared-workers.ts';
import { eventually, isRunning, killWorker } from '../../helpers/processes.ts';
import { embeddedLean } from '../../helpers/toolchain.ts';
import { longTest } from '../../helpers/tier.ts';

const session = 1;
const truth = { session, statement: 'theorem t : True', proof: 'trivial' };
/**
 * Code that never checks whether it should stop, in a worker that has run it once, so that it enters its loop almost
 * immediately.
 */
async function deafIn(worker: LeanWorker): Promise<{ session: number; text: string; code: true }> {
  const text = 'partial def spin (n : Nat) : Nat := if n == 0 then 0 else spin (n + 1)\n#eval spin 0';
  const loaded = succeeded<'load'>(await worker.request('load', { session, text, code: true }));
  return { session: loaded.session, text: '#eval spin 1', code: true };
}
const inItsLoopMs = 2500;

/** Lean stops between two of these; they are few enough that reading them takes a moment only. */
const obedient = {
  session,
  text: Array.from({ length: 4000 }, (_, index) => `theorem t${index} : ${index} = ${index} := rfl`).join(
    '\n',
  ),
};

describe('a worker is reused', () => {
  let worker: LeanWorker;
  beforeAll(async () => {
    worker = await startWorker();
    shareWorkers(
      () => (worker.pid === undefined ? [] : [worker.pid]),
      async () => {
        worker.kill();
        await worker.exited;
      },
    );
    // first requests compile for a while, and do not listen meanwhile
    await worker.request('check', truth);
    await worker.request('load', { session, text: 'theorem first : 0 = 0 := rfl' });
  });

  test('a deadline that stops Lean leaves the worker alive', async () => {
    expect(await worker.request('load', obedient, { deadlineMs: 300 })).toMatchObject({
      ok: false,
      kind: 'timeout',
    });
    expect(await worker.request('check', truth)).toMatchObject({ ok: true });
    expect(worker.alive).toBe(true);
  });

  test('a CPU limit that stops Lean leaves the worker alive', async () => {
    expect(await worker.request('load', obedient, { cpuSeconds: 0.2 })).toMatchObject({
      ok: false,
      kind: 'timeout',
    });
    expect(await worker.request('check', truth)).toMatchObject({ ok: true });
    expect(worker.alive).toBe(true);
  });

  test('a deadline beyond the timer range is ignored', async () => {
    expect(await worker.request('check', truth, { deadlineMs: 1e12 })).toMatchObject({ ok: true });
  });

  test('a cancellation that stops Lean leaves the worker alive', async () => {
    const stop = new AbortController();
    const reply = worker.request('load', obedient, { signal: stop.signal, deadlineMs: 100_000 });
    setTimeout(() => stop.abort(), 200);
    expect(await reply).toMatchObject({ ok: false, kind: 'cancelled' });
    expect(await worker.request('check', truth)).toMatchObject({ ok: true });
  });

  test('a cancellation that overtakes its request is not lost, and affects no other', async () => {
    for (let round = 0; round < 5; round++) {
      const stop = new AbortController();
      const reply = worker.request('load', obedient, { signal: stop.signal });
      stop.abort();
      expect(await reply).toMatchObject({ ok: false, kind: 'cancelled' });
      expect(await worker.request('check', truth)).toMatchObject({ ok: true });
    }
    expect(worker.alive).toBe(true);
  });

  test('a request that was cancelled before it began is not sent', async () => {
    const before = worker.requests;
    expect(await worker.request('check', truth, { signal: AbortSignal.abort() })).toMatchObject({
      kind: 'cancelled',
    });
    expect(worker.requests).toBe(before);
  });

  test('a request over the limits is refused at no cost', async () => {
    const huge = { ...truth, proof: 'x'.repeat(10 << 20) };
    const deep = { ...truth, proof: `${'('.repeat(5000)}trivial${')'.repeat(5000)}` };
    for (const body of [huge, deep])
      expect(await worker.request('check', body)).toMatchObject({
        kind: 'invalid-request',
        cost: { cpuSeconds: 0 },
      });
    expect(await worker.request('check', truth)).toMatchObject({ ok: true });
  });

  test('serves one request at a time', async () => {
    const first = worker.request('check', truth);
    await expect(worker.request('check', truth)).rejects.toThrow('one request at a time');
    expect(await first).toMatchObject({ ok: true });
  });
});

describe('how a worker ends', () => {
  test('a deadline that Lean ignores kills it', async () => {
    await using worker = await startWorker();
    const reply = await worker.request('load', await deafIn(worker), { deadlineMs: inItsLoopMs });
    expect(reply).toMatchObject({ ok: false, kind: 'timeout' });
    expect(reply.cost.cpuSeconds).toBeGreaterThan(0);
    await worker.exited;
    expect(await worker.request('check', truth)).toMatchObject({ ok: false, kind: 'crash' });
  });

  longTest('a cancellation that Lean ignores kills it', async () => {
    await using worker = await startWorker();
    const stop = new AbortController();
    const reply = worker.request('load', await deafIn(worker), { signal: stop.signal });
    setTimeout(() => stop.abort(), inItsLoopMs);
    expect(await reply).toMatchObject({ ok: false, kind: 'cancelled' });
    await worker.exited;
  });

  test('being killed from outside counts as a crash', async () => {
    await using worker = await startWorker();
    const reply = worker.request('load', await deafIn(worker));
    setTimeout(() => killWorker(worker.pid), 200);
    expect(await reply).toMatchObject({ ok: false, kind: 'crash' });
    expect(worker.alive).toBe(false);
  });

  // a list that grows is among the blows of chaos
  test('an out-of-memory failure is reported as such', async () => {
    const text = 'def bomb (n : Nat) : Array Nat := Array.replicate n 0\n#eval (bomb 400000000).size';
    await using worker = await startWorker();
    expect(
      await worker.request('load', { session, text, code: true }, { deadlineMs: 100_000 }),
    ).toMatchObject({
      kind: 'memory',
    });
    await worker.exited;
  });

  test('stop is answered before it exits', async () => {
    await using worker = await startWorker();
    expect(await worker.request('stop', {})).toMatchObject({ ok: true });
    await worker.exited;
    expect(worker.alive).toBe(false);
  });

  test('gets none of the environment', async () => {
    const { env } = await (await embeddedLean()).launch();
    expect(env).toEqual({});
  });
});

describe('invalid lines', () => {
  test('each is refused with a null id, and the next request is answered', async () => {
    await using child = ending(new Child(await (await embeddedLean()).launch()));
    const lines = new LineSplitter();
    const answers: { id: string | null; body: { ok: boolean; kind?: string } }[] = [];
    child.answers.on('data', (chunk: Buffer) => {
      for (const line of lines.push(chunk))
        if (line.kind === 'line') answers.push(JSON.parse(line.text) as (typeof answers)[number]);
    });
    const garbage = [
      '{',
      'null',
      '[]',
      '"text"',
      '{"id":1,"op":"hello"}',
      '{"op":"hello"}',
      '\u0000\u0001',
      '{"id":"x"}',
    ];
    for (const line of garbage) child.input.write(`${line}\n`);
    child.input.write(Buffer.from([0xff, 0xfe, 0x80, 10]));
    child.input.write(`${'y'.repeat(maxRequestBytes + 1)}\n`);
    child.input.write('\n  \n');
    child.input.write('{"id":"last","op":"hello"}\n');
    await eventually(() => answers.some(({ id }) => id === 'last'));
    const refused = answers.filter(({ id, body }) => id === null && body.kind === 'invalid-request');
    expect(refused).toHaveLength(garbage.length + 2);
    expect(answers.at(-1)).toMatchObject({ id: 'last', body: { ok: true } });
  });

  test('a worker with a concurrent request still answers its own', async () => {
    const child = new Child(await (await embeddedLean()).launch());
    await using worker = ending(new LeanWorker(child, systemClock));
    await worker.ready;
    for (let round = 0; round < 5; round++) {
      child.input.write('not json\n');
      const reply = worker.request('check', truth);
      child.input.write('{"also": "not a request"}\n');
      expect(await reply).toMatchObject({ ok: true });
    }
  });
});

describe('when the parent dies by SIGKILL', () => {
  test('a worker in a busy loop dies as well', async () => {
    const fixture = fileURLToPath(new URL('../../fixtures/busy-parent.ts', import.meta.url));
    const parent = spawn(process.execPath, [fixture], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [line] = (await once(parent.stdout, 'data')) as [Buffer];
    const pid = Number(line.toString());
    expect(isRunning(pid)).toBe(true);
    parent.kill('SIGKILL');
    await eventually(() => !isRunning(pid));
    expect(isRunning(pid)).toBe(false);
  });
});
