import { colourCount, maxSide } from '../../grid/grid.ts';
import type { Image } from '../../language/image.ts';

/** What the network sees of a cell: its colour, or that it lies beyond the grid. */
export const beyond = colourCount;
export const cellCount = maxSide * maxSide;

/** A grid as large as grids can be, the image at its top left. */
export function gridTokens({ width, height, cells }: Pick<Image, 'width' | 'height' | 'cells'>): Uint8Array {
  const tokens = new Uint8Array(cellCount).fill(beyond);
  for (let y = 0; y < height; y++) tokens.set(cells.subarray(y * width, (y + 1) * width), y * maxSide);
  return tokens;
}
