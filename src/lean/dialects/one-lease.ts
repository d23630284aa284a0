import { environmentKey, type LeanEnvironment } from '../project/environment.ts';
import type { Lease } from '../workers/lease.ts';
import type { LeanPool } from '../workers/pool.ts';

/**
 * One worker for a long conversation, in the environment of each request. A worker that has grown too large is returned before
 * the next request and replaced by the pool.
 */
export class OneLease {
  readonly #poolFor: (environment: LeanEnvironment) => Promise<LeanPool>;
  readonly #maxBytes: number;
  #held: { readonly key: string; readonly lease: Lease } | undefined;

  constructor(poolFor: (environment: LeanEnvironment) => Promise<LeanPool>, maxBytes: number) {
    this.#poolFor = poolFor;
    this.#maxBytes = maxBytes;
  }

  readonly borrow = async (environment: LeanEnvironment): Promise<Lease> => {
    const key = environmentKey(environment);
    const held = this.#held;
    if (held?.key === key && held.lease.residentBytes <= this.#maxBytes) return held.lease;
    this.release();
    const pool = await this.#poolFor(environment);
    const lease = await pool.lease({ environment });
    this.#held = { key, lease };
    return lease;
  };

  release(): void {
    this.#held?.lease.release();
    this.#held = undefined;
  }
}
