/** A request waited longer for a worker than the server allows. */
export class Busy extends Error {
  override readonly name = 'Busy';
}

interface Waiting {
  readonly weight: number;
  enter(): void;
}

/** Admits work up to a capacity; the rest waits for a limited time, first come, first served. */
export class Admission {
  readonly #room: number;
  readonly #maxWaitMs: number;
  readonly #waiting = new Set<Waiting>();
  #taken = 0;

  constructor(room: number, maxWaitMs: number) {
    this.#room = room;
    this.#maxWaitMs = maxWaitMs;
  }

  /** Work that weighs more than the whole capacity runs alone. It can release its share before it ends. */
  async run<Value>(
    signal: AbortSignal,
    work: (leave: () => void) => Promise<Value>,
    weight = 1,
  ): Promise<Value> {
    const taken = Math.min(weight, this.#room);
    await this.#enter(signal, taken);
    let isInside = true;
    const leave = (): void => {
      if (!isInside) return;
      isInside = false;
      this.#taken -= taken;
      this.#admit();
    };
    try {
      return await work(leave);
    } finally {
      leave();
    }
  }

  #admit(): void {
    for (const waiting of this.#waiting) {
      if (this.#taken + waiting.weight > this.#room) return;
      waiting.enter();
    }
  }

  async #enter(signal: AbortSignal, weight: number): Promise<void> {
    signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiting: Waiting = {
      weight,
      enter: () => {
        this.#waiting.delete(waiting);
        this.#taken += weight;
        resolve();
      },
    };
    const leave = (why: unknown): void => {
      if (!this.#waiting.delete(waiting)) return;
      reject(why);
      this.#admit(); // later requests may need less
    };
    const timer = setTimeout(() => leave(new Busy('no worker is free')), this.#maxWaitMs);
    const onAbort = (): void => leave(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    this.#waiting.add(waiting);
    this.#admit();
    try {
      await promise;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    }
  }
}
