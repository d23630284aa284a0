import { Worker } from 'node:worker_threads';
import type { Mode } from '../propose/teacher.ts';
import type { Task } from '../task.ts';
import type { Order, Report } from './worker.ts';

export interface PoolOptions {
  readonly workers: number;
  readonly mode: Mode;
  readonly maxNodes: number;
  readonly signal?: AbortSignal;
}

/**
 * Solves tasks in worker threads. Tasks are independent and each worker is deterministic, so rows do not depend on how
 * many workers there are, only the order in which they come does. An abort hands out no more tasks; those in hand end.
 */
export async function solveInWorkers(
  tasks: readonly { readonly index: number; readonly task: Task }[],
  options: PoolOptions,
  done: (report: Report) => void,
): Promise<void> {
  const waiting = [...tasks];
  const count = Math.min(options.workers, tasks.length);
  await Promise.all(Array.from({ length: count }, () => serve(waiting, options, done)));
}

async function serve(
  waiting: { readonly index: number; readonly task: Task }[],
  options: PoolOptions,
  done: (report: Report) => void,
): Promise<void> {
  const worker = new Worker(workerFile());
  try {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      if (options.signal?.aborted === true) return;
      const { mode, maxNodes } = options;
      const order: Order = { ...next, task: { ...next.task, answers: [] }, mode, maxNodes };
      done(await ask(worker, order));
    }
  } finally {
    await worker.terminate();
  }
}

function ask(worker: Worker, order: Order): Promise<Report> {
  return new Promise((resolve, reject) => {
    worker.once('error', reject);
    worker.once('message', (report: Report) => {
      worker.off('error', reject);
      resolve(report);
    });
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread has no origin
    worker.postMessage(order);
  });
}

/** The worker stands beside this file, as TypeScript in a clone and as JavaScript in a tarball. */
function workerFile(): URL {
  return new URL(import.meta.url.endsWith('.ts') ? './worker.ts' : './worker.js', import.meta.url);
}
