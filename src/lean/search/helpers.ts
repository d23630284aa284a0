import type { Lease } from '../workers/lease.ts';
import type { LeanPool } from '../workers/pool.ts';
import { Workbench } from '../workbench/workbench.ts';
import type { Bench } from './bench.ts';
import { Hand } from './hand.ts';

/** More hands than this would expand the same few best goals twice. */
const maxHelpers = 3;

/**
 * Works with the help of idle workers: each opens the same goal and shares the search's frontier and budget. As soon as another
 * goal waits for a worker, they stop and return theirs.
 */
export async function withHelpers<Value>(
  pool: LeanPool,
  bench: Bench,
  work: (bench: Bench) => Promise<Value>,
): Promise<Value> {
  const { workbench, account } = bench;
  const { goal } = workbench;
  const leases = await pool.leaseIdle(maxHelpers, goal);
  if (leases.length === 0) return await work(bench);
  const helpers: Hand[] = [];
  const lent = new Set(leases);
  const giveBack = async (lease: Lease, other?: Workbench): Promise<void> => {
    if (!lent.delete(lease)) return;
    await other?.end();
    lease.release();
  };
  const undo: (() => Promise<void>)[] = [];
  try {
    for (const lease of leases) {
      const { toolchain } = pool;
      const { closure } = lease;
      const options = { toolchain, closure, signal: account.signal, permit: account.permit };
      const opened = await Workbench.open(lease, goal, options);
      account.charge(opened.cost);
      const back = async (): Promise<void> => await giveBack(lease, opened.ok ? opened.value : undefined);
      undo.push(back);
      if (opened.ok)
        helpers.push(new Hand(opened.value, account, { isWanted: () => pool.isWanted, giveBack: back }));
    }
    return await work({ ...bench, helpers });
  } finally {
    for (const back of undo) await back();
    for (const lease of lent) lease.release();
  }
}
