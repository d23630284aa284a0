import { definite } from '../../core/errors.ts';
import { decidesAll, ColumnSample, widened } from './column-sample.ts';
import { decisionFor, isRightFor, priceOf } from './decision.ts';
import { cellsAnEvaluation, type Work } from './work.ts';

/**
 * The core of all table learners: few columns whose values decide each cell's colour on all training pairs. Each cell
 * carries a bit mask of the answers that are right for it; a group of cells with equal column values is decided when the
 * masks have a bit in common, so testing a set of columns is one pass of ANDs.
 */
export interface Column {
  readonly name: string;
  /** One value for each cell: training cells first, then test cells. */
  readonly values: Uint8Array;
  /** Values are below this. */
  readonly kinds: number;
  readonly price: number;
}

/** All cells of all images in one row; `pairEnd` marks where each image ends. */
export interface Cells {
  readonly columns: readonly Column[];
  readonly pairEnd: readonly number[];
  readonly trainPairs: number;
  /** Bit s of a training cell: answer s gives the right colour there. */
  readonly right: Uint32Array;
  /** What each bit stands for; answer 0 is the default, the next ten are plain colours, the others are read somewhere. */
  readonly answers: readonly string[];
  /** What an answer comes to at a row. Where it is given, tables that come to the same for every test row are one. */
  readonly resultOf?: (answer: string, row: number) => number;
}

export interface LearnLimits {
  /** How many sets of columns are widened by one more. */
  readonly widen: number;
  readonly deepest: number;
  /** Where learning is counted; when it is over, no larger sets are looked at. */
  readonly work: Work;
}

/** A decided table and how far to trust it. */
export interface Decision {
  readonly columns: readonly Column[];
  readonly table: Readonly<Record<string, string>>;
  /** The number of the answer to each cell of the test inputs; the default where the table does not know one. */
  readonly testAnswers: Uint8Array;
  /** Cells of the test inputs that the table does not know. */
  readonly unknownCells: number;
  /**
   * The share of pairs that are right without them: the mean of what these columns decide from the other pairs, and of what the
   * learner, learning again from the other pairs, comes to with whatever columns it then takes.
   */
  readonly held: number;
  readonly cost: number;
}

/** Answers in order of preference: keep the default, a fixed colour, then colours read from somewhere. */
export const fixedColours = Array.from({ length: 10 }, (_, colour) => `${colour}`);
export const mostAnswers = 32;

/** For each training cell the answers that are right; `read` gives the column of an answer that is not a fixed colour. */
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

/** A table over few rows takes as long as one over this many. */
const leastTabled = 80;

/** Of the sets that decide everything at one size, the cheapest few are made into tables; fewer when learning again. */
const mostTables = { first: 150, again: 40 };

/**
 * Finds sets of columns that decide everything, small sets first; the best `most` of the smallest size that works, each
 * with another answer to the tests. Where none does, `near` is the table over the set that leaves the fewest cells undecided.
 */
export function decide(
  cells: Cells,
  limits: LearnLimits,
  most: number,
): { readonly decided: Decision[]; readonly near: Decision | null } {
  const { tables, near, size } = tablesFor(cells, limits, most, mostTables.first);
  if (tables.length === 0) return { decided: [], near };
  // where no table holds without any pair, learning again would only say so once more
  const relearned = tables[0]?.held === 0 ? 0 : relearnedShare(cells, { ...limits, deepest: size }, most);
  const decided = unlike(cells, tables).slice(0, most);
  return { decided: decided.map((one) => ({ ...one, held: (one.held + relearned) / 2 })), near: null };
}

/** Tables that decide everything, the best first, and the size of the sets that were looked at last. */
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
    work.spend(sample.takeLooked() / cellsAnEvaluation.sampled);
    work.spend(((sets.length + 1) * Math.max(leastTabled, cells.right.length)) / cellsAnEvaluation.tabled);
    if (size === 2 && best[0] !== undefined) near = decisionFor(cells, columnsOf(best[0]));
    frontier = best;
  }
  tables.sort((a, b) => b.held - a.held || a.unknownCells - b.unknownCells || a.cost - b.cost);
  return { tables, near, size };
}

/** Of tables that answer the tests alike the first. */
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

/** Learning again looks at fewer sets: with as many as before it took a third of the whole search. */
const narrower = 3;

/** Number of pairs that are left out in turn, the first ones: with ten pairs the tenth says little, and costs as much as the first. */
const mostLeftOut = 5;

/**
 * Leave-one-out of the learner itself: each pair in turn allows every answer, so it says nothing, and the best table of
 * what is learned then must be right for it.
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
