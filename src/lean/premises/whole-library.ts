import { systemClock } from '../../core/clock.ts';
import type { Lease } from '../workers/lease.ts';
import type { Toolchain } from '../toolchain/toolchain.ts';
import { LeanWorker } from '../toolchain/worker.ts';

/** The part of a lease that reading a library needs. */
export type LibraryView = Pick<Lease, 'rootSession' | 'request'>;

/**
 * A worker with the whole library, in its own process until disposed. A goal's worker may have imported only a part, and the
 * pool may have no other. Needed once per toolchain.
 */
export async function wholeLibrary(toolchain: Toolchain): Promise<LibraryView & Disposable> {
  const worker = await LeanWorker.start(toolchain, systemClock);
  await worker.ready;
  return {
    rootSession: toolchain.rootSession,
    request: async (op, body, limits) => await worker.request(op, body, limits),
    [Symbol.dispose]: () => worker.kill(),
  };
}
