import { afterAll, expect, test } from 'vitest';
import { KeptWorkers } from '../../../src/lean/workers/kept.ts';
import type { LeanPool, PoolOptions } from '../../../src/lean/workers/pool.ts';
import { openPool } from '../../helpers/lean.ts';
import { eventually } from '../../helpers/processes.ts';
import { shareWorkers } from '../../helpers/shared-workers.ts';

const kept = new KeptWorkers();
kept.keep(1);
const unshare = shareWorkers(() => kept.pids);
afterAll(() => {
  kept.keep(0);
  unshare();
});

interface Use {
  readonly text?: string;
  readonly isAlone?: boolean;
  readonly options?: Partial<PoolOptions>;
}

/** Opens a pool, has a worker load a text, and closes the pool again: which process it was. */
async function usePool({ text = '', isAlone = false, options = {} }: Use = {}): Promise<number | undefined> {
  await using pool: LeanPool = await openPool({ kept, ...options });
  return await pool.use(
    async (lease) => {
      expect(await lease.request('load', { session: lease.rootSession, text })).toMatchObject({ ok: true });
      return lease.pid;
    },
    { alone: isAlone },
  );
}

test('the next pool reuses the worker of a closed one', async () => {
  const first = await usePool({ text: 'def one := 1' });
  expect(kept.pids).toEqual([first]);
  // sessions loaded by the earlier pool are unknown to this one
  expect(await usePool({ text: 'def one := 2' })).toBe(first);
});

test('a lease that needs its own process gets a new one, which is not reused', async () => {
  const [before] = kept.pids;
  expect(await usePool({ isAlone: true })).not.toBe(before);
  expect(kept.pids).toEqual([before]);
});

test('a worker that has run user code ends, and so does a worn one', async () => {
  await usePool({ text: '#eval 1 + 1' });
  expect(kept.pids).toEqual([]);
  await usePool({ options: { recycleRequests: 1 } });
  expect(kept.pids).toEqual([]);
});

test('at most the requested number is kept; the longest idle one ends', async () => {
  await using one = await openPool({ kept });
  await using other = await openPool({ kept });
  const pids: (number | undefined)[] = [];
  for (const pool of [one, other])
    await pool.use(async (lease) => {
      await lease.request('memory', {});
      pids.push(lease.pid);
    });
  await one.close();
  await other.close();
  expect(kept.pids).toEqual([pids[1]]);
});

test('a worker that is prepared for later comes from the kept ones, and is kept again', async () => {
  const first = await usePool({ text: 'def one := 1' });
  await using pool = await openPool({ kept, spare: false });
  await pool.prepare();
  await pool.use(async (lease) => {
    await lease.request('memory', {});
    expect(lease.pid).toBe(first);
  });
  await pool.close();
  await using unused = await openPool({ kept, spare: false });
  await unused.prepare();
  await eventually(() => kept.pids.length === 0);
  await unused.close();
  expect(kept.pids).toEqual([first]);
});
