import { messageOf } from '../../core/errors.ts';
import { parentPort } from 'node:worker_threads';
import type { RulerBundle } from '../learning/memory/bundle.ts';
import type { TaskTrace } from '../learning/schemas.ts';
import type { Task } from '../grid/task.ts';
import { runTask } from './loop.ts';
import type { LoopOptions } from '../learning/loop-options.ts';
import { partsFor } from './parts.ts';

/** The protocol of a worker thread: one order in, one report out. */
export interface LoopOrder {
  readonly task: Task;
  readonly options: LoopOptions;
  readonly memory: RulerBundle;
  readonly runKey: string;
}
export type LoopReport =
  | { readonly kind: 'trace'; readonly trace: TaskTrace }
  | { readonly kind: 'failed'; readonly message: string };

parentPort?.on('message', (order: LoopOrder) => {
  void work(order).then((report) => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread has no origin
    parentPort?.postMessage(report);
  });
});

/** A bug in the search costs one task, never the run. */
async function work({ task, options, memory, runKey }: LoopOrder): Promise<LoopReport> {
  try {
    return { kind: 'trace', trace: await runTask(task, options, partsFor(options, memory, runKey)) };
  } catch (error) {
    return { kind: 'failed', message: messageOf(error) };
  }
}
