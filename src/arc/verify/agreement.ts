import { countColours, motions, moveGrid, recolourGrid, sameGrid, type Grid } from '../grid/grid.ts';
import type { Program } from '../language/program.ts';
import { compile } from '../language/run.ts';
import type { Pair, Task } from '../grid/task.ts';

/** Only the smallest pairs are tested, because a rule that is invariant on them mostly is on the others too. */
const askedPairs = 2;

/** Typical agreement of correct rules: a higher value counts for a rule, a lower one against it. */
export const usualAgreement = 1.5;

type Change = (grid: Grid) => Grid;

/**
 * How far a rule is invariant, from 0 to 2: the fraction of turned and mirrored training pairs that it still gets
 * right, plus the same for permuted colours without meaning of their own. On even-numbered training tasks
 * (2026-11-16), correct rules have means of 0.77 and 0.98; rules that fit but are wrong have 0.57 and 0.81.
 */
export function agreement(program: Program, { train, test }: Pick<Task, 'train' | 'test'>): number {
  const run = compile(program);
  const pairs = train.toSorted((a, b) => a.input.cells.length - b.input.cells.length).slice(0, askedPairs);
  const share = (changes: readonly Change[]): number => {
    let right = 0;
    for (const { input, output } of pairs)
      for (const change of changes) {
        const outcome = run(change(input));
        if (outcome.kind === 'grid' && sameGrid(outcome.grid, change(output))) right++;
      }
    return changes.length === 0 ? 1 : right / (pairs.length * changes.length);
  };
  return share(turns) + share(exchanges(train, test));
}

const turns = motions
  .filter((motion) => motion !== 'identity')
  .map(
    (motion): Change =>
      (grid) =>
        moveGrid(grid, motion),
  );

/** Permutations, by one and by two, of the colours that occur in some inputs but not all, and in no output without its input. */
function exchanges(train: readonly Pair[], test: readonly Grid[]): Change[] {
  const counts = [...train.map(({ input }) => input), ...test].map(({ cells }) => countColours(cells));
  const free = [1, 2, 3, 4, 5, 6, 7, 8, 9].filter(
    (colour) =>
      counts.some((count) => count[colour] === 0) &&
      train.every(({ input, output }) => input.cells.includes(colour) || !output.cells.includes(colour)),
  );
  if (free.length < 3) return [];
  return [1, 2].map((by): Change => {
    const colourOf = Array.from({ length: 10 }, (_, colour) => colour);
    for (const [i, colour] of free.entries()) colourOf[colour] = free[(i + by) % free.length] ?? 0;
    return (grid) => recolourGrid(grid, colourOf);
  });
}
