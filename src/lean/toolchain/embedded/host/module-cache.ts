import { readString } from './lean-object.ts';
import { storedFile } from './library-files.ts';
import type { Glue } from './runtime.ts';

/** Lean's objects on 32 bits: an array has its length at 8 and its items from 16. */
const tagOffset = 7;
const firstField = 8;
const arrayItems = 16;
const slots = 8192;

/**
 * While an image is built, Lean reads its library several times: to elaborate Worker.lean, again inside it, and
 * once more for the compiled code of each module, which is in the same file. Each read would allocate new
 * memory. This replacement of `lean_read_module_data_parts` returns the same data every time; data that is
 * returned twice is marked as never to be freed. All threads share one table of (hash, hash, result) triples.
 */
export class ModuleCache {
  readonly #table: Int32Array;

  constructor(table: SharedArrayBuffer) {
    this.#table = new Int32Array(table);
  }

  static sharedTable(saved: readonly number[] = []): SharedArrayBuffer {
    const table = new SharedArrayBuffer(slots * 3 * Int32Array.BYTES_PER_ELEMENT);
    new Int32Array(table).set(saved);
    return table;
  }

  /** The table as stored in an image. */
  saved(): number[] {
    return [...this.#table];
  }

  read(glue: Glue, paths: number, original: (paths: number) => number): number {
    const [first, second] = hashPaths(glue, paths);
    let slot = (first >>> 0) % slots;
    for (; this.#table[slot * 3 + 2]; slot = (slot + 1) % slots) {
      if (this.#table[slot * 3] === first && this.#table[slot * 3 + 1] === second)
        return this.#table[slot * 3 + 2] ?? 0;
    }
    const result = original(paths);
    if (glue.HEAPU8[result + tagOffset] === 0) {
      keepForever(glue, result);
      this.#table.set([first, second, result], slot * 3);
    }
    return result;
  }
}

/**
 * The result, its array of (data, region) pairs, the pairs and the regions; the data itself is not
 * reference-counted.
 */
function keepForever(glue: Glue, result: number): void {
  const { HEAP32 } = glue;
  const parts = HEAP32[(result + firstField) >> 2] ?? 0;
  HEAP32[result >> 2] = 0;
  HEAP32[parts >> 2] = 0;
  const count = HEAP32[(parts + firstField) >> 2] ?? 0;
  for (let index = 0; index < count; index++) {
    const pair = HEAP32[((parts + arrayItems) >> 2) + index] ?? 0;
    HEAP32[pair >> 2] = 0;
    const region = HEAP32[((pair + firstField) >> 2) + 1] ?? 1;
    const isPointer = (region & 1) === 0;
    if (isPointer) HEAP32[region >> 2] = 0;
  }
}

function hashPaths(glue: Glue, paths: number): [number, number] {
  const { HEAP32 } = glue;
  let first = 0x811c9dc5 | 0;
  let second = 7;
  const count = HEAP32[(paths + firstField) >> 2] ?? 0;
  for (let index = 0; index < count; index++) {
    const path = HEAP32[((paths + arrayItems) >> 2) + index] ?? 0;
    for (const byte of Buffer.from(storedFile(readString(glue, path)))) {
      first = Math.imul(first ^ byte, 0x01000193);
      second = Math.imul(second ^ byte, 0x85ebca6b) ^ (second >>> 13);
    }
  }
  return [first, second];
}
