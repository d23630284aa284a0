import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import {
  gridToRows,
  motions,
  moveGrid,
  recolourGrid,
  sameGrid,
  type Grid,
  type Motion,
} from '../src/arc/grid.ts';
import { SearchThread } from '../src/arc/solve/pool.ts';
import { attemptsOf, type Row } from '../src/arc/solve/row.ts';
import type { Report } from '../src/arc/solve/worker.ts';
import { Draws } from '../src/arc/synth/draws.ts';
import type { Pair, Task } from '../src/arc/task.ts';
import { loadTasks } from '../src/arc/tasks.ts';
import { agreementConcepts } from './arc-concepts/agreements.ts';
import { compoundConcepts } from './arc-concepts/compound.ts';
import { constructionConcepts } from './arc-concepts/constructions.ts';
import { hardConcepts } from './arc-concepts/hard.ts';
import { jointConcepts } from './arc-concepts/joint.ts';
import { lineConcepts } from './arc-concepts/lines.ts';
import { movingConcepts } from './arc-concepts/moving.ts';
import { objectConcepts } from './arc-concepts/objects.ts';
import { pathConcepts } from './arc-concepts/paths.ts';
import { processConcepts } from './arc-concepts/processes.ts';
import { rebuildConcepts } from './arc-concepts/rebuild.ts';
import { relationConcepts } from './arc-concepts/relations.ts';
import { shuffled, type Concept } from './arc-concepts/sheet.ts';
import { sizeConcepts } from './arc-concepts/sizes.ts';
import { summaryConcepts } from './arc-concepts/summaries.ts';
import { surfaceConcepts } from './arc-concepts/surfaces.ts';

/**
 * How far the search holds beyond the tasks that it was grown beside. `--only turned`: even-numbered training tasks, turned and
 * with their colours exchanged; a rate below that of the tasks as they are says that something hangs on a direction or a
 * colour. `--only concepts`: invented tasks, some for each of the usual concepts. `--ids` names training tasks, `--match`
 * concepts by `book: name`, `--plain` leaves the recogniser out. Exit code 0: everything ran; a task whose search broke is named,
 * and not solved. Rows and tasks are left in bench/results/arc, where `bench:arc-usage` reads them.
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
    plain: { type: 'boolean', default: false },
  },
});
const books: Readonly<Record<string, Readonly<Record<string, Concept>>>> = {
  objects: objectConcepts,
  lines: lineConcepts,
  sizes: sizeConcepts,
  joint: jointConcepts,
  relations: relationConcepts,
  paths: pathConcepts,
  moving: movingConcepts,
  rebuild: rebuildConcepts,
  summaries: summaryConcepts,
  hard: hardConcepts,
  compound: compoundConcepts,
  processes: processConcepts,
  constructions: constructionConcepts,
  surfaces: surfaceConcepts,
  agreements: agreementConcepts,
};
const seed = Number(values.seed);
const pairsATask = 4;

await main();

async function main(): Promise<void> {
  const tasks = values.only === 'turned' ? turnedTasks() : madeTasks();
  const solved = new Map<string, number>();
  let confident = 0;
  let confidentSolved = 0;
  let cpuSeconds = 0;
  const rows = new Map<string, Row>();
  await search(tasks, ({ task, group }, report) => {
    if (report instanceof Error) {
      console.error(`BROKEN ${task.id} ${report.message}`);
      solved.set(group, solved.get(group) ?? 0);
      process.exitCode = 1;
      return;
    }
    const { row, cpu_seconds } = report;
    rows.set(task.id, row);
    const right = attemptsOf(row).every((attempts, i) =>
      attempts.some((grid) => grid !== null && sameGrid(grid, task.answers[i] as Grid)),
    );
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
  console.log(`processor seconds a task: mean ${(cpuSeconds / tasks.length).toFixed(2)}`);
}

/** Rows in the order of the tasks, and the tasks with their answers. */
function keepRows(tasks: readonly Grouped[], rows: ReadonlyMap<string, Row>): void {
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

interface Grouped {
  readonly task: Task;
  readonly group: string;
}

async function search(
  tasks: readonly Grouped[],
  onReport: (one: Grouped, report: Report | Error) => void,
): Promise<void> {
  const open = [...tasks];
  const work = async (): Promise<void> => {
    const thread = new SearchThread();
    for (let next = open.shift(); next !== undefined; next = open.shift()) {
      const order = {
        index: 0,
        task: { ...next.task, answers: [] },
        mode: 'fast',
        maxNodes: Infinity,
        recogniser: !values.plain,
      } as const;
      try {
        const report = await thread.search(order, new AbortController().signal);
        if (report !== undefined) onReport(next, report);
      } catch (error) {
        onReport(next, error as Error);
      }
    }
    await thread.end();
  };
  await Promise.all(Array.from({ length: Number(values.workers) }, work));
}

/** Even-numbered training tasks, each turned in a way of its own and with the colours but black exchanged. */
function turnedTasks(): Grouped[] {
  const data = values.data ?? process.env['ORCH_DATA'] ?? '';
  const ids = values.ids?.split(',');
  return loadTasks(join(data, 'arc', 'arc1-training.jsonl'))
    .filter(({ id }, i) => (ids === undefined ? i % 2 === 0 : ids.includes(id)))
    .map((task) => ({ task: changed(task, new Draws('turned', task.id, seed)), group: 'turned' }));
}

function madeTasks(): Grouped[] {
  const match = new RegExp(values.match ?? '');
  return Object.entries(books)
    .flatMap(([book, concepts]) =>
      Object.entries(concepts).map(([name, concept]) => ({ name, concept, group: `${book}: ${name}` })),
    )
    .filter(({ group }) => match.test(group))
    .flatMap(({ name, concept, group }) =>
      Array.from({ length: Number(values.count) }, (_, i) => {
        const draws = new Draws('concept', name, seed, i);
        return { task: changed(made(`${group} ${i}`, concept, draws), draws), group };
      }),
    );
}

function made(id: string, concept: Concept, draws: Draws): Task {
  const make = concept(draws);
  const pairs: Pair[] = [];
  for (let tries = 0; pairs.length < pairsATask && tries < 300; tries++) {
    const pair = make(draws, pairs.length);
    if (pair !== null) pairs.push(pair);
  }
  return {
    id,
    train: pairs.slice(0, -1),
    test: pairs.slice(-1).map(({ input }) => input),
    answers: pairs.slice(-1).map(({ output }) => output),
  };
}

function changed({ id, train, test, answers }: Task, draws: Draws): Task {
  const motion = motions[seed === 0 ? 0 : draws.below(motions.length)] as Motion;
  const colourOf = seed === 0 ? [] : [0, ...shuffled(draws, [1, 2, 3, 4, 5, 6, 7, 8, 9])];
  if (values.ground === 'coloured') {
    const shown = new Set(train.flatMap(({ input, output }) => [...input.cells, ...output.cells]));
    for (const grid of [...test, ...answers]) for (const cell of grid?.cells ?? []) shown.add(cell);
    const free = [1, 2, 3, 4, 5, 6, 7, 8, 9].find((colour) => !shown.has(colour));
    if (free !== undefined) [colourOf[0], colourOf[free]] = [colourOf[free] ?? free, 0];
  }
  const change = (grid: Grid): Grid => recolourGrid(moveGrid(grid, motion), colourOf);
  return {
    id,
    train: train.map(({ input, output }) => ({ input: change(input), output: change(output) })),
    test: test.map(change),
    answers: answers.map((answer) => (answer === null ? null : change(answer))),
  };
}
