import { definite } from '../../core/errors.ts';
import type { Image } from '../language/image.ts';
import { isList, type Bound, type Scene, type Value } from '../language/operation.ts';

/** Not computed yet, and: the operation does not apply. */
const unknown = -2;
export const absent = -1;

/** An operation that is tried on few nodes takes as long as this many others, because it searches for walks or patterns. */
const slow = 6;

const chunkBytes = 1 << 20;

/**
 * All values reached from one input. Equal values meet in one node, by two 32-bit hashes of position, size and cells;
 * cells live in large shared chunks, so a node costs its cells and little more. Children are remembered by node and
 * operation, because tuples of the search often share nodes.
 */
export class Graph {
  readonly scene: Scene;
  readonly values: Value[] = [];
  /** Work done, in evaluations; an evaluation of a large image counts as several. */
  work = 0;
  readonly #hashes: number[] = [];
  readonly #children: (Int32Array | undefined)[] = [];
  readonly #bounds: readonly Bound[];
  readonly #everywhere: number;
  /** Children by the operations that are not tried on every node, by node and operation. */
  readonly #rare = new Map<number, number>();
  #slots = new Int32Array(1 << 12).fill(-1);
  #chunk = new Uint8Array(chunkBytes);
  #used = 0;

  /** Only the first `everywhere` operations are tried on most nodes. */
  constructor(root: Image, frame: Image | null, bounds: readonly Bound[], everywhere = bounds.length) {
    this.scene = { input: root, frame };
    this.#bounds = bounds;
    this.#everywhere = everywhere;
    this.#intern(root);
  }

  child(node: number, operation: number): number {
    if (operation >= this.#everywhere) return this.#rareChild(node, operation);
    let row = this.#children[node];
    if (row === undefined) {
      row = new Int32Array(this.#everywhere).fill(unknown);
      this.#children[node] = row;
    }
    const known = row[operation] ?? 0;
    if (known !== unknown) return known;
    const child = this.#reach(node, operation);
    row[operation] = child;
    return child;
  }

  #rareChild(node: number, operation: number): number {
    const key = node * this.#bounds.length + operation;
    const known = this.#rare.get(key);
    if (known !== undefined) return known;
    const child = this.#reach(node, operation);
    this.#rare.set(key, child);
    return child;
  }

  #reach(node: number, operation: number): number {
    const value = definite(this.values[node]);
    this.work += costOf(value) * (operation < this.#everywhere ? 1 : slow);
    const result = definite(this.#bounds[operation])(value, this.scene);
    return result === null ? absent : this.#intern(result);
  }

  #intern(value: Value): number {
    hashValue(value);
    const mask = this.#slots.length - 1;
    let slot = hashA & mask;
    for (;;) {
      const node = this.#slots[slot] ?? 0;
      if (node === -1) break;
      if (this.#hashes[node * 2] === hashA && this.#hashes[node * 2 + 1] === hashB) return node;
      slot = (slot + 1) & mask;
    }
    const node = this.values.length;
    this.values.push(isList(value) ? value.map((part) => this.#keep(part)) : this.#keep(value));
    this.#hashes.push(hashA, hashB);
    this.#slots[slot] = node;
    if (this.values.length * 2 > this.#slots.length) this.#rehash();
    return node;
  }

  #keep(source: Image): Image {
    const length = source.cells.length;
    if (this.#used + length > this.#chunk.length) {
      this.#chunk = new Uint8Array(chunkBytes);
      this.#used = 0;
    }
    const cells = this.#chunk.subarray(this.#used, this.#used + length);
    cells.set(source.cells);
    this.#used += length;
    return { x: source.x, y: source.y, width: source.width, height: source.height, cells };
  }

  #rehash(): void {
    this.#slots = new Int32Array(this.#slots.length * 2).fill(-1);
    const mask = this.#slots.length - 1;
    for (let node = 0; node < this.values.length; node++) {
      let slot = (this.#hashes[node * 2] ?? 0) & mask;
      while (this.#slots[slot] !== -1) slot = (slot + 1) & mask;
      this.#slots[slot] = node;
    }
  }
}

/** An operation's time grows with the number of cells, and faster than linearly on a large image. */
function costOf(value: Value): number {
  if (!isList(value)) {
    const cells = value.cells.length;
    return 1 + Math.max(cells >> 7, (cells * cells) >> 16);
  }
  let cells = 0;
  for (const part of value) cells += part.cells.length + 16;
  return 1 + (cells >> 7);
}

let hashA = 0;
let hashB = 0;

function hashValue(value: Value): void {
  hashA = 0x811c9dc5;
  hashB = 0x9e3779b9;
  if (!isList(value)) {
    hashImage(value);
    return;
  }
  mix(value.length + 7777);
  for (const part of value) hashImage(part);
}

function mix(word: number): void {
  hashA = Math.imul(hashA ^ word, 0x01000193);
  hashB = Math.imul((hashB ^ word) + (hashB >>> 15), 0x85ebca6b);
}

function hashImage({ x, y, width, height, cells }: Image): void {
  mix(x + 1000);
  mix(y + 2000);
  mix(width * 64 + height);
  let a = hashA;
  let b = hashB;
  for (let i = 0; i < cells.length; i++) {
    const cell = cells[i] ?? 0;
    a = Math.imul(a ^ cell, 0x01000193);
    b = Math.imul((b ^ cell) + (b >>> 15), 0x85ebca6b);
  }
  hashA = a ^ (a >>> 16);
  hashB = b ^ (b >>> 13);
}
