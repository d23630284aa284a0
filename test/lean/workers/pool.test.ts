import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { Lease } from '../../../src/lean/workers/lease.ts';
import { PoolBroken } from '../../../src/lean/workers/pool.ts';
import type { Toolchain } from '../../../src/lean/toolchain/toolchain.ts';
import { checkClaim, conversation, openPool, sessionOf } from '../../helpers/lean.ts';
import { descendantsOf, eventually, runningProcesses, killWorker } from '../../helpers/processes.ts';
import { embeddedLean } from '../../helpers/toolchain.ts';
import { longTest } from '../../helpers/tier.ts';

const claim = { statement: 'theorem t (a b : Nat) : a + b = b + a', proof: 'by omega' };

async function pidOf(lease: Lease, pids: () => (number | undefined)[]): Promise<number | undefined> {
  await lease.request('memory', {});
  return pids()[0];
}

function startedByUs(): number[] {
  return runningProcesses().flatMap(({ pid, parent }) => (parent === process.pid ? pid : []));
}

describe('one worker for all', () => {
  const lean = conversation();

  test('a lease keeps its worker, and the next lease reuses it', async () => {
    const { pool } = lean;
    const pids = (): (number | undefined)[] => pool.status().map(({ pid }) => pid);
    const before = pool.status()[0]?.requests ?? 0;
    const first = await pool.use(async (lease) => await pidOf(lease, pids));
    const second = await pool.use(async (lease) => await pidOf(lease, pids));
    expect(second).toBe(first);
    expect(pool.status()).toMatchObject([{ leased: false, requests: before + 2 }]);
  });

  test('a slot is never given to two requests at once', async () => {
    const { pool } = lean;
    const first = await pool.lease();
    let holders = 0;
    const hold = async (lease: Lease): Promise<void> => {
      expect(++holders).toBe(1);
      await lease.request('memory', {});
      holders--;
    };
    const waiting = pool.use(hold);
    first.release();
    await Promise.all([waiting, pool.use(hold), pool.use(hold)]);
  });

  test('a preamble that fails to load is reported and not cached', async () => {
    const { pool } = lean;
    const bad = { ...claim, preamble: 'def broken : Nat := "text"' };
    for (let round = 0; round < 2; round++)
      expect(await checkClaim(pool, bad)).toMatchObject({ verdict: 'rejected', kind: 'elaboration' });
    expect(await checkClaim(pool, claim)).toMatchObject({ verdict: 'accepted' });
  });

  test('a wait for a busy pool can be cancelled, and the claim is then unknown', async () => {
    const { pool } = lean;
    using held = await pool.lease();
    const stop = new AbortController();
    const verdict = checkClaim(pool, claim, { signal: stop.signal });
    stop.abort();
    expect(await verdict).toMatchObject({ verdict: 'unknown', kind: 'cancelled' });
    expect(await checkClaim(pool, claim, { signal: stop.signal })).toMatchObject({ kind: 'cancelled' });
    held.release();
    expect(await checkClaim(pool, claim)).toMatchObject({ verdict: 'accepted' });
  });
});

describe('a pool', () => {
  test('a preamble is loaded once per worker, and that worker is preferred', async () => {
    await using pool = await openPool({ slots: 2 });
    const preambles = ['def one := 1', 'def two := 2'];
    const both = await Promise.all(preambles.map(async (preamble) => await pool.lease({ preamble })));
    for (const [index, lease] of both.entries()) await lease.session(preambles[index] ?? '');
    for (const lease of both) lease.release();
    const before = pool.status().map(({ requests }) => requests);
    for (let round = 0; round < 3; round++)
      for (const [index, preamble] of preambles.entries()) {
        const name = ['one', 'two'][index] ?? '';
        const statement = `theorem t : ${name} = ${index + 1}`;
        const checked = await pool.use(
          async (lease) => {
            const session = await sessionOf(lease, preamble);
            return await lease.request('check', { session, statement, proof: 'rfl' });
          },
          { preamble },
        );
        expect(checked).toMatchObject({ ok: true });
      }
    const after = pool.status().map(({ requests }) => requests);
    expect(after.map((count, index) => count - (before[index] ?? 0))).toEqual([3, 3]);
  });

  test('a lease whose worker dies continues with a new one, without the old states', async () => {
    await using pool = await openPool();
    await pool.use(async (lease) => {
      const start = await lease.request('start', {
        session: lease.rootSession,
        statement: 'theorem t : True',
      });
      expect(start.ok).toBe(true);
      const [before] = pool.status();
      // no await: Node must not yet have reported the death, and the process may not have noticed it
      killWorker(before?.pid);
      expect(await lease.request('memory', {})).toMatchObject({ ok: true });
      expect(pool.status()[0]?.pid).not.toBe(before?.pid);
      expect(await lease.request('step', { state: 0, tactic: 'trivial' })).toMatchObject({
        kind: 'unknown-state',
      });
    });
    expect(await checkClaim(pool, claim)).toMatchObject({ verdict: 'accepted' });
  });

  test('the next request never goes to a worker that has given its last answer', async () => {
    await using pool = await openPool();
    const text = 'def bomb (n : Nat) : Array Nat := Array.replicate n 0\n#eval (bomb 400000000).size';
    await pool.use(async (lease) => {
      expect(await lease.request('load', { session: lease.rootSession, text })).toMatchObject({
        kind: 'memory',
      });
      expect(await lease.request('memory', {})).toMatchObject({ ok: true });
    });
  });

  longTest('a worker is replaced after its maximum number of requests', async () => {
    await using pool = await openPool({ recycleRequests: 3 });
    const seen = new Set<number | undefined>();
    for (let round = 0; round < 6; round++)
      await pool.use(async (lease) => {
        await lease.request('memory', {});
        seen.add(pool.status()[0]?.pid);
      });
    expect(seen.size).toBe(2);
  });

  test('a worker over its memory limit is replaced after its lease, not within', async () => {
    await using pool = await openPool({ recycleBytes: 1 });
    const seen = new Set<number | undefined>();
    for (let round = 0; round < 2; round++)
      await pool.use(async (lease) => {
        const pids = new Set<number | undefined>();
        for (let turn = 0; turn < 3; turn++) {
          await lease.request('memory', {});
          pids.add(pool.status()[0]?.pid);
        }
        expect(pids.size).toBe(1);
        for (const pid of pids) seen.add(pid);
      });
    expect(seen.size).toBe(2);
  });

  test('the spare replaces a worker that died', async () => {
    await using pool = await openPool({ spare: true });
    await pool.use(async (lease) => {
      await lease.request('memory', {});
      await eventually(() => startedByUs().length === 2);
      const before = new Set(startedByUs());
      const dying = pool.status()[0]?.pid ?? 0;
      killWorker(dying);
      await eventually(async () => (await lease.request('memory', {})).ok);
      const now = pool.status()[0]?.pid ?? 0;
      expect(now).not.toBe(dying);
      expect(before.has(now)).toBe(true);
    });
  });
});

function broken(script: string): Promise<Toolchain> {
  return embeddedLean().then((toolchain) => ({
    ...toolchain,
    launch: () => Promise.resolve({ command: '/bin/sh', args: ['-c', script], env: {}, cwd: '/' }),
    repair: () => Promise.resolve(true),
  }));
}

describe('a pool whose workers cannot start', () => {
  test('is broken after a few attempts, with their last output', async () => {
    await using pool = await openPool({}, await broken('echo "no such library" >&2; exit 1'));
    await expect(checkClaim(pool, claim)).rejects.toThrow(PoolBroken);
    await expect(checkClaim(pool, claim)).rejects.toThrow('no such library');
    expect(pool.status()).toMatchObject([{ leased: false }]);
  });

  test('gives up at once if repair cannot help', async () => {
    let starts = 0;
    const toolchain = await broken('exit 1');
    await using pool = await openPool(
      {},
      {
        ...toolchain,
        launch: async () => (starts++, await toolchain.launch()),
        repair: () => Promise.resolve(false),
      },
    );
    await expect(checkClaim(pool, claim)).rejects.toThrow(PoolBroken);
    // the elaborator and the judge, once each
    expect(starts).toBeLessThanOrEqual(2);
  });
});

describe('close', () => {
  test('ends idle, busy and spare workers, and answers pending requests', async () => {
    const pool = await openPool({ slots: 2, spare: true });
    const lease = await pool.lease();
    await pool.use(async (other) => await other.request('memory', {}));
    const busy = lease.request('load', {
      session: lease.rootSession,
      text: 'partial def spin (n : Nat) : Nat := spin (n + 1)\n#eval spin 0',
    });
    await eventually(() => (pool.status()[0]?.requests ?? 0) > 0 && (pool.status()[1]?.requests ?? 0) > 0);
    await sleep(100);
    await pool.close();
    expect(await busy).toMatchObject({ ok: false, kind: 'crash' });
    expect(descendantsOf(process.pid)).toEqual([]);
    await expect(pool.lease()).rejects.toThrow(PoolBroken);
  });

  test('leaves nothing behind while a worker is starting', async () => {
    for (const turns of [0, 1, 3, 10, 50]) {
      const pool = await openPool({ spare: true });
      const asked = pool
        .use(async (lease) => await lease.request('memory', {}))
        .catch((error: unknown) => error);
      for (let turn = 0; turn < turns; turn++) await sleep(turn);
      await pool.close();
      expect(descendantsOf(process.pid)).toEqual([]);
      await asked;
      expect(descendantsOf(process.pid)).toEqual([]);
    }
  });

  test('waiting callers get an error', async () => {
    const pool = await openPool();
    await pool.lease();
    const waiting = pool.lease();
    // oxlint-disable-next-line vitest/valid-expect -- awaited below, once the pool is closed
    const told = expect(waiting).rejects.toThrow('the pool is closed');
    await pool.close();
    await told;
  });
});
