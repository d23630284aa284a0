import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { beforeAll, expect, test } from 'vitest';
import { systemClock } from '../../../src/core/clock.ts';
import { Child } from '../../../src/io/child.ts';
import { resolveToolchain } from '../../../src/lean/toolchain/resolve.ts';
import type { Toolchain } from '../../../src/lean/toolchain/toolchain.ts';
import { LeanWorker } from '../../../src/lean/toolchain/worker.ts';
import { sharedFolder } from '../../helpers/folders.ts';
import { checkClaim, openPool } from '../../helpers/lean.ts';
import { installNativeLean } from '../../helpers/native-lean.ts';

/** The loop of a native worker, in Lean: requests, deadlines, cancellations, the death of the client. */
const folder = sharedFolder();
const session = 0;
const truth = { session, statement: 'theorem t : True', proof: 'trivial' };
/** Lean stops between two of these. */
const obedient = {
  session,
  text: Array.from({ length: 4000 }, (_, index) => `theorem t${index} : ${index} = ${index} := rfl`).join(
    '\n',
  ),
};

let toolchain: Toolchain;
beforeAll(async () => {
  const { program, sysroot } = await installNativeLean(folder);
  const environment = { PATH: '/usr/bin:/bin', LEAN_SYSROOT: sysroot };
  const options = { lean: program, folder, environment, cacheFolder: folder, image: 'init' } as const;
  toolchain = await resolveToolchain(options);
});

test('deadlines and cancellations stop Lean and leave the worker alive, which answers before it stops', async () => {
  const worker = new LeanWorker(new Child(await toolchain.launch()), systemClock);
  expect([await worker.ready, worker.errorTail]).toEqual([true, expect.any(String)]);
  const late = await worker.request('load', obedient, { deadlineMs: 1000 });
  expect(late).toMatchObject({ ok: false, kind: 'timeout' });
  expect(await worker.request('check', truth)).toMatchObject({ ok: true });
  const stopping = new AbortController();
  const asked = worker.request('load', obedient, { signal: stopping.signal });
  setTimeout(() => stopping.abort(), 1000);
  expect(await asked).toMatchObject({ ok: false, kind: 'cancelled' });
  expect(await worker.request('check', truth)).toMatchObject({ ok: true });
  expect(worker.alive).toBe(true);
  expect(await worker.request('stop', {})).toMatchObject({ ok: true });
  await worker.exited;
});

test('claims are stated, elaborated and judged', async () => {
  await using pool = await openPool({}, toolchain);
  const claim = { statement: 'theorem t (a b : Nat) : a + b = b + a', proof: 'Nat.add_comm a b' };
  expect(await checkClaim(pool, claim)).toMatchObject({ verdict: 'accepted' });
  expect(await checkClaim(pool, { ...claim, proof: 'rfl' })).toMatchObject({ verdict: 'rejected' });
});

test('a worker whose client is gone ends', async () => {
  const { command, args, env, cwd } = await toolchain.launch();
  const child = spawn(command, args, { env, cwd, stdio: ['pipe', 'ignore', 'inherit', 'pipe', 'pipe'] });
  const closed = once(child, 'close');
  const [answers, cancellations] = [child.stdio[3] as Readable, child.stdio[4] as Writable];
  await once(answers, 'data');
  answers.resume();
  // a client that was killed closes both; this one keeps stdin open
  cancellations.end();
  await closed;
});
