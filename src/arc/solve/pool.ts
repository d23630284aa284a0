import { Worker } from 'node:worker_threads';
import { fieldOf } from '../../core/errors.ts';
import type { Order, SearchReport } from './worker.ts';

/** A request from a working thread, which waits for the answer. */
export interface SearchQuestion<Question> {
  readonly kind: 'question';
  readonly place: number;
  readonly question: Question;
}
export interface SearchAnswer {
  readonly kind: 'answer';
  readonly place: number;
  readonly answer: unknown;
}

type Answering = (question: unknown, signal: AbortSignal) => Promise<unknown>;

/**
 * A thread that searches for the rules of tasks, one at a time. Each search is deterministic, so rows do not depend
 * on the number of threads. A search cannot be interrupted: cancelling it ends the thread, and the next search starts
 * a new one.
 */
export class SearchThread<Sent = Order, Report = SearchReport> {
  readonly #file: URL;
  #worker: Worker | undefined;

  constructor(file: URL = workerBeside(import.meta.url)) {
    this.#file = file;
  }

  /** Undefined if cancelled. A thread that throws or exits has failed. */
  async search(
    order: Sent,
    signal: AbortSignal,
    answering: Answering = noAnswers,
  ): Promise<Report | undefined> {
    if (signal.aborted) return undefined;
    const worker = (this.#worker ??= new Worker(this.#file));
    const { promise, resolve, reject } = Promise.withResolvers<Report | undefined>();
    const cancel = (): void => resolve(undefined);
    const exited = (code: number): void => reject(new Error(`the worker ended with exit code ${code}`));
    const heard = (message: Report): void => {
      if (fieldOf(message, 'kind') !== 'question') {
        resolve(message);
        return;
      }
      const place = Number(fieldOf(message, 'place'));
      answering(fieldOf(message, 'question'), signal).then((answer) => {
        const said: SearchAnswer = { kind: 'answer', place, answer };
        // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread has no origin
        worker.postMessage(said);
      }, reject);
    };
    worker.on('message', heard);
    worker.once('error', reject);
    worker.once('exit', exited);
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
      worker.off('message', heard);
      worker.off('error', reject);
      worker.off('exit', exited);
    }
  }

  async end(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }
}

function noAnswers(): Promise<never> {
  return Promise.reject(new Error('this thread sends no requests'));
}

/** The threads of a run, one per parallel task, kept warm for the next task. */
export class ThreadPool<Sent = Order, Report = SearchReport> {
  readonly #file: URL | undefined;
  readonly #idle: SearchThread<Sent, Report>[] = [];
  readonly #holders = new Map<SearchThread<Sent, Report>, string>();
  #isClosed = false;

  constructor(file?: URL) {
    this.#file = file;
  }

  take(holder: string): SearchThread<Sent, Report> {
    const thread = this.#idle.pop() ?? new SearchThread<Sent, Report>(this.#file);
    this.#holders.set(thread, holder);
    return thread;
  }

  async giveBack(thread: SearchThread<Sent, Report>): Promise<void> {
    this.#holders.delete(thread);
    if (this.#isClosed) await thread.end();
    else this.#idle.push(thread);
  }

  /** The current task of each busy thread. */
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

/** The worker next to a module, as TypeScript in a clone and as JavaScript in a tarball. */
export function workerBeside(module: string): URL {
  return new URL(module.endsWith('.ts') ? './worker.ts' : './worker.js', module);
}
