import type { Cells, Column } from './decide.ts';
import { numberOf } from './decision.ts';

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

/** All sets with one column more: those that decide the sample, and the best of the others. */
export function widened(
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
export class Sample {
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
export function decidesAll(right: Uint32Array, set: readonly Column[]): boolean {
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
