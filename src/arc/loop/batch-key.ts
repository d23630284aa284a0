import { contentHash, gridToRows } from '../grid/grid.ts';
import type { LoopOptions } from '../learning/loop-options.ts';
import type { BatchEntry } from './batch.ts';

/**
 * The key of a run: the tasks, every flag that affects rows, the memory at the start of the run, and the version; not the
 * number of workers.
 */
export function batchKey(
  entries: readonly BatchEntry[],
  options: LoopOptions,
  memory: string,
  version: string,
): string {
  const seen = entries.map((entry) =>
    entry.kind === 'fault'
      ? [entry.id, entry.message]
      : [
          entry.id,
          entry.task.train.map(({ input, output }) => [gridToRows(input), gridToRows(output)]),
          entry.task.test.map(gridToRows),
        ],
  );
  return contentHash(JSON.stringify([version, options, memory, seen]));
}
