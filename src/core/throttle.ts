import type { Slot } from '../shared/events.ts';

/** Usage of the machine since the last reading. */
export interface CpuUsage {
  /** Seconds that passed. */
  readonly seconds: number;
  /** CPU-seconds of our process tree. */
  readonly own: number;
  /** CPU-seconds of all processes on the machine, ours included. */
  readonly all: number;
}

/** Maximum CPU time saved up during a pause. */
const burstSeconds = 3;
const usualForgetting = 0.1;
/** Minimum share of the machine, however busy others are. */
const leastShare = 0.05;
/** Heavy attempts start only while this much of the burst is left, so they give way first. */
const heavyReserve = 0.5;

/**
 * The CPU budget: a bucket of CPU-seconds that fills at `target × cores` a second and is charged with the
 * measured usage.
 * It may go into debt, because a running request is never cut short; then all wait until it is paid.
 */
export class Throttle {
  readonly target: number;
  readonly #cores: number;
  /** Weight of a new reading in the average. */
  readonly #forgetting: number;
  #tokens: number;
  #others = 0;
  readonly #waiting: { slot: Slot; grant: () => void }[] = [];

  constructor(target: number, cores: number, forgetting = usualForgetting) {
    this.#forgetting = forgetting;
    this.target = target;
    this.#cores = cores;
    this.#tokens = this.#capacity;
  }

  /** Load of other processes as a share of the machine; a moving average. */
  get others(): number {
    return this.#others;
  }

  /** Our current share: the target, or less if others need the machine. */
  get share(): number {
    return Math.min(this.target, Math.max(leastShare, 1 - this.#others));
  }

  /** Take a reading: fill, charge, and release waiting requests. */
  charge({ seconds, own, all }: CpuUsage): void {
    if (seconds > 0) {
      const others = Math.min(1, Math.max(0, all - own) / (seconds * this.#cores));
      this.#others += this.#forgetting * (others - this.#others);
    }
    this.#tokens = Math.min(this.#capacity, this.#tokens + seconds * this.share * this.#cores - own);
    this.#grantAll();
  }

  /** Resolves when a request may start, at once if the bucket is not empty. Rejects with the signal's reason. */
  async permit(slot: Slot, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    if (this.#mayStart(slot) && this.#waiting.length === 0) return;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiting = { slot, grant: resolve };
    this.#waiting.push(waiting);
    const onAbort = (): void => {
      const index = this.#waiting.indexOf(waiting);
      if (index >= 0) this.#waiting.splice(index, 1);
      reject(signal?.reason as Error);
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    try {
      await promise;
    } finally {
      signal?.removeEventListener('abort', onAbort);
    }
  }

  get #capacity(): number {
    return burstSeconds * this.target * this.#cores;
  }

  #mayStart(slot: Slot): boolean {
    return this.#tokens > (slot === 'heavy' ? heavyReserve * this.#capacity : 0);
  }

  /** First come, first served, except that light requests pass heavy ones that may not start yet. */
  #grantAll(): void {
    const granted = this.#waiting.filter(({ slot }) => this.#mayStart(slot));
    for (const waiting of granted) {
      this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
      waiting.grant();
    }
  }
}
