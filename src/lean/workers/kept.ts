import type { LeanWorker } from '../toolchain/worker.ts';

interface Kept {
  readonly start: string;
  readonly worker: LeanWorker;
}

/**
 * Idle workers of closed pools, reused by the next pool that would start the same command line: a start takes most of a second,
 * as long as a short command. Nothing is kept by default; a host that runs several commands in one process turns it on.
 */
export class KeptWorkers {
  #most = 0;
  #all: Kept[] = [];

  /** Sets how many workers to keep. */
  keep(most: number): void {
    this.#most = most;
    this.#endExcess();
  }

  get pids(): readonly number[] {
    return this.#all.flatMap(({ worker }) => worker.pid ?? []);
  }

  /** Removes and returns a worker that this command line started. */
  take(start: string): LeanWorker | undefined {
    const found = this.#all.findLast((kept) => kept.start === start && kept.worker.alive);
    this.#all = this.#all.filter((kept) => kept !== found && kept.worker.alive);
    found?.worker.ref();
    return found?.worker;
  }

  /**
   * Keeps a worker; if there are too many, it replaces the oldest. If it returns false, the pool must end the
   * worker.
   */
  leave(start: string, worker: LeanWorker): boolean {
    if (this.#most === 0) return false;
    worker.unref();
    this.#all.push({ start, worker });
    this.#endExcess();
    return true;
  }

  #endExcess(): void {
    const excess = this.#all.length - this.#most;
    for (const { worker } of excess > 0 ? this.#all.splice(0, excess) : []) worker.kill();
  }
}

/** One per role: a process that has read user text never judges. */
export const keptWorkers = { elaborators: new KeptWorkers(), judges: new KeptWorkers() };
