interface Waiting {
  readonly turn: () => number;
  readonly serve: () => void;
}

/**
 * One worker, several that want it: the one with the lowest turn is served next. Arms that race so get shares of CPU, not of
 * requests, and one that asks for expensive things does not slow down those that ask for cheap ones.
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
      // the last holder of the turn may want the next one too: it gets the time to say so
      setImmediate(() => this.#serveNext());
    }
  }

  /** The worker passes from hand to hand: it is busy until nobody waits. */
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
