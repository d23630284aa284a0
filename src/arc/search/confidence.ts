import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { countColours, sameGrid, type Grid } from '../grid/grid.ts';
import type { Task } from '../grid/task.ts';
import type { Ballot } from './ballot.ts';
import { fitsOdds, odds } from './odds.ts';

/**
 * The probability that one of the two attempts is right: a logistic model over features of task and ballot.
 * `bench:arc-calibrate` fits it on families of tasks and tests it on families and styles that it has not seen.
 */
export type Evidence = Readonly<Record<string, number>>;

const modelSchema = z.object({
  confident_from: z.number(),
  bias: z.number(),
  weights: z.record(z.string(), z.number()),
});
const model = modelSchema.parse(
  JSON.parse(readFileSync(new URL('../../../policy/arc-confidence.json', import.meta.url), 'utf8')),
);

/** A row with at least this probability is confident. In styles that were not fitted, at least nine of ten such rows are right. */
export const confidentFrom = model.confident_from;

const kinds = ['stack', 'cells', 'pieces', 'treatments', 'moves', 'members', 'tiles'] as const;

/** Null if no rule fits every training pair: then there is no evidence for any answer. */
export function evidenceOf(task: Pick<Task, 'train' | 'test'>, { answers, views }: Ballot): Evidence | null {
  const [first, second] = answers;
  if (first === undefined || !fitsOdds(first.best)) return null;
  const together = first.share + (second !== undefined && fitsOdds(second.best) ? second.share : 0);
  const rivals = answers.filter(({ best }) => fitsOdds(best)).length - 1;
  const kind = first.best.by.split(' ', 1)[0];
  return {
    share: logit(first.share),
    together: logit(together),
    odds: bounded(Math.log(odds(first.best)), -5, 7),
    price: bounded(first.best.price / 10, 0, 10),
    held: first.best.held,
    loo: first.best.feature_vec.loo_consistency,
    unknown: Number(first.best.unknown > 0),
    rivals: Math.log1p(rivals),
    proposers: Math.min(3, first.proposers - 1),
    votes: first.votes / Math.max(1, views),
    views: Math.log(Math.max(1, views)),
    agreement: (first.agreement ?? 0) - 1.5,
    doubt: first.doubt,
    ...shownBy(task),
    ...Object.fromEntries(kinds.map((name) => [`by_${name}`, Number(kind === name)])),
  };
}

/** How informative the training pairs are, and how much the tests differ from them. */
function shownBy({ train, test }: Pick<Task, 'train' | 'test'>): Evidence {
  const inputs = train.map(({ input }) => input);
  const known = coloursOf(inputs);
  const side = Math.max(...inputs.map(({ width, height }) => Math.max(width, height)));
  const outputs = new Set(train.map(({ output }) => `${output.width} ${output.cells.join('')}`));
  return {
    pairs: Math.log(train.length),
    cells: Math.log10(train.reduce((sum, { output }) => sum + output.cells.length, 0)),
    changed: Math.log10(1 + train.reduce((sum, { input, output }) => sum + changedCells(input, output), 0)),
    resized: Number(train.some(({ input, output }) => input.cells.length !== output.cells.length)),
    repeated: 1 - outputs.size / train.length,
    new_colours: Number([...coloursOf(test)].some((colour) => !known.has(colour))),
    larger: Number(test.some(({ width, height }) => Math.max(width, height) > side)),
    tests: test.length - 1,
    unchanged: Number(train.some(({ input, output }) => sameGrid(input, output))),
  };
}

function coloursOf(grids: readonly Grid[]): Set<number> {
  const shown = new Set<number>();
  for (const { cells } of grids)
    for (const [colour, count] of countColours(cells).entries()) if (count > 0) shown.add(colour);
  return shown;
}

function changedCells(input: Grid, output: Grid): number {
  if (input.width !== output.width || input.height !== output.height) return output.cells.length;
  return output.cells.filter((cell, i) => cell !== input.cells[i]).length;
}

export function probabilityOf(evidence: Evidence): number {
  let sum = model.bias;
  for (const [name, weight] of Object.entries(model.weights)) sum += weight * (evidence[name] ?? 0);
  return 1 / (1 + Math.exp(-sum));
}

function logit(share: number): number {
  return bounded(Math.log(share / (1 - share)), -6, 6);
}

function bounded(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(most, value));
}
