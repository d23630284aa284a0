import { definite } from '../../core/errors.ts';
import type { Cells, Column } from './decide.ts';

const largestSample = 640;
/** Size of the evenly spread part of the sample that is checked first. */
const firstLook = 128;
const strides = 5;
/** A set is skipped if its columns have more combinations of values than this. */
export const mostNumbers = 1 << 16;
const groupMasks = new Uint32Array(mostNumbers);
/** Marks the masks of the current set. Older masks count as unset, so nothing needs to be cleared. */
const groupStamps = new Int32Array(mostNumbers);
let stamp = 0;

function nextStamp(): number {
  if (stamp < 0x7fffffff) return stamp + 1;
  groupStamps.fill(0);
  return 1;
}

/** All sets with one more column: those that decide the sample, and the best of the others. */
export function widened(
  sample: ColumnSample,
  columnCount: number,
  frontier: readonly (readonly number[])[],
  most: number,
): { complete: number[][]; best: number[][] } {
  const complete: number[][] = [];
  /** Bucket u holds the sets that leave u cells undecided, in the order in which they were found. */
  const buckets: number[][][] = [];
  const seen = new Set<number>();
  /** Enough sets leave at most `limit` cells undecided, so a set that leaves more is not among the best. */
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

/** The number of cells that the worst of the best `most` sets leaves undecided. */
function limitOf(buckets: readonly (readonly unknown[] | undefined)[], most: number, before: number): number {
  let count = 0;
  for (let undecided = 1; undecided < Math.min(buckets.length, before); undecided++) {
    count += buckets[undecided]?.length ?? 0;
    if (count >= most) return undecided;
  }
  return before;
}

/** A number for a set of columns that does not depend on their order. */
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
 * The training cells that a set of columns must decide first: as many changed cells as kept ones, evenly spread. The keys
 * of a set are computed once; after that, testing a further column takes three short passes.
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
    // Bit 0 of `right` means that the default is right.
    for (let i = 0; i < right.length; i++) (((right[i] ?? 0) & 1) === 0 ? changed : kept).push(i);
    const some = spread(changed, largestSample / 2);
    const places = stirred([...some, ...spread(kept, largestSample - some.length)]);
    this.#columns = columns.map(({ values, kinds }) => {
      // a plain loop, because Uint8Array.from took a third of all learning time
      const own = new Uint8Array(places.length);
      for (let s = 0; s < own.length; s++) own[s] = values[places[s] ?? 0] ?? 0;
      return { values: own, kinds };
    });
    this.#right = Uint32Array.from(places, (place) => right[place] ?? 0);
    this.#looked = places.length * columns.length;
    this.#prefix = new Uint32Array(places.length);
    this.#keys = new Uint32Array(places.length);
  }

  /** The number of cells read since the last call. */
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
   * The number of undecided cells after adding a column to the set; Infinity if there are too many kinds for the table. If a
   * part of the sample already leaves more than `limit` cells undecided, the rest is skipped.
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

/** Reorders the places so that the first few are spread over all of them. */
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
