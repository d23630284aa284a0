interface Waiting {
  readonly turn: () => number;
  readonly serve: () => void;
}

/**
 * Shares one worker among several callers: the caller with the lowest turn is served next. So racing arms share CPU
 * time rather than requests, and an arm with expensive requests does not slow down one with cheap requests.
 */
export class Turns {
  readonly #waiting: Waiting[] = [];
  #isBusy = false;

  async take<Value>(turn: () => number, work: () => Promise<Value>): Promise<Value> {
    if (this.#isBusy) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#waiting.push({ turn, serve: resolve });
      await promise;
    }
    this.#isBusy = true;
    try {
      return await work();
    } finally {
      // gives the last holder a chance to queue its next request
      setImmediate(() => this.#serveNext());
    }
  }

  /** Serves waiting callers one after another; busy until the queue is empty. */
  #serveNext(): void {
    const [first, ...others] = this.#waiting;
    if (!first) {
      this.#isBusy = false;
      return;
    }
    const next = others.reduce((best, one) => (one.turn() < best.turn() ? one : best), first);
    this.#waiting.splice(this.#waiting.indexOf(next), 1);
    next.serve();
  }
}
