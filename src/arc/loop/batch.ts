import { existsSync } from 'node:fs';
import { UserError } from '../../core/errors.ts';
import type { Task } from '../grid/task.ts';
import { loadTasks, parseTask, taskTexts } from '../grid/tasks.ts';

/** One task of a batch, or why it is malformed. A malformed task becomes a row and does not stop the run. */
export type BatchEntry =
  | { readonly kind: 'task'; readonly id: string; readonly task: Task }
  | { readonly kind: 'fault'; readonly id: string; readonly message: string };

/** Reads a batch in order: JSONL, a folder of task files, one task file or a challenges file. */
export function loadBatch(path: string): BatchEntry[] {
  const texts = existsSync(path) ? taskTexts(path) : null;
  if (texts === null) return loadTasks(path).map((task) => ({ kind: 'task', id: task.id, task }));
  return distinct(texts.map(entryOf));
}

function entryOf({ id, place, text }: { id: string; place: string; text: string }): BatchEntry {
  try {
    const task = parseTask(JSON.parse(text), id, place);
    return { kind: 'task', id: task.id, task };
  } catch (error) {
    if (error instanceof UserError || error instanceof SyntaxError)
      return { kind: 'fault', id, message: error.message };
    throw error;
  }
}

/** A second task with the same id is an error row with a separate id. */
function distinct(entries: readonly BatchEntry[]): BatchEntry[] {
  const seen = new Set<string>();
  return entries.map((entry, i) => {
    if (!seen.has(entry.id)) {
      seen.add(entry.id);
      return entry;
    }
    const id = `${entry.id}#${i + 1}`;
    seen.add(id);
    return { kind: 'fault', id, message: `task ${entry.id} occurs twice; every task needs a different id` };
  });
}
