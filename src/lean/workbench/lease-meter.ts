import { processTreeUsage } from '../../io/process-usage.ts';
import type { Lease } from '../workers/lease.ts';
import type { Cost } from '../base/protocol.ts';

/** Measures a worker's cost between two readings from outside, because the reply to loading a preamble has no cost. */
export class LeaseMeter {
  readonly #lease: Lease;
  readonly #pid: number | undefined;
  readonly #before: number;
  readonly #workBefore: number;

  constructor(lease: Lease) {
    this.#lease = lease;
    this.#pid = lease.pid;
    this.#before = usage(lease.pid);
    this.#workBefore = lease.workSeconds;
  }

  read(): Cost {
    const now = usage(this.#lease.pid);
    const cpuSeconds = this.#lease.pid === this.#pid ? now - this.#before : now;
    const workSeconds = this.#lease.workSeconds - this.#workBefore;
    return { cpuSeconds, workSeconds, wallSeconds: 0, peakBytes: this.#lease.residentBytes };
  }
}

function usage(pid: number | undefined): number {
  return pid === undefined ? 0 : (processTreeUsage(pid)?.cpuSeconds ?? 0);
}
