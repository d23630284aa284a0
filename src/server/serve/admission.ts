/** Somebody waited for a worker longer than the server lets them. */
export class Busy extends Error {
  override readonly name = 'Busy';
}

interface Waiting {
  enter(): void;
}

/** At most so many at the same time; the others wait in line, for a while. */
export class Admission {
  readonly #places: number;
  readonly #maxWaitMs: number;
  readonly #waiting = new Set<Waiting>();
  #inside = 0;

  constructor(places: number, maxWaitMs: number) {
    this.#places = places;
    this.#maxWaitMs = maxWaitMs;
  }

  async run<Value>(signal: AbortSignal, work: () => Promise<Value>): Promise<Value> {
    await this.#enter(signal);
    try {
      return await work();
    } finally {
      this.#inside--;
      const [next] = this.#waiting;
      next?.enter();
    }
  }

  async #enter(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#inside < this.#places) {
      this.#inside++;
      return;
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiting: Waiting = {
      enter: () => {
        this.#waiting.delete(waiting);
        this.#inside++;
        resolve();
      },
    };
    const leave = (why: unknown): void => {
      if (this.#waiting.delete(waiting)) reject(why);
    };
    const timer = setTimeout(() => leave(new Busy('no worker is free')), this.#maxWaitMs);
    const onAbort = (): void => leave(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    this.#waiting.add(waiting);
    try {
      await promise;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    }
  }
}
