import { definite } from '../../core/errors.ts';
import { decidesAll, ColumnSample, widened } from './column-sample.ts';
import { completed, decisionFor, isRightFor, priceOf } from './decision.ts';
import { cellsPerEvaluation, type Work } from './work.ts';

/**
 * The core of all table learners: finds a few columns whose values determine each cell's colour on all training pairs. Each
 * cell has a bit mask of the answers that are right for it. A group of cells with equal column values is decided if their
 * masks share a bit, so testing a set of columns takes one pass of ANDs.
 */
export interface Column {
  readonly name: string;
  /** One value for each cell: training cells first, then test cells. */
  readonly values: Uint8Array;
  /** All values are smaller than this. */
  readonly kinds: number;
  readonly price: number;
}

/** All cells of all images in one row; `pairEnd` marks where each image ends. */
export interface Cells {
  readonly columns: readonly Column[];
  readonly pairEnd: readonly number[];
  readonly trainPairs: number;
  /** Bit s of a training cell is set if answer s gives the right colour there. */
  readonly right: Uint32Array;
  /** The answer of each bit: 0 is the default, the next ten are plain colours, the others are read from another place. */
  readonly answers: readonly string[];
  /** The value of an answer at a row. If given, only the first of several tables with equal values for every test row is kept. */
  readonly resultOf?: (answer: string, row: number) => number;
}

export interface LearnLimits {
  /** The number of column sets to which another column is added. */
  readonly widen: number;
  readonly deepest: number;
  /** Counts the work of learning; when it is used up, no larger sets are tried. */
  readonly work: Work;
}

/** A decided table and how far to trust it. */
export interface Decision {
  readonly columns: readonly Column[];
  readonly table: Readonly<Record<string, string>>;
  /** The index of the answer for each cell of the test inputs; the default if the cell's key is not in the table. */
  readonly testAnswers: Uint8Array;
  /** The number of test cells whose key is not in the table. */
  readonly unknownCells: number;
  /**
   * The leave-one-out share of pairs: the mean of two shares, one with these columns and a table from the other pairs, one
   * with columns and table learned again from the other pairs.
   */
  readonly held: number;
  readonly cost: number;
}

/** Answers in order of preference: keep the default, a fixed colour, then a colour read from another place. */
export const fixedColours = Array.from({ length: 10 }, (_, colour) => `${colour}`);
export const mostAnswers = 32;

/** The right answers for each training cell; `read` gives the column of an answer that is not a fixed colour. */
export function rightAnswers(
  wanted: Uint8Array,
  answers: readonly string[],
  read: (answer: string) => Uint8Array,
) {
  const right = new Uint32Array(wanted.length);
  for (const [bit, answer] of answers.entries()) {
    const column = answer.startsWith('@') ? read(answer) : null;
    const colour = Number(answer);
    for (let i = 0; i < wanted.length; i++)
      if (wanted[i] === (column === null ? colour : column[i])) right[i] = (right[i] ?? 0) | (1 << bit);
  }
  return right;
}

/** A table over fewer rows takes as long as one over this many. */
const leastTabled = 80;

/** Number of deciding sets of one size, the cheapest first, that become tables; fewer when learning again. */
const mostTables = { first: 150, again: 40 };

/**
 * Finds sets of columns that decide every cell, small sets first. Returns the best `most` tables of the smallest size that
 * works, each with different answers to the tests. If none works, `near` is the table that leaves the fewest cells undecided.
 */
export function decide(
  cells: Cells,
  limits: LearnLimits,
  most: number,
): { readonly decided: Decision[]; readonly near: Decision | null } {
  const { tables, near, size } = tablesFor(cells, limits, most, mostTables.first);
  if (tables.length === 0) return { decided: [], near };
  // if no table passes leave-one-out for any pair, learning again would only confirm that
  const relearned = tables[0]?.held === 0 ? 0 : relearnedShare(cells, { ...limits, deepest: size }, most);
  const decided = unlike(cells, tables).slice(0, most);
  return {
    decided: decided.map((one) => ({ ...completed(cells, one), held: (one.held + relearned) / 2 })),
    near: null,
  };
}

/** Tables that decide every cell, the best first, and the size of the last sets tried. */
function tablesFor(
  cells: Cells,
  limits: LearnLimits,
  most: number,
  mostMade: number,
): { readonly tables: Decision[]; readonly near: Decision | null; readonly size: number } {
  const { work } = limits;
  const sample = new ColumnSample(cells);
  const tables: Decision[] = [];
  let near: Decision | null = null;
  let frontier: (readonly number[])[] = [[]];
  let size = 0;
  const columnsOf = (set: readonly number[]): Column[] => set.map((index) => definite(cells.columns[index]));
  while (size < limits.deepest && tables.length < most && !work.isOver) {
    size++;
    const { complete, best } = widened(
      sample,
      cells.columns.length,
      frontier,
      limits.widen * (size === 1 ? 4 : 1),
    );
    const sets = complete
      .map(columnsOf)
      .sort((a, b) => priceOf(a) - priceOf(b))
      .filter((set) => decidesAll(cells.right, set))
      .slice(0, mostMade);
    for (const set of sets) tables.push(decisionFor(cells, set));
    work.spend(sample.takeLooked() / cellsPerEvaluation.sampled);
    work.spend(((sets.length + 1) * Math.max(leastTabled, cells.right.length)) / cellsPerEvaluation.tabled);
    if (size === 2 && best[0] !== undefined) near = decisionFor(cells, columnsOf(best[0]));
    frontier = best;
  }
  tables.sort((a, b) => b.held - a.held || a.unknownCells - b.unknownCells || a.cost - b.cost);
  return { tables, near, size };
}

/** Keeps the first of the tables with equal answers to the tests. */
function unlike({ resultOf, answers, pairEnd, right }: Cells, tables: readonly Decision[]): Decision[] {
  if (resultOf === undefined) return [...tables];
  const seen = new Set<string>();
  return tables.filter((one) => {
    let key = '';
    for (let row = right.length; row < definite(pairEnd.at(-1)); row++)
      key += String.fromCodePoint(resultOf(definite(answers[one.testAnswers[row - right.length] ?? 0]), row));
    return !seen.has(key) && seen.add(key);
  });
}

/** Learning again tries fewer sets by this factor: with all of them it took a third of the whole search. */
const narrower = 3;

/** At most this many pairs are left out in turn: the tenth of ten pairs adds little evidence but costs as much as the first. */
const mostLeftOut = 5;

/**
 * Leave-one-out of the learner itself. Each pair in turn accepts every answer, so the learner gets no information from it;
 * the best table learned that way must be right for that pair.
 */
function relearnedShare(cells: Cells, limits: LearnLimits, most: number): number {
  const { trainPairs, pairEnd, right } = cells;
  if (trainPairs < 2) return 0;
  const fewer = { ...limits, widen: Math.ceil(limits.widen / narrower) };
  const leftOut = Math.min(trainPairs, mostLeftOut);
  let held = 0;
  for (let pair = 0; pair < leftOut; pair++) {
    const silent = right.slice().fill(0xffffffff, pairEnd[pair - 1] ?? 0, pairEnd[pair]);
    const [best] = tablesFor({ ...cells, right: silent }, fewer, most, mostTables.again).tables;
    if (best !== undefined && isRightFor(best, cells, pair)) held++;
  }
  return held / leftOut;
}
