import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { z } from 'zod';
import { UserError, codeOf, fieldOf } from '../../core/errors.ts';
import { replaceFile } from '../../io/whole-file.ts';
import { rowSchema, traceSchema, type LoopRow, type TaskTrace } from '../learning/schemas.ts';

/** What is known about a task that has ended: its trace, or the row of one that failed. */
export type Ended =
  | { readonly index: number; readonly trace: TaskTrace }
  | { readonly index: number; readonly row: LoopRow };

/**
 * What a run has done so far, one line per task, written before the task counts as done: kill -9 at any moment loses at most
 * the tasks in hand. The first line names the run; another run's progress is never taken over.
 */
export class LoopProgress {
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  begin(runKey: string): void {
    writing(this.#file, () => writeFileSync(this.#file, `${JSON.stringify({ run_key: runKey })}\n`));
  }

  /** Tasks that an earlier run with this key has ended; a line that a kill has cut off does not count. */
  resume(runKey: string): Ended[] {
    if (!existsSync(this.#file)) return [];
    const [first, ...lines] = readFileSync(this.#file, 'utf8').split('\n');
    if (fieldOf(parsed(first ?? ''), 'run_key') !== runKey)
      throw new UserError(
        'ARC_RESUME_OTHER_RUN',
        `${this.#file} belongs to a run of other tasks, other flags or another version`,
        'Run without --resume to start over, or repeat the flags of that run.',
      );
    const ended = lines.flatMap((line) => endedOf(parsed(line)));
    writeRows(this.#file, [{ run_key: runKey }, ...ended]);
    return ended;
  }

  add(ended: Ended): void {
    writing(this.#file, () => appendFileSync(this.#file, `${JSON.stringify(ended)}\n`));
  }

  end(): void {
    rmSync(this.#file, { force: true });
  }
}

function endedOf(value: unknown): Ended[] {
  const index = fieldOf(value, 'index');
  if (typeof index !== 'number') return [];
  // the value as it was written: a schema would give it back with its keys in another order
  const [trace, row] = [fieldOf(value, 'trace'), fieldOf(value, 'row')];
  if (fits(traceSchema, trace)) return [{ index, trace }];
  return fits(rowSchema, row) ? [{ index, row }] : [];
}

function fits<Shape extends z.ZodType>(schema: Shape, value: unknown): value is z.infer<Shape> {
  return schema.safeParse(value).success;
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** Lines of JSON that appear together or not at all. */
export function writeRows(file: string, rows: Iterable<unknown>): void {
  writing(file, () => replaceFile(file, Array.from(rows, (row) => `${JSON.stringify(row)}\n`).join('')));
}

/** A full disk is no bug: what was written stays, and the run can be resumed from it. */
function writing<Value>(file: string, work: () => Value): Value {
  try {
    return work();
  } catch (error) {
    const code = codeOf(error);
    if (code !== 'ENOSPC' && code !== 'EDQUOT' && code !== 'EFBIG') throw error;
    throw new UserError(
      'ARC_DISK_FULL',
      `there is no room to write ${file}`,
      'Make room, then run the same command with --resume: what was finished is not searched again.',
      { cause: error },
    );
  }
}
