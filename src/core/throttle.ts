import type { Slot } from '../shared/events.ts';

/** What the machine did since the last reading. */
export interface CpuUsage {
  /** Seconds that passed. */
  readonly seconds: number;
  /** CPU-seconds of our process tree. */
  readonly own: number;
  /** CPU-seconds of everyone on the machine, ours included. */
  readonly all: number;
}

/** After a pause, no more than this much saved-up time is spent at once. */
const burstSeconds = 3;
const forgetting = 0.1;
/** However busy others are, this share of the machine stays ours: slow, but not dead. */
const leastShare = 0.05;
/** Heavy attempts start only while so much of the burst is left: they give way first. */
const heavyReserve = 0.5;

/**
 * The CPU budget: a bucket of CPU-seconds that fills at `target × cores` a second and is charged with what was really used.
 * It may go into debt (a request that runs is never cut short for it), and then everyone waits until it is paid.
 */
export class Throttle {
  readonly target: number;
  readonly #cores: number;
  #tokens: number;
  #others = 0;
  readonly #waiting: { slot: Slot; grant: () => void }[] = [];

  constructor(target: number, cores: number) {
    this.target = target;
    this.#cores = cores;
    this.#tokens = this.#capacity;
  }

  /** The load that others put on the machine, as a share of it: a moving average. */
  get others(): number {
    return this.#others;
  }

  /** The share that is ours now: the target, or less where others need the machine. */
  get share(): number {
    return Math.min(this.target, Math.max(leastShare, 1 - this.#others));
  }

  /** Take a reading: fill, charge, and let those go on that may. */
  charge({ seconds, own, all }: CpuUsage): void {
    if (seconds > 0) {
      const others = Math.min(1, Math.max(0, all - own) / (seconds * this.#cores));
      this.#others = (1 - forgetting) * this.#others + forgetting * others;
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

  /** In the order of asking, except that a light one passes heavy ones that may not start yet. */
  #grantAll(): void {
    const granted = this.#waiting.filter(({ slot }) => this.#mayStart(slot));
    for (const waiting of granted) {
      this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
      waiting.grant();
    }
  }
}
