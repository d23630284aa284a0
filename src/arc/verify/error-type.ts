import type { FeatureVector } from './comparator.ts';
import { objectsIn } from '../grid/objects.ts';
import { countColours, motions, moveGrid, sameGrid, type Grid } from '../grid/grid.ts';
import type { RunOutcome } from '../language/run.ts';
import type { Pair } from '../grid/task.ts';
import type { RuleVerdict } from './verify.ts';

/**
 * The error of a program, from training pairs only: the first kind that matches, in this order. The parser reports
 * PARSE and TYPE. There is no TIMEOUT: programs have no loops and every operation is bounded (docs/ARC.md).
 */
export const errorTypes = [
  'PARSE',
  'TYPE',
  'EXEC',
  'OVERSIZE',
  'EMPTY',
  'SHAPE_MISMATCH',
  'NO_CHANGE',
  'ORIENTATION',
  'POSITION_SHIFT',
  'COLOUR_PERMUTED',
  'PALETTE_EXTRA',
  'PALETTE_MISSING',
  'OBJECT_MISSING',
  'OBJECT_EXTRA',
  'PARTIAL_PAIRS',
  'NEAR_MISS',
  'WRONG_CONTENT',
  'OVERFIT',
  'NONE',
] as const;
export type ErrorType = (typeof errorTypes)[number];

const nearCellAccuracy = 0.95;

/** A training pair with a wrong output of the program. */
interface Miss extends Pair {
  readonly grid: Grid;
}

/**
 * Kinds of wrong grids of the right size. The first four suggest how to fix the answer, so they must hold for every
 * wrong pair; for the others one pair is enough.
 */
const contentKinds: readonly (readonly [ErrorType, (misses: readonly Miss[]) => boolean])[] = [
  ['NO_CHANGE', (misses) => misses.every(({ input, grid }) => sameGrid(input, grid))],
  ['ORIENTATION', (misses) => misses.every(isTurned)],
  ['POSITION_SHIFT', (misses) => misses.every(isShifted)],
  ['COLOUR_PERMUTED', (misses) => misses.every(isPermuted)],
  ['PALETTE_EXTRA', (misses) => misses.some(({ grid, output }) => showsMore(grid, output))],
  ['PALETTE_MISSING', (misses) => misses.some(({ grid, output }) => showsMore(output, grid))],
  ['OBJECT_MISSING', (misses) => misses.some(({ grid, output }) => objectCount(grid) < objectCount(output))],
  ['OBJECT_EXTRA', (misses) => misses.some(({ grid, output }) => objectCount(grid) > objectCount(output))],
];

export function errorType(train: readonly Pair[], verdict: RuleVerdict, features: FeatureVector): ErrorType {
  if (verdict.solved) return train.length > 1 && features.loo_consistency < 1 ? 'OVERFIT' : 'NONE';
  const failed = runFailure(verdict.outcomes);
  if (failed !== null) return failed;
  const misses = missesOf(train, verdict);
  if (misses.some(({ grid, output }) => isBlank(grid) && !isBlank(output))) return 'EMPTY';
  if (features.shape_frac < 1) return 'SHAPE_MISMATCH';
  for (const [kind, matches] of contentKinds) if (matches(misses)) return kind;
  if (misses.length < train.length) return 'PARTIAL_PAIRS';
  return features.cell_acc >= nearCellAccuracy ? 'NEAR_MISS' : 'WRONG_CONTENT';
}

function runFailure(outcomes: readonly RunOutcome[]): 'EXEC' | 'OVERSIZE' | 'EMPTY' | null {
  for (const kind of ['EXEC', 'OVERSIZE', 'EMPTY'] as const)
    if (outcomes.some((outcome) => outcome.kind === kind)) return kind;
  return null;
}

function missesOf(train: readonly Pair[], { outcomes, exact }: RuleVerdict): Miss[] {
  return train.flatMap((pair, i) => {
    const outcome = outcomes[i];
    return exact[i] === true || outcome?.kind !== 'grid' ? [] : [{ ...pair, grid: outcome.grid }];
  });
}

function isBlank({ cells }: Grid): boolean {
  return cells.every((cell) => cell === 0);
}

function isTurned({ grid, output }: Miss): boolean {
  return motions.some((motion) => sameGrid(moveGrid(grid, motion), output));
}

/** The filled cells are those of the output, all shifted by one offset. */
function isShifted({ grid, output }: Miss): boolean {
  const from = grid.cells.findIndex((cell) => cell !== 0);
  const to = output.cells.findIndex((cell) => cell !== 0);
  if (from < 0 || to < 0) return false;
  const dx = (to % output.width) - (from % grid.width);
  const dy = Math.floor(to / output.width) - Math.floor(from / grid.width);
  const moved = new Uint8Array(output.cells.length);
  for (const [i, cell] of grid.cells.entries()) {
    if (cell === 0) continue;
    const x = (i % grid.width) + dx;
    const y = Math.floor(i / grid.width) + dy;
    if (x < 0 || y < 0 || x >= output.width || y >= output.height) return false;
    moved[y * output.width + x] = cell;
  }
  return sameGrid({ ...output, cells: moved }, output);
}

/** Colours of the answer correspond one to one to colours of the output. */
function isPermuted({ grid, output }: Miss): boolean {
  const there = new Map<number, number>();
  const back = new Map<number, number>();
  for (const [i, cell] of grid.cells.entries()) {
    const wanted = output.cells[i] ?? 0;
    if ((there.get(cell) ?? wanted) !== wanted || (back.get(wanted) ?? cell) !== cell) return false;
    there.set(cell, wanted);
    back.set(wanted, cell);
  }
  return true;
}

function showsMore(one: Grid, other: Grid): boolean {
  const counts = countColours(other.cells);
  return one.cells.some((cell) => counts[cell] === 0);
}

function objectCount({ cells, width, height }: Grid): number {
  return objectsIn({ width, height, cells }, 'blob').count;
}
