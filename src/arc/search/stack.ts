import { layerPrice } from '../language/frames.ts';
import { popcount, setBit, type Canvas } from './canvas.ts';

/** Pieces painted over each other, the first on top, and the training pairs they get right. */
export interface Stack {
  readonly pieces: readonly number[];
  readonly exactPairs: number;
  readonly cost: number;
}

const mostPieces = 10;

/** The cells of the pairs that count in a leave-one-out check. */
export function pairMask(canvas: Canvas, counts: (pair: number) => boolean): Uint32Array {
  const mask = new Uint32Array(canvas.words);
  for (let pair = 0; pair + 1 < canvas.pairStart.length; pair++) {
    if (!counts(pair)) continue;
    for (let i = canvas.pairStart[pair] ?? 0; i < (canvas.pairStart[pair + 1] ?? 0); i++) setBit(mask, i);
  }
  return mask;
}

/**
 * Greedy stacking from a given first piece, or none. Each pick writes no wrong open cell and the most open cells in total; the
 * cheaper piece wins a tie. Cells outside `mask` do not count.
 */
export function stackFrom(canvas: Canvas, mask: Uint32Array, first: number | null): Stack {
  const open = Uint32Array.from(mask);
  const picked: number[] = [];
  if (first !== null) {
    cover(canvas, open, first);
    picked.push(first);
  }
  while (picked.length < mostPieces) {
    const piece = bestPiece(canvas, open);
    if (piece < 0) break;
    cover(canvas, open, piece);
    picked.push(piece);
  }
  return {
    pieces: picked,
    exactPairs: exactPairs(canvas, picked),
    cost: picked.reduce((sum, piece) => sum + (canvas.costs[piece] ?? 0) + layerPrice, 0),
  };
}

function bestPiece(canvas: Canvas, open: Uint32Array): number {
  const { count, costs } = canvas;
  let best = -1;
  let bestGain = 0;
  for (let piece = 0; piece < count; piece++) {
    const gain = gainOf(canvas, piece, open);
    if (gain === 0 || gain < bestGain) continue;
    if (gain > bestGain || (costs[piece] ?? 0) < (costs[best] ?? 0)) {
      best = piece;
      bestGain = gain;
    }
  }
  return best;
}

/** The number of open cells that a piece writes; 0 if it writes one of them wrong. */
function gainOf({ words, bits }: Canvas, piece: number, open: Uint32Array): number {
  const from = piece * words * 2;
  let gain = 0;
  for (let word = 0; word < words; word++) {
    const free = open[word] ?? 0;
    if (free === 0) continue;
    if (((bits[from + words + word] ?? 0) & free) !== 0) return 0;
    gain += popcount((bits[from + word] ?? 0) & free);
  }
  return gain;
}

function cover(canvas: Canvas, open: Uint32Array, piece: number): void {
  const written = canvas.written(piece);
  for (let word = 0; word < canvas.words; word++) open[word] = (open[word] ?? 0) & ~(written[word] ?? 0);
}

/** The number of training pairs that are exact when the pieces are painted, the first on top. */
function exactPairs(canvas: Canvas, pieces: readonly number[]): number {
  return exactByPair(canvas, pieces).filter(Boolean).length;
}

export function exactByPair(canvas: Canvas, pieces: readonly number[]): boolean[] {
  const { words, bits } = canvas;
  const faulty = new Uint32Array(words);
  for (let word = 0; word < words; word++) {
    let open = 0xffffffff;
    let wrong = 0;
    for (const piece of pieces) {
      const from = piece * words * 2;
      wrong |= (bits[from + words + word] ?? 0) & open;
      open &= ~(bits[from + word] ?? 0);
    }
    faulty[word] = wrong | ((canvas.wanted[word] ?? 0) & open);
  }
  return canvas.pairStart.slice(1).map((end, pair) => {
    for (let i = canvas.pairStart[pair] ?? 0; i < end; i++)
      if ((((faulty[i >>> 5] ?? 0) >>> (i & 31)) & 1) === 1) return false;
    return true;
  });
}

/** Pieces that get all counted cells right by themselves, cheapest first. */
export function exactPieces(canvas: Canvas, mask: Uint32Array): number[] {
  const { words, bits, count } = canvas;
  const found: number[] = [];
  for (let piece = 0; piece < count; piece++) {
    const from = piece * words * 2;
    let word = 0;
    for (; word < words; word++) {
      const off = (bits[from + words + word] ?? 0) | ((bits[from + word] ?? 0) ^ (canvas.wanted[word] ?? 0));
      if ((off & (mask[word] ?? 0)) !== 0) break;
    }
    if (word === words) found.push(piece);
  }
  return found.sort((a, b) => (canvas.costs[a] ?? 0) - (canvas.costs[b] ?? 0) || a - b);
}

/** Possible first pieces of a stack: those that write nothing wrong, ordered by the number of cells they write. */
export function openingPieces(canvas: Canvas, mask: Uint32Array, most: number): number[] {
  return Array.from({ length: canvas.count }, (_, piece) => ({ piece, gain: gainOf(canvas, piece, mask) }))
    .filter(({ gain }) => gain > 0)
    .sort(
      (a, b) =>
        b.gain - a.gain || (canvas.costs[a.piece] ?? 0) - (canvas.costs[b.piece] ?? 0) || a.piece - b.piece,
    )
    .slice(0, most)
    .map(({ piece }) => piece);
}

/** Keeps the first of the stacks with the same pieces. */
export function distinctStacks(stacks: readonly Stack[]): Stack[] {
  const seen = new Set<string>();
  return stacks.filter(({ pieces }) => {
    const key = pieces.join();
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}
