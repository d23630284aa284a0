import { definite } from '../../core/errors.ts';
import { image, paintOver, type Image } from '../language/image.ts';
import { popcount, type Canvas } from './canvas.ts';
import type { Pieces } from './pieces.ts';

/** The stack of some pieces drawn on every frame. */
export function drawStack(
  canvas: Canvas,
  pieces: Pieces,
  frames: readonly Image[],
  stack: readonly number[],
): Image[] {
  return frames.map((frame, g) => {
    const cells = new Uint8Array(frame.cells.length);
    const ground = image(0, 0, frame.width, frame.height, cells);
    for (const piece of [...stack].reverse()) {
      const source = definite(pieces.onlyImages(canvas.tupleOf(piece))[g]);
      const covers = source.width === frame.width && source.height === frame.height;
      paintOver(ground, cells, covers ? { ...source, x: 0, y: 0 } : source);
    }
    return ground;
  });
}

/** The pieces whose filled cells match the outputs best: they may differ only in colours. */
export function shapedPieces({ shaped }: Canvas, most: number): number[] {
  return shaped
    .toSorted((a, b) => a.off - b.off || a.cost - b.cost)
    .slice(0, most)
    .map(({ piece }) => piece);
}

/** The pieces with the most cells right, counting empty cells that should be empty. */
export function nearPieces(canvas: Canvas, most: number): number[] {
  const { words, bits, count, costs } = canvas;
  const scored: { piece: number; off: number }[] = [];
  for (let piece = 0; piece < count; piece++) {
    const from = piece * words * 2;
    let off = 0;
    for (let word = 0; word < words; word++)
      off += popcount(
        (bits[from + words + word] ?? 0) | ((canvas.wanted[word] ?? 0) & ~(bits[from + word] ?? 0)),
      );
    scored.push({ piece, off: off + (costs[piece] ?? 0) / 10 });
  }
  return scored
    .sort((a, b) => a.off - b.off || a.piece - b.piece)
    .slice(0, most)
    .map(({ piece }) => piece);
}
