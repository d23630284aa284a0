import { definite } from '../../core/errors.ts';
import type { Cells, Column } from './decide.ts';

const largestSample = 640;
/** The first look at a set, an even part of the sample. */
const firstLook = 128;
const strides = 5;
/** Sets whose columns have more values than this together are not looked at. */
export const mostNumbers = 1 << 16;
const groupMasks = new Uint32Array(mostNumbers);
/** Which mask of a group belongs to the set in hand: older ones count as unset, so nothing is cleared. */
const groupStamps = new Int32Array(mostNumbers);
let stamp = 0;

function nextStamp(): number {
  if (stamp < 0x7fffffff) return stamp + 1;
  groupStamps.fill(0);
  return 1;
}

/** All sets with one column more: those that decide the sample, and the best of the others. */
export function widened(
  sample: ColumnSample,
  columnCount: number,
  frontier: readonly (readonly number[])[],
  most: number,
): { complete: number[][]; best: number[][] } {
  const complete: number[][] = [];
  /** Bucket u holds the sets that leave u cells undecided, in order of finding. */
  const buckets: number[][][] = [];
  const seen = new Set<number>();
  /** Enough sets are known that leave at most `limit` cells undecided: those that leave more are not among the best. */
  let limit = Infinity;
  for (const set of frontier) {
    sample.start(set);
    const sorted = [...set].sort((a, b) => a - b);
    for (let column = 0; column < columnCount; column++) {
      if (set.includes(column)) continue;
      const key = setKey(sorted, column);
      if (seen.has(key)) continue;
      seen.add(key);
      const undecided = sample.undecidedWith(column, limit);
      if (undecided > limit || undecided === Infinity) continue;
      if (undecided === 0) complete.push([...set, column]);
      else {
        const bucket = (buckets[undecided] ??= []);
        if (bucket.length >= most) continue;
        bucket.push([...set, column]);
        limit = limitOf(buckets, most, limit);
      }
    }
  }
  return { complete, best: buckets.flat().slice(0, most) };
}

/** How many undecided cells the worst of the best `most` sets leaves. */
function limitOf(buckets: readonly (readonly unknown[] | undefined)[], most: number, before: number): number {
  let count = 0;
  for (let undecided = 1; undecided < Math.min(buckets.length, before); undecided++) {
    count += buckets[undecided]?.length ?? 0;
    if (count >= most) return undecided;
  }
  return before;
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
export class ColumnSample {
  readonly #columns: readonly { readonly values: Uint8Array; readonly kinds: number }[];
  readonly #right: Uint32Array;
  readonly #prefix: Uint32Array;
  readonly #keys: Uint32Array;
  #prefixKinds = 1;
  #looked = 0;

  constructor({ right, columns }: Cells) {
    const changed: number[] = [];
    const kept: number[] = [];
    // Bit 0 of `right` says that the default is right.
    for (let i = 0; i < right.length; i++) (((right[i] ?? 0) & 1) === 0 ? changed : kept).push(i);
    const some = spread(changed, largestSample / 2);
    const places = stirred([...some, ...spread(kept, largestSample - some.length)]);
    this.#columns = columns.map(({ values, kinds }) => {
      // a plain loop: with Uint8Array.from this took a third of all learning
      const own = new Uint8Array(places.length);
      for (let s = 0; s < own.length; s++) own[s] = values[places[s] ?? 0] ?? 0;
      return { values: own, kinds };
    });
    this.#right = Uint32Array.from(places, (place) => right[place] ?? 0);
    this.#looked = places.length * columns.length;
    this.#prefix = new Uint32Array(places.length);
    this.#keys = new Uint32Array(places.length);
  }

  /** How many cells were looked at since this was last asked. */
  takeLooked(): number {
    const looked = this.#looked;
    this.#looked = 0;
    return looked;
  }

  start(set: readonly number[]): void {
    this.#prefix.fill(0);
    this.#prefixKinds = 1;
    for (const index of set) {
      const { values, kinds } = definite(this.#columns[index]);
      this.#prefixKinds *= kinds;
      for (let s = 0; s < values.length; s++)
        this.#prefix[s] = (this.#prefix[s] ?? 0) * kinds + (values[s] ?? 0);
    }
  }

  /**
   * Undecided cells when one more column joins the set; Infinity when there are too many kinds for the table. What part of
   * the sample leaves undecided, all of it does: where that is more than `limit`, the rest is not looked at.
   */
  undecidedWith(column: number, limit: number): number {
    const some = Math.min(firstLook, this.#right.length);
    if (limit < some) {
      const least = this.#undecidedAmong(some, column);
      if (least > limit) return least;
    }
    return this.#undecidedAmong(this.#right.length, column);
  }

  #undecidedAmong(count: number, column: number): number {
    const { values, kinds } = definite(this.#columns[column]);
    if (this.#prefixKinds * kinds > groupMasks.length) return Infinity;
    const keys = this.#keys;
    const prefix = this.#prefix;
    const right = this.#right;
    stamp = nextStamp();
    this.#looked += count;
    for (let s = 0; s < count; s++) {
      const key = (prefix[s] ?? 0) * kinds + (values[s] ?? 0);
      keys[s] = key;
      if (groupStamps[key] === stamp) groupMasks[key] = (groupMasks[key] ?? 0) & (right[s] ?? 0);
      else {
        groupStamps[key] = stamp;
        groupMasks[key] = right[s] ?? 0;
      }
    }
    let undecided = 0;
    for (let s = 0; s < count; s++) if (groupMasks[keys[s] ?? 0] === 0) undecided++;
    return undecided;
  }
}

/** In another order, so that the first few are spread over all. */
function stirred(places: readonly number[]): number[] {
  return Array.from({ length: strides }, (_, first) =>
    places.filter((_place, at) => at % strides === first),
  ).flat();
}

function spread(from: readonly number[], most: number): number[] {
  const step = Math.max(1, from.length / most);
  return Array.from({ length: Math.min(most, from.length) }, (_, i) => from[Math.floor(i * step)] ?? 0);
}

/** The values of a cell as one number. */
export function numberOf(set: readonly Column[], i: number): number {
  let number = 0;
  for (const { values, kinds } of set) number = number * kinds + (values[i] ?? 0);
  return number;
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
    const mask = (groupMasks[key] ?? 0) & (right[i] ?? 0);
    if (mask === 0) return false;
    groupMasks[key] = mask;
  }
  return true;
}
