import { parentPort } from 'node:worker_threads';
import { teach, type TeachLimits } from '../search/teacher.ts';
import type { Task } from '../grid/task.ts';
import { rowFor, type TaskRow } from './row.ts';

/** The protocol of a worker thread: one order in, one report out. */
export interface Order extends TeachLimits {
  readonly index: number;
  readonly task: Task;
}
export interface SearchReport {
  readonly index: number;
  readonly row: TaskRow;
  /** Wall-clock time and CPU time of this thread; they differ on a busy machine. */
  readonly seconds: number;
  readonly cpu_seconds: number;
}

parentPort?.on('message', ({ index, task, ...limits }: Order) => {
  const start = performance.now();
  const before = process.threadCpuUsage();
  // answers are removed: the search never sees a test output
  const row = rowFor(task, teach({ ...task, answers: [] }, limits));
  const used = process.threadCpuUsage(before);
  const cpu_seconds = (used.user + used.system) / 1e6;
  const report: SearchReport = { index, row, seconds: (performance.now() - start) / 1000, cpu_seconds };
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread has no origin
  parentPort?.postMessage(report);
});
