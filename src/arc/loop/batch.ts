import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { UserError } from '../../core/errors.ts';
import type { Task } from '../grid/task.ts';
import { loadTasks, parseTask } from '../grid/tasks.ts';

/** One task of a batch, or why it is none. A malformed task is a row of the run, not the end of it. */
export type BatchEntry =
  | { readonly kind: 'task'; readonly id: string; readonly task: Task }
  | { readonly kind: 'fault'; readonly id: string; readonly message: string };

/** Reads a batch in order: JSONL, a folder of task files, one task file or a challenges file. */
export function loadBatch(path: string): BatchEntry[] {
  if (existsSync(path) && path.endsWith('.jsonl') && !statSync(path).isDirectory())
    return distinct(fromLines(path));
  if (existsSync(path) && statSync(path).isDirectory()) return distinct(fromFolder(path));
  return loadTasks(path).map((task) => ({ kind: 'task', id: task.id, task }));
}

function fromLines(path: string): BatchEntry[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .map((text, i) => ({ text, place: `${path}:${i + 1}` }))
    .filter(({ text }) => text.trim() !== '')
    .map(({ text, place }, i) => entryOf(text, `task-${i + 1}`, place));
}

function fromFolder(folder: string): BatchEntry[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) =>
      entryOf(readFileSync(join(folder, name), 'utf8'), basename(name, '.json'), join(folder, name)),
    );
}

function entryOf(text: string, id: string, place: string): BatchEntry {
  try {
    const task = parseTask(JSON.parse(text), id, place);
    return { kind: 'task', id: task.id, task };
  } catch (error) {
    if (error instanceof UserError || error instanceof SyntaxError)
      return { kind: 'fault', id, message: error.message };
    throw error;
  }
}

/** The second task of one id is a fault under an id of its own. */
function distinct(entries: readonly BatchEntry[]): BatchEntry[] {
  const seen = new Set<string>();
  return entries.map((entry, i) => {
    if (!seen.has(entry.id)) {
      seen.add(entry.id);
      return entry;
    }
    const id = `${entry.id}#${i + 1}`;
    seen.add(id);
    return { kind: 'fault', id, message: `task ${entry.id} occurs twice; every task needs an id of its own` };
  });
}
