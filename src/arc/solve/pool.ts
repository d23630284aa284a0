import { Worker } from 'node:worker_threads';
import type { Order, SearchReport } from './worker.ts';

/**
 * A thread that searches for the rules of tasks, one after the other. Each search is deterministic, so rows do not depend on
 * how many threads there are. A search cannot be interrupted: cancelling one ends the thread, and the next starts over.
 */
export class SearchThread {
  #worker: Worker | undefined;

  /** Undefined when it was cancelled. */
  async search(order: Order, signal: AbortSignal): Promise<SearchReport | undefined> {
    if (signal.aborted) return undefined;
    const worker = (this.#worker ??= new Worker(workerFile()));
    const { promise, resolve, reject } = Promise.withResolvers<SearchReport | undefined>();
    const cancel = (): void => resolve(undefined);
    worker.once('message', resolve);
    worker.once('error', reject);
    signal.addEventListener('abort', cancel, { once: true });
    try {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread has no origin
      worker.postMessage(order);
      const report = await promise;
      if (report === undefined) await this.end();
      return report;
    } catch (error) {
      await this.end();
      throw error;
    } finally {
      signal.removeEventListener('abort', cancel);
      worker.off('message', resolve);
      worker.off('error', reject);
    }
  }

  async end(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }
}

/** The threads of a run: as many as tasks are open at the same time, each kept warm for the next task. */
export class ThreadPool {
  readonly #idle: SearchThread[] = [];
  readonly #holders = new Map<SearchThread, string>();
  #isClosed = false;

  take(holder: string): SearchThread {
    const thread = this.#idle.pop() ?? new SearchThread();
    this.#holders.set(thread, holder);
    return thread;
  }

  async giveBack(thread: SearchThread): Promise<void> {
    this.#holders.delete(thread);
    if (this.#isClosed) await thread.end();
    else this.#idle.push(thread);
  }

  /** What each busy thread works on. */
  holders(): string[] {
    return [...this.#holders.values()];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    await Promise.all(
      [...this.#idle.splice(0), ...this.#holders.keys()].map(async (thread) => await thread.end()),
    );
  }
}

/** The worker is next to this file, as TypeScript in a clone and as JavaScript in a tarball. */
function workerFile(): URL {
  return new URL(import.meta.url.endsWith('.ts') ? './worker.ts' : './worker.js', import.meta.url);
}
