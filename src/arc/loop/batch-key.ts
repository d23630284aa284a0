import { contentHash, gridToRows } from '../grid/grid.ts';
import type { LoopOptions } from '../learning/loop-options.ts';
import type { BatchEntry } from './batch.ts';

/**
 * What makes two runs the same: the tasks, every flag that a row depends on, what memory held when the run began, and the version;
 * not the workers.
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
