import { gridFromRows, sameGrid, type Grid, type GridRows } from '../grid/grid.ts';
import type { Task } from '../grid/task.ts';

/** One test input's two attempts; null where there is no answer. */
export type Attempts = readonly [Grid | null, Grid | null];

/** The same in the format of a row. */
export type AttemptRows = readonly [GridRows | null, GridRows | null];

export function attemptsIn(rows: readonly AttemptRows[]): Attempts[] {
  return rows.map(([first, second]) => [asGrid(first), asGrid(second)]);
}

function asGrid(rows: GridRows | null): Grid | null {
  return rows === null ? null : gridFromRows(rows);
}

/** The three usual scores, with one and with two attempts. */
export interface Score {
  readonly tasks: number;
  readonly outputs: number;
  /** Right outputs over all outputs. */
  readonly outputs_right: { readonly pass_1: number; readonly pass_2: number };
  /** Mean over tasks of the fraction of right outputs. */
  readonly task_mean: { readonly pass_1: number; readonly pass_2: number };
  /** Tasks with every output right. */
  readonly tasks_solved: { readonly pass_1: number; readonly pass_2: number };
  /** Tasks with a confident answer, and the number of them that are solved. */
  readonly confident: number;
  readonly confident_solved: number;
  /** confident_solved ÷ confident; null when nothing is confident. */
  readonly precision: number | null;
}

export interface Answered {
  readonly task: Task;
  readonly attempts: readonly Attempts[];
  /** Whether an answer is confident; the others are guesses. */
  readonly confident: boolean;
}

/** Scores answers against the outputs; tasks whose outputs are not all known are left out. */
export function score(answered: readonly Answered[]): Score {
  const perTask = answered.flatMap(({ task: { answers }, attempts, confident }) => {
    if (!answers.every((answer) => answer !== null)) return [];
    const one = answers.map((answer, i) => right(attempts[i]?.[0] ?? null, answer));
    const two = answers.map((answer, i) => one[i] === true || right(attempts[i]?.[1] ?? null, answer));
    return [{ one, two, confident, outputs: answers.length }];
  });
  const sum = (of: (entry: (typeof perTask)[number]) => number): number =>
    perTask.reduce((total, entry) => total + of(entry), 0);
  const confident = sum((entry) => Number(entry.confident));
  const confidentSolved = sum((entry) => Number(entry.confident && entry.two.every(Boolean)));
  return {
    tasks: perTask.length,
    outputs: sum(({ outputs }) => outputs),
    outputs_right: { pass_1: sum(({ one }) => count(one)), pass_2: sum(({ two }) => count(two)) },
    task_mean: {
      pass_1: sum(({ one }) => count(one) / one.length) / Math.max(1, perTask.length),
      pass_2: sum(({ two }) => count(two) / two.length) / Math.max(1, perTask.length),
    },
    tasks_solved: {
      pass_1: sum(({ one }) => Number(one.every(Boolean))),
      pass_2: sum(({ two }) => Number(two.every(Boolean))),
    },
    confident,
    confident_solved: confidentSolved,
    precision: confident === 0 ? null : confidentSolved / confident,
  };
}

function count(flags: readonly boolean[]): number {
  return flags.filter(Boolean).length;
}

function right(attempt: Grid | null, answer: Grid): boolean {
  return attempt !== null && sameGrid(attempt, answer);
}
