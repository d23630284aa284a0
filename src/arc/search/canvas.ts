import { definite } from '../../core/errors.ts';
import type { Image } from '../language/image.ts';

/** A piece that the frame cuts off usually fits by chance, so it costs as much as another step. */
const croppedPrice = 12;
/** Number of pieces that write nothing right but are kept as masks. */
const mostMasks = 40;
/** A piece has the shape of the outputs if at most this share of the cells is filled in one of them and empty in the other. */
const mostOffShape = 0.1;
/** Bitsets take no more than this, so that two workers stay well below 2 GB. */
const mostBytes = 1 << 26;

/**
 * Pieces as bitsets over all cells of all training outputs: the cells that a piece writes, and those that it writes wrongly.
 * Of pieces with the same bits and the same test cells, only the cheapest is kept.
 */
export class Canvas {
  readonly words: number;
  /** Cells of the outputs that are not 0, which some piece must write. */
  readonly wanted: Uint32Array;
  readonly pairStart: readonly number[];
  readonly tuples: number[] = [];
  readonly costs: number[] = [];
  /**
   * Tuples that cover their frames and write no correct cell; learned tables may use them as columns. As pieces they have
   * negative numbers.
   */
  readonly masks: { readonly tuple: number; readonly cost: number }[] = [];
  /** Pieces that are filled in nearly the same cells as the outputs, in any colours; `off` counts the cells that differ. */
  readonly shaped: { readonly piece: number; readonly off: number; readonly cost: number }[] = [];
  readonly #targets: readonly Image[];
  readonly #frames: readonly Image[];
  readonly #seen = new Map<number, number>();
  readonly #limit: number;
  readonly #scratch: Uint32Array;
  #bits: Uint32Array;

  /** `frames` has the size of every training output and, after them, of every predicted test output. */
  constructor(targets: readonly Image[], frames: readonly Image[], limit: number) {
    this.#targets = targets;
    this.#frames = frames;
    const starts = [0];
    for (const target of targets) starts.push(definite(starts.at(-1)) + target.cells.length);
    this.pairStart = starts;
    this.words = (definite(starts.at(-1)) + 31) >>> 5;
    this.wanted = new Uint32Array(this.words);
    for (const [p, target] of targets.entries())
      for (let i = 0; i < target.cells.length; i++)
        if (target.cells[i] !== 0) setBit(this.wanted, (starts[p] ?? 0) + i);
    this.#limit = Math.min(limit, Math.floor(mostBytes / (this.words * 8)));
    this.#scratch = new Uint32Array(this.words * 2);
    this.#bits = new Uint32Array(this.words * 2 * 256);
  }

  get count(): number {
    return this.tuples.length;
  }

  get full(): boolean {
    return this.count >= this.#limit;
  }

  /** The tuple of a piece or, below 0, of a mask. */
  tupleOf(piece: number): number {
    return piece < 0 ? definite(this.masks[-1 - piece]).tuple : definite(this.tuples[piece]);
  }

  /** Cells that the piece writes; `wrong` follows it directly. */
  written(piece: number): Uint32Array {
    const from = piece * this.words * 2;
    return this.#bits.subarray(from, from + this.words);
  }

  get bits(): Uint32Array {
    return this.#bits;
  }

  /**
   * Adds the images at their places unless they are known, write no correct cell, or there is no room. Returns true if they
   * equal the outputs.
   */
  add(images: readonly Image[], tuple: number, cost: number): boolean {
    if (this.full) return false;
    this.#scratch.fill(0);
    this.#a = 0x811c9dc5;
    this.#b = 0x9e3779b9;
    let right = 0;
    for (const [g, source] of images.entries()) right += this.#draw(source, g);
    const key = (this.#a >>> 0) * 0x200000 + ((this.#b >>> 11) & 0x1fffff);
    if (this.#seen.has(key)) return false;
    const covers = images.every((source, g) => this.#covers(source, g));
    if (right === 0) {
      if (!covers || this.masks.length === mostMasks) return false;
      this.masks.push({ tuple, cost });
      this.#seen.set(key, -this.masks.length);
      this.#lookAtShape(images, -this.masks.length, cost);
      return false;
    }
    if (covers) this.#lookAtShape(images, this.count, cost);
    const from = this.count * this.words * 2;
    if (from + this.words * 2 > this.#bits.length) {
      const larger = new Uint32Array(this.#bits.length * 2);
      larger.set(this.#bits);
      this.#bits = larger;
    }
    this.#bits.set(this.#scratch, from);
    this.#seen.set(key, this.count);
    this.tuples.push(tuple);
    this.costs.push(cost + (images.some((source, g) => this.#leaves(source, g)) ? croppedPrice : 0));
    return this.#isExact();
  }

  /** Whether the last drawing has every wanted cell and no other. */
  #isExact(): boolean {
    for (let word = 0; word < this.words; word++)
      if (this.#scratch[word] !== this.wanted[word] || this.#scratch[this.words + word] !== 0) return false;
    return true;
  }

  #covers({ width, height }: Image, g: number): boolean {
    const frame = definite(this.#frames[g]);
    return width === frame.width && height === frame.height;
  }

  /** Records a piece that covers its frames, if its filled cells match the outputs. */
  #lookAtShape(images: readonly Image[], piece: number, cost: number): void {
    const most = mostOffShape * definite(this.pairStart.at(-1));
    let off = 0;
    for (const [g, { cells }] of this.#targets.entries()) {
      const own = definite(images[g]).cells;
      for (let i = 0; i < cells.length; i++) if ((cells[i] === 0) !== (own[i] === 0) && ++off > most) return;
    }
    this.shaped.push({ piece, off, cost });
  }

  /** Whether a part of the image falls outside its frame. */
  #leaves(source: Image, g: number): boolean {
    const { x, y, width, height } = source;
    const frame = definite(this.#frames[g]);
    if (this.#covers(source, g)) return false;
    return x < 0 || y < 0 || x + width > frame.width || y + height > frame.height;
  }

  #a = 0;
  #b = 0;

  /** Draws one image and hashes it; returns the number of training cells it writes correctly. */
  #draw(source: Image, g: number): number {
    const frame = definite(this.#frames[g]);
    const target = this.#targets[g];
    const base = this.pairStart[g] ?? 0;
    const covers = source.width === frame.width && source.height === frame.height;
    const offsetX = covers ? 0 : source.x;
    const offsetY = covers ? 0 : source.y;
    let right = 0;
    let a = this.#a;
    let b = this.#b;
    for (let y = 0; y < source.height; y++) {
      const row = y + offsetY;
      if (row < 0 || row >= frame.height) continue;
      for (let x = 0; x < source.width; x++) {
        const column = x + offsetX;
        const colour = source.cells[y * source.width + x] ?? 0;
        if (colour === 0 || column < 0 || column >= frame.width) continue;
        const at = row * frame.width + column;
        const word = (at << 4) | colour;
        a = Math.imul(a ^ word, 0x01000193);
        a ^= a >>> 15;
        b = Math.imul((b ^ word) + (b >>> 13), 0x85ebca6b);
        if (target === undefined) continue;
        setBit(this.#scratch, base + at);
        if (target.cells[at] === colour) right++;
        else setBit(this.#scratch, this.words * 32 + base + at);
      }
    }
    this.#a = Math.imul(a ^ (g + 77), 0x01000193);
    this.#b = Math.imul(b ^ (g + 91), 0x85ebca6b);
    return right;
  }
}

export function setBit(bits: Uint32Array, at: number): void {
  bits[at >>> 5] = (bits[at >>> 5] ?? 0) | (1 << (at & 31));
}

export function popcount(word: number): number {
  let v = word - ((word >>> 1) & 0x55555555);
  v = (v & 0x33333333) + ((v >>> 2) & 0x33333333);
  return Math.imul((v + (v >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
