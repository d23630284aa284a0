import { readdirSync, readFileSync, statSync, existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { UserError, messageOf } from '../../core/errors.ts';
import { gridFault, gridFromRows, type Grid, type GridRows } from './grid.ts';
import type { Task } from './task.ts';

/**
 * Reads tasks from JSONL (one task per line), a folder of task files, one task file, or Kaggle's challenges file. Kaggle
 * keeps the answers in a solutions file: the one named, or the one with the matching name next to the challenges.
 */
export function loadTasks(path: string, solutionsPath?: string): Task[] {
  if (!existsSync(path))
    throw new UserError(
      'ARC_TASKS_MISSING',
      `there is no task file or folder at ${path}`,
      'Name a JSONL file, a folder of task JSONs or a Kaggle challenges file; relative names are resolved against the folder of --data.',
    );
  const texts = taskTexts(path);
  const tasks =
    texts === null
      ? fromFile(path, solutionsPath)
      : texts.map(({ id, place, text }) => parseTask(parseJson(text, place), id, place));
  if (tasks.length === 0)
    throw new UserError(
      'ARC_TASKS_EMPTY',
      `${path} contains no task`,
      'A task is {"train":[{"input","output"},…],"test":[{"input"},…]}.',
    );
  const seen = new Set<string>();
  for (const { id } of tasks) {
    if (seen.has(id))
      throw new UserError(
        'ARC_TASK_TWICE',
        `task ${id} occurs twice in ${path}`,
        'Give every task a different id.',
      );
    seen.add(id);
  }
  return tasks;
}

/** The texts of a folder of task files or of a JSONL file, each with an id for a task that has none; null for any other file. */
export function taskTexts(path: string): { id: string; place: string; text: string }[] | null {
  if (statSync(path).isDirectory())
    return readdirSync(path)
      .filter((name) => name.endsWith('.json'))
      .sort()
      .map((name) => ({ id: basename(name, '.json'), place: join(path, name) }))
      .map((one) => ({ ...one, text: readFileSync(one.place, 'utf8') }));
  if (!path.endsWith('.jsonl')) return null;
  return readFileSync(path, 'utf8')
    .split('\n')
    .map((text, i) => ({ text, place: `${path}:${i + 1}` }))
    .filter(({ text }) => text.trim() !== '')
    .map((one, i) => ({ ...one, id: `task-${i + 1}` }));
}

function fromFile(path: string, solutionsPath?: string): Task[] {
  const value = readJson(path);
  if (isRecord(value) && Array.isArray(value['train']))
    return [parseTask(value, basename(path, '.json'), path)];
  if (!isRecord(value))
    throw new UserError('ARC_TASK_SHAPE', `${path} is neither a task nor a challenges file`);
  const beside = path.replace('challenges', 'solutions');
  const solutionsAt = solutionsPath ?? (beside !== path && existsSync(beside) ? beside : undefined);
  const solutions = solutionsAt === undefined ? {} : (readJson(solutionsAt) as Record<string, unknown[]>);
  return Object.entries(value).map(([id, task]) =>
    withSolutions(parseTask(task, id, `${path} (${id})`), solutions[id], solutionsAt),
  );
}

function withSolutions(task: Task, solutions: unknown[] | undefined, place: string | undefined): Task {
  if (solutions === undefined) return task;
  return {
    ...task,
    answers: task.test.map((_, i) => parseGrid(solutions[i], `${place} (${task.id}, output ${i})`)),
  };
}

/** Checks and converts one task; `id` is used if the task has none. */
export function parseTask(value: unknown, id: string, place: string): Task {
  if (!isRecord(value) || !Array.isArray(value['train']) || !Array.isArray(value['test']))
    throw new UserError('ARC_TASK_SHAPE', `${place}: a task needs "train" and "test" arrays`);
  const named = value['task_id'] ?? value['id'];
  const train = value['train'].map((pair: unknown, i) => ({
    input: parseGrid(field(pair, 'input'), `${place}, train ${i} input`),
    output: parseGrid(field(pair, 'output'), `${place}, train ${i} output`),
  }));
  const tests: unknown[] = value['test'];
  if (train.length === 0 || tests.length === 0)
    throw new UserError(
      'ARC_TASK_SHAPE',
      `${place}: a task needs at least one training pair and one test input`,
    );
  return {
    id: typeof named === 'string' ? named : id,
    train,
    test: tests.map((pair, i) => parseGrid(field(pair, 'input'), `${place}, test ${i} input`)),
    answers: tests.map((pair, i) => {
      const output = field(pair, 'output');
      return output === undefined || output === null ? null : parseGrid(output, `${place}, test ${i} output`);
    }),
  };
}

function parseGrid(value: unknown, place: string): Grid {
  const fault = gridFault(value);
  if (fault !== undefined) throw new UserError('ARC_GRID_SHAPE', `${place}: ${fault}`);
  return gridFromRows(value as GridRows);
}

function field(value: unknown, name: string): unknown {
  return isRecord(value) ? value[name] : undefined;
}

function readJson(path: string): unknown {
  return parseJson(readFileSync(path, 'utf8'), path);
}

function parseJson(text: string, place: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UserError('ARC_NOT_JSON', `${place}: not JSON: ${messageOf(error)}`, undefined, {
      cause: error,
    });
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
