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
}

export interface LearnLimits {
  /** How many sets of columns are widened by one more. */
  readonly widen: number;
  readonly deepest: number;
}

/** A decided table and how far to trust it. */
export interface Decision {
  readonly columns: readonly Column[];
  readonly table: Readonly<Record<string, string>>;
  /** Cells of the test inputs that the table does not know. */
  readonly unknownCells: number;
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
      if (wanted[i] === (column === null ? colour : column[i])) right[i] = (right[i] as number) | (1 << bit);
  }
  return right;
}

const largestSample = 640;
const groupMasks = new Uint32Array(1 << 16);
/** Which mask of a group belongs to the set in hand: older ones count as unset, so nothing is cleared. */
const groupStamps = new Int32Array(1 << 16);
let stamp = 0;

function nextStamp(): number {
  if (stamp < 0x7fffffff) return stamp + 1;
  groupStamps.fill(0);
  return 1;
}

/** Of the sets that decide everything at one size, so many are made into tables, the cheapest. */
const mostTables = 150;

/**
 * Finds sets of columns that decide everything, small sets first; the best `most` of the smallest size that works. Where
 * none does, `near` is the table over the set that leaves the fewest cells undecided.
 */
export function decide(
  cells: Cells,
  limits: LearnLimits,
  most: number,
): { readonly decided: Decision[]; readonly near: Decision | null } {
  const sample = new Sample(cells);
  const decided: Decision[] = [];
  let nearTable: Decision | null = null;
  let frontier: (readonly number[])[] = [[]];
  const columnsOf = (set: readonly number[]): Column[] => set.map((index) => cells.columns[index] as Column);
  for (let size = 1; size <= limits.deepest && decided.length < most; size++) {
    const { complete, best } = widened(
      sample,
      cells.columns.length,
      frontier,
      limits.widen * (size === 1 ? 4 : 1),
    );
    const tables = complete
      .map(columnsOf)
      .sort((a, b) => priceOf(a) - priceOf(b))
      .filter((set) => decidesAll(cells.right, set))
      .slice(0, mostTables);
    for (const set of tables) decided.push(decisionFor(cells, set));
    if (size === 2 && best[0] !== undefined) nearTable = decisionFor(cells, columnsOf(best[0]));
    frontier = best;
  }
  decided.sort((a, b) => b.held - a.held || a.unknownCells - b.unknownCells || a.cost - b.cost);
  return { decided: decided.slice(0, most), near: decided.length > 0 ? null : nearTable };
}

function priceOf(set: readonly Column[]): number {
  return set.reduce((sum, { price }) => sum + price, 0);
}

/** All sets with one column more: those that decide the sample, and the best of the others. */
function widened(
  sample: Sample,
  columnCount: number,
  frontier: readonly (readonly number[])[],
  most: number,
): { complete: number[][]; best: number[][] } {
  const complete: number[][] = [];
  /** Bucket u holds the sets that leave u cells undecided, in order of finding. */
  const buckets: number[][][] = [];
  const seen = new Set<number>();
  for (const set of frontier) {
    sample.start(set);
    const sorted = [...set].sort((a, b) => a - b);
    for (let column = 0; column < columnCount; column++) {
      if (set.includes(column)) continue;
      const key = setKey(sorted, column);
      if (seen.has(key)) continue;
      seen.add(key);
      const undecided = sample.undecidedWith(column);
      if (undecided === Infinity) continue;
      if (undecided === 0) complete.push([...set, column]);
      else {
        const bucket = (buckets[undecided] ??= []);
        if (bucket.length < most) bucket.push([...set, column]);
      }
    }
  }
  return { complete, best: buckets.flat().slice(0, most) };
}

/** The same number for the same columns, in whatever order. */
function setKey(sorted: readonly number[], column: number): number {
  let key = 0;
  let placed = false;
  for (const index of sorted) {
    if (!placed && column < index) {
      key = key * 1024 + column;
      placed = true;
    }
    key = key * 1024 + index;
  }
  return placed ? key : key * 1024 + column;
}

/**
 * The training cells that a set of columns must decide first: changed and kept ones in equal parts, evenly spread. The
 * keys of a set are made once, then every further column costs three short passes.
 */
class Sample {
  readonly #columns: readonly { readonly values: Uint8Array; readonly kinds: number }[];
  readonly #right: Uint32Array;
  readonly #prefix: Uint32Array;
  readonly #keys: Uint32Array;
  #prefixKinds = 1;

  constructor({ right, columns }: Cells) {
    const changed: number[] = [];
    const kept: number[] = [];
    // Bit 0 of `right` says that the default is right.
    for (let i = 0; i < right.length; i++) (((right[i] as number) & 1) === 0 ? changed : kept).push(i);
    const some = spread(changed, largestSample / 2);
    const places = [...some, ...spread(kept, largestSample - some.length)];
    this.#columns = columns.map(({ values, kinds }) => ({
      values: Uint8Array.from(places, (place) => values[place] as number),
      kinds,
    }));
    this.#right = Uint32Array.from(places, (place) => right[place] as number);
    this.#prefix = new Uint32Array(places.length);
    this.#keys = new Uint32Array(places.length);
  }

  start(set: readonly number[]): void {
    this.#prefix.fill(0);
    this.#prefixKinds = 1;
    for (const index of set) {
      const { values, kinds } = this.#columns[index] as { values: Uint8Array; kinds: number };
      this.#prefixKinds *= kinds;
      for (let s = 0; s < values.length; s++)
        this.#prefix[s] = (this.#prefix[s] as number) * kinds + (values[s] as number);
    }
  }

  /** Undecided cells when one more column joins the set; Infinity when there are too many kinds for the table. */
  undecidedWith(column: number): number {
    const { values, kinds } = this.#columns[column] as { values: Uint8Array; kinds: number };
    if (this.#prefixKinds * kinds > groupMasks.length) return Infinity;
    const keys = this.#keys;
    const prefix = this.#prefix;
    const right = this.#right;
    stamp = nextStamp();
    for (let s = 0; s < values.length; s++) {
      const key = (prefix[s] as number) * kinds + (values[s] as number);
      keys[s] = key;
      if (groupStamps[key] === stamp) groupMasks[key] = (groupMasks[key] as number) & (right[s] as number);
      else {
        groupStamps[key] = stamp;
        groupMasks[key] = right[s] as number;
      }
    }
    let undecided = 0;
    for (let s = 0; s < values.length; s++) if (groupMasks[keys[s] as number] === 0) undecided++;
    return undecided;
  }
}

function spread(from: readonly number[], most: number): number[] {
  const step = Math.max(1, from.length / most);
  return Array.from({ length: Math.min(most, from.length) }, (_, i) => from[Math.floor(i * step)] as number);
}

/** Whether a set that decides the sample decides all training cells. */
function decidesAll(right: Uint32Array, set: readonly Column[]): boolean {
  groupMasks.fill(
    0xffffffff,
    0,
    set.reduce((all, { kinds }) => all * kinds, 1),
  );
  for (let i = 0; i < right.length; i++) {
    const key = numberOf(set, i);
    const mask = (groupMasks[key] as number) & (right[i] as number);
    if (mask === 0) return false;
    groupMasks[key] = mask;
  }
  return true;
}

interface Group {
  mask: number;
  /** The first cell, which has the group's values. */
  readonly first: number;
  /** The mask of each pair that shows the group, for the leave-one-out check. */
  readonly pairs: Map<number, number>;
}

function decisionFor(cells: Cells, set: readonly Column[]): Decision {
  const groups = new Map<number, Group>();
  let pair = 0;
  for (let i = 0; i < cells.right.length; i++) {
    while (i >= (cells.pairEnd[pair] as number)) pair++;
    const number = numberOf(set, i);
    let group = groups.get(number);
    if (group === undefined) {
      group = { mask: -1, first: i, pairs: new Map() };
      groups.set(number, group);
    }
    group.mask &= cells.right[i] as number;
    group.pairs.set(pair, (group.pairs.get(pair) ?? -1) & (cells.right[i] as number));
  }
  let unknownCells = 0;
  for (let i = cells.right.length; i < (cells.pairEnd.at(-1) as number); i++)
    if (!groups.has(numberOf(set, i))) unknownCells++;
  const entries = Array.from(groups.values(), ({ mask, first }) => ({ key: keyOf(set, first), mask }));
  const table: Record<string, string> = {};
  let decisions = 0;
  for (const { key, mask } of entries.sort((a, b) => (a.key < b.key ? -1 : 1))) {
    // An undecided group keeps its cells: a later step may decide them.
    const bit = mask === 0 ? 0 : 31 - Math.clz32(mask & -mask);
    table[key] = cells.answers[bit] as string;
    // Keeping a cell is the default, hardly a decision; reading a colour elsewhere is more than naming one.
    decisions += bit === 0 ? 0.25 : bit <= 10 ? 1 : 3;
  }
  return {
    columns: set,
    table,
    unknownCells,
    held: heldPairs(cells.trainPairs, groups) / cells.trainPairs,
    cost: 8 + priceOf(set) + Math.min(50, Math.round(decisions)),
  };
}

/** The values of a cell as one number. */
function numberOf(set: readonly Column[], i: number): number {
  let number = 0;
  for (const { values, kinds } of set) number = number * kinds + (values[i] as number);
  return number;
}

function keyOf(set: readonly Column[], i: number): string {
  return set.map(({ values }) => values[i]).join(',');
}

/** Pairs that the other pairs alone would have decided rightly: every group known, and its answer right. */
function heldPairs(trainPairs: number, groups: ReadonlyMap<number, Group>): number {
  let held = 0;
  for (let pair = 0; pair < trainPairs; pair++) {
    let good = true;
    for (const { pairs } of groups.values()) {
      const own = pairs.get(pair);
      if (own === undefined) continue;
      let others = -1;
      for (const [other, mask] of pairs) if (other !== pair) others &= mask;
      // A group that no other pair shows is taken as "keep".
      const lowest = pairs.size === 1 ? 1 : others & -others;
      if ((lowest & own) === 0) good = false;
    }
    if (good) held++;
  }
  return held;
}
