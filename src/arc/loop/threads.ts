import { definite } from '../../core/errors.ts';
import { Worker } from 'node:worker_threads';
import type { LoopOrder, LoopReport } from './worker.ts';

/** The worker is next to this file, as TypeScript in a clone and as JavaScript in a tarball. */
const ownWorker = new URL(import.meta.url.endsWith('.ts') ? './worker.ts' : './worker.js', import.meta.url);

/**
 * Runs orders on worker threads and hands reports over as they come. A thread that breaks costs its task alone: the report
 * says so, and the next order gets a new thread.
 */
export async function runOnThreads(
  orders: readonly (LoopOrder & { readonly index: number })[],
  threads: number,
  report: (index: number, report: LoopReport) => boolean,
  signal: AbortSignal,
  workerFile: URL = ownWorker,
): Promise<void> {
  const queue = [...orders];
  let isStopped = false;
  const serve = async (): Promise<void> => {
    let worker: Worker | undefined;
    try {
      while (queue.length > 0 && !isStopped && !signal.aborted) {
        const { index, ...order } = definite(queue.shift());
        worker ??= new Worker(workerFile);
        const answer = await ask(worker, order);
        if (answer.kind === 'broken') {
          await worker.terminate();
          worker = undefined;
        }
        const said: LoopReport =
          answer.kind === 'broken' ? { kind: 'failed', message: answer.message } : answer;
        if (!report(index, said)) isStopped = true;
      }
    } finally {
      await worker?.terminate();
    }
  };
  await Promise.all(Array.from({ length: Math.min(threads, orders.length) }, serve));
}

type Answer = LoopReport | { readonly kind: 'broken'; readonly message: string };

/** One order, one answer; a worker that throws or exits has answered too. */
async function ask(worker: Worker, order: LoopOrder): Promise<Answer> {
  const { promise, resolve } = Promise.withResolvers<Answer>();
  const failed = (error: unknown): void =>
    resolve({ kind: 'broken', message: error instanceof Error ? error.message : String(error) });
  const exited = (code: number): void =>
    resolve({ kind: 'broken', message: `the worker ended with exit code ${code}` });
  worker.once('message', resolve);
  worker.once('error', failed);
  worker.once('exit', exited);
  try {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread has no origin
    worker.postMessage(order);
    return await promise;
  } finally {
    worker.off('message', resolve);
    worker.off('error', failed);
    worker.off('exit', exited);
  }
}
