import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { gridToRows, type Grid } from '../src/arc/grid/grid.ts';
import type { TaskRow } from '../src/arc/solve/row.ts';
import type { Pair, Task } from '../src/arc/grid/task.ts';
import {
  conceptBooks,
  isSolved,
  madeTasks,
  miniatureBooks,
  searchAll,
  turnedTasks,
  type Grouped,
} from './arc-sets.ts';

/**
 * Measures how the search generalises beyond the tasks used to develop it. `--only turned`: even-numbered training
 * tasks, turned and recoloured; a lower rate than on the unchanged tasks means that something depends on a direction
 * or a colour. `--only concepts`: generated tasks for each usual concept. `--only miniatures`: small tasks in another
 * style, not used for development or fitting. `--ids` names training tasks, `--match` concepts by `book: name`,
 * Exit code 0: every search ended; a task whose search failed is named and counts
 * as not solved. Rows and tasks are written to bench/results/arc.
 */
const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    only: { type: 'string', default: 'concepts' },
    count: { type: 'string', default: '2' },
    seed: { type: 'string', default: '1' },
    workers: { type: 'string', default: '2' },
    ids: { type: 'string' },
    match: { type: 'string' },
    ground: { type: 'string', default: 'black' },
  },
});
const seed = Number(values.seed);

await main();

async function main(): Promise<void> {
  const tasks = tasksOf(values.only);
  const solved = new Map<string, number>();
  let confident = 0;
  let confidentSolved = 0;
  let cpuSeconds = 0;
  const rows = new Map<string, TaskRow>();
  const options = { workers: Number(values.workers) };
  await searchAll(tasks, options, ({ task, group }, report) => {
    if (report instanceof Error) {
      console.error(`BROKEN ${task.id} ${report.message}`);
      solved.set(group, solved.get(group) ?? 0);
      process.exitCode = 1;
      return;
    }
    const { row, cpu_seconds } = report;
    rows.set(task.id, row);
    const right = isSolved(row, task);
    solved.set(group, (solved.get(group) ?? 0) + Number(right));
    cpuSeconds += cpu_seconds;
    confident += Number(row.confident);
    confidentSolved += Number(row.confident && right);
    console.error(
      `${right ? 'right' : row.confident ? 'WRONG' : 'wrong'} ${task.id} ${cpu_seconds.toFixed(1)}`,
    );
  });
  const all = [...solved.values()].reduce((sum, count) => sum + count, 0);
  for (const [group, count] of [...solved].sort(([a], [b]) => (a < b ? -1 : 1)))
    if (count < tasks.filter((one) => one.group === group).length) console.log(`  ${count} ${group}`);
  console.log(
    `${values.only}, seed ${seed}: ${all} of ${tasks.length}, confident ${confident}, of these right ${confidentSolved}`,
  );
  keepRows(tasks, rows);
  console.log(`CPU seconds per task: mean ${(cpuSeconds / tasks.length).toFixed(2)}`);
}

/** Rows in the order of the tasks, and the tasks with their answers. */
function keepRows(tasks: readonly Grouped[], rows: ReadonlyMap<string, TaskRow>): void {
  const folder = join(import.meta.dirname, 'results', 'arc', values.only);
  mkdirSync(folder, { recursive: true });
  const kept = tasks.flatMap(({ task }) => rows.get(task.id) ?? []);
  writeFileSync(join(folder, 'rows.jsonl'), asLines(kept));
  writeFileSync(join(folder, 'tasks.jsonl'), asLines(tasks.map(({ task }) => taskWritten(task))));
}

function asLines(all: readonly unknown[]): string {
  return all.map((one) => `${JSON.stringify(one)}\n`).join('');
}

function taskWritten({ id, train, test, answers }: Task): object {
  const tests = test.map((input, i) => pairWritten({ input, output: answers[i] as Grid }));
  return { task_id: id, train: train.map(pairWritten), test: tests };
}

function pairWritten({ input, output }: Pair): object {
  return { input: gridToRows(input), output: gridToRows(output) };
}

function tasksOf(set: string): Grouped[] {
  const drawing = {
    seed,
    count: Number(values.count),
    match: new RegExp(values.match ?? ''),
    isGroundColoured: values.ground === 'coloured',
  };
  if (set === 'concepts') return madeTasks(conceptBooks, drawing);
  if (set === 'miniatures') return madeTasks(miniatureBooks, drawing);
  const ids = values.ids?.split(',');
  return turnedTasks(values.data ?? process.env['ORCH_DATA'] ?? '', seed).filter(
    ({ task }) => ids?.includes(task.id) ?? true,
  );
}
