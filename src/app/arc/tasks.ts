import { existsSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import type { Task } from '../../arc/grid/task.ts';
import { loadTasks } from '../../arc/grid/tasks.ts';
import { UserError } from '../../core/errors.ts';

/** The path as given if it exists, else relative to the data folder. */
export function locate(name: string, data: string | undefined): string {
  if (existsSync(name) || data === undefined || isAbsolute(name)) return name;
  return join(data, name);
}

/** `FILE#ID`, or a file with a single task. */
export function loadOneTask(name: string, data: string | undefined): Task {
  const hash = name.lastIndexOf('#');
  const tasks = loadTasks(locate(hash < 0 ? name : name.slice(0, hash), data));
  const id = hash < 0 ? undefined : name.slice(hash + 1);
  const task = id === undefined ? tasks[0] : tasks.find((one) => one.id === id);
  if (task === undefined)
    throw new UserError('ARC_TASK_UNKNOWN', `there is no task ${id} in ${name.slice(0, hash)}`);
  if (id === undefined && tasks.length > 1)
    throw new UserError(
      'ARC_TASK_UNCLEAR',
      `${name} holds ${tasks.length} tasks`,
      `Name one: ${name}#${task.id}`,
    );
  return task;
}
