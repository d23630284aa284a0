import { join } from 'node:path';
import { motions, moveGrid, recolourGrid, sameGrid, type Grid, type Motion } from '../src/arc/grid/grid.ts';
import { SearchThread } from '../src/arc/solve/pool.ts';
import { attemptsOf, type TaskRow } from '../src/arc/solve/row.ts';
import type { Order, SearchReport } from '../src/arc/solve/worker.ts';
import { Draws } from '../src/arc/learning/synth/draws.ts';
import type { Pair, Task } from '../src/arc/grid/task.ts';
import { loadTasks } from '../src/arc/grid/tasks.ts';
import { agreementConcepts } from './arc-concepts/agreements.ts';
import { cards } from './arc-concepts/cards.ts';
import { compoundConcepts } from './arc-concepts/compound.ts';
import { constructionConcepts } from './arc-concepts/constructions.ts';
import { hardConcepts } from './arc-concepts/hard.ts';
import { jointConcepts } from './arc-concepts/joint.ts';
import { lineConcepts } from './arc-concepts/lines.ts';
import { lineMiniatures } from './arc-concepts/miniatures-lines.ts';
import { shapeMiniatures } from './arc-concepts/miniatures-shapes.ts';
import { movingConcepts } from './arc-concepts/moving.ts';
import { objectConcepts } from './arc-concepts/objects.ts';
import { pathConcepts } from './arc-concepts/paths.ts';
import { processConcepts } from './arc-concepts/processes.ts';
import { rebuildConcepts } from './arc-concepts/rebuild.ts';
import { relationConcepts } from './arc-concepts/relations.ts';
import { shuffled, type Concept } from './arc-concepts/sheet.ts';
import { sizeConcepts } from './arc-concepts/sizes.ts';
import { platesOnSheets, strips } from './arc-concepts/strips.ts';
import { summaryConcepts } from './arc-concepts/summaries.ts';
import { surfaceConcepts } from './arc-concepts/surfaces.ts';

/** The sets of tasks that measurements run on, and the threads that search them. */

/** A task and the family it belongs to. */
export interface Grouped {
  readonly task: Task;
  readonly group: string;
}

type Books = Readonly<Record<string, Readonly<Record<string, Concept>>>>;

export const conceptBooks: Books = {
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

export const miniatureBooks: Books = { lines: lineMiniatures, shapes: shapeMiniatures };

/** Held out: no design choice and no fit uses them. */
export const heldOutBooks: Books = { strips, plates: platesOnSheets };

/** Held out too, and not looked at before the figures: each concept on black ground and on coloured ground. */
export const cardBooks: Books = { cards };

const pairsPerTask = 4;

export interface Drawing {
  readonly seed: number;
  /** Tasks per concept. */
  readonly count: number;
  readonly match?: RegExp;
  readonly isGroundColoured?: boolean;
}

/** Even-numbered lines are for development, odd ones for measurement. */
export function trainingTasks(data: string, half?: 'even' | 'odd'): Grouped[] {
  return loadTasks(join(data, 'arc', 'arc1-training.jsonl'))
    .map((task, line) => ({ task, group: line % 2 === 0 ? 'even' : 'odd' }))
    .filter(({ group }) => half === undefined || group === half);
}

/** Training tasks of one half, each turned in its own way, with colours other than black permuted. */
export function turnedTasks(data: string, seed: number, half: 'even' | 'odd' = 'even'): Grouped[] {
  return trainingTasks(data, half).map(({ task }) => ({
    task: changed(task, new Draws('turned', task.id, seed), { seed, count: 1 }),
    group: 'turned',
  }));
}

export function madeTasks(books: Books, drawing: Drawing): Grouped[] {
  return Object.entries(books)
    .flatMap(([book, concepts]) =>
      Object.entries(concepts).map(([name, concept]) => ({ name, concept, group: `${book}: ${name}` })),
    )
    .filter(({ group }) => drawing.match?.test(group) ?? true)
    .flatMap(({ name, concept, group }) =>
      Array.from({ length: drawing.count }, (_, i) => {
        const draws = new Draws('concept', name, drawing.seed, i);
        return { task: changed(made(`${group} ${i}`, concept, draws), draws, drawing), group };
      }),
    );
}

function made(id: string, concept: Concept, draws: Draws): Task {
  const make = concept(draws);
  const pairs: Pair[] = [];
  for (let tries = 0; pairs.length < pairsPerTask && tries < 1000; tries++) {
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

function changed({ id, train, test, answers }: Task, draws: Draws, drawing: Drawing): Task {
  const motion = motions[drawing.seed === 0 ? 0 : draws.below(motions.length)] as Motion;
  const colourOf = drawing.seed === 0 ? [] : [0, ...shuffled(draws, [1, 2, 3, 4, 5, 6, 7, 8, 9])];
  if (drawing.isGroundColoured === true) {
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

/** Whether one of the two attempts is right for every test input. */
export function isSolved(row: TaskRow, { answers }: Task): boolean {
  return attemptsOf(row).every((attempts, i) => {
    const answer = answers[i] ?? null;
    return answer !== null && attempts.some((grid) => grid !== null && sameGrid(grid, answer));
  });
}

/** One search: a task, optionally with some words switched off. */
export interface Job {
  readonly task: Task;
  readonly without?: readonly string[];
}

/** Searches every job on this many threads; `take` returns the next one, or undefined at the end. */
export async function searchAll<One extends Job>(
  jobs: readonly One[],
  options: { readonly workers: number; readonly until?: () => boolean },
  onReport: (job: One, report: SearchReport | Error) => void,
): Promise<void> {
  const open = [...jobs];
  const work = async (): Promise<void> => {
    const thread = new SearchThread();
    for (let next = open.shift(); next !== undefined; next = open.shift()) {
      if (options.until?.() === true) break;
      const order: Order = {
        index: 0,
        task: { ...next.task, answers: [] },
        maxNodes: Infinity,
        without: next.without ?? [],
      };
      try {
        const report = await thread.search(order, new AbortController().signal);
        if (report !== undefined) onReport(next, report);
      } catch (error) {
        onReport(next, error as Error);
      }
    }
    await thread.end();
  };
  await Promise.all(Array.from({ length: options.workers }, work));
}
