import { colourCount } from '../grid/grid.ts';

/**
 * The value that rules work on: a rectangle of colours with a position, which is that of its top left cell on the
 * task's input. 0 is transparent, so images can be painted over each other.
 */
export interface Image {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly cells: Uint8Array;
}

/** Limits on the size of images, for every program. */
const widest = 60;
const largestArea = 1800;

export function fits(width: number, height: number): boolean {
  return width > 0 && height > 0 && width <= widest && height <= widest && width * height <= largestArea;
}

export function image(x: number, y: number, width: number, height: number, cells: Uint8Array): Image {
  return { x, y, width, height, cells };
}

/** Whether each image has the same size as its counterpart. */
export function haveSizesOf(bases: readonly Image[], targets: readonly Image[]): boolean {
  return targets.every(({ width, height }, i) => bases[i]?.width === width && bases[i].height === height);
}

/** The same rectangle with other cells. */
export function withCells(base: Image, cells: Uint8Array): Image {
  return { x: base.x, y: base.y, width: base.width, height: base.height, cells };
}

/** The same rectangle with every cell replaced by a function of it. */
export function mapped(base: Image, colourOf: (cell: number, place: number) => number): Image {
  return withCells(base, base.cells.map(colourOf));
}

export function blank(base: Image): Image {
  return withCells(base, new Uint8Array(base.cells.length));
}

export function rectangle(x: number, y: number, width: number, height: number, colour: number): Image | null {
  if (!fits(width, height)) return null;
  return { x, y, width, height, cells: new Uint8Array(width * height).fill(colour) };
}

const tally = new Uint32Array(colourCount);

/** The most frequent non-zero colour, the smaller one on a tie; 0 when the image is empty. */
export function mainColour(cells: Uint8Array): number {
  tally.fill(0);
  for (const cell of cells) tally[cell] = (tally[cell] ?? 0) + 1;
  let best = 0;
  let most = 0;
  for (let colour = 1; colour < colourCount; colour++) {
    if ((tally[colour] ?? 0) > most) {
      most = tally[colour] ?? 0;
      best = colour;
    }
  }
  return best;
}

/** The least frequent non-zero colour that occurs, the smaller one on a tie; 0 when the image is empty. */
export function rareColour(cells: Uint8Array): number {
  tally.fill(0);
  for (const cell of cells) tally[cell] = (tally[cell] ?? 0) + 1;
  let best = 0;
  let least = Infinity;
  for (let colour = 1; colour < colourCount; colour++) {
    const count = tally[colour] ?? 0;
    if (count > 0 && count < least) {
      least = count;
      best = colour;
    }
  }
  return best;
}

export function filledCount(cells: Uint8Array): number {
  let count = 0;
  for (let i = 0; i < cells.length; i++) if (cells[i] !== 0) count++;
  return count;
}

export function distinctColours(cells: Uint8Array): number {
  let seen = 0;
  for (let i = 0; i < cells.length; i++) if (cells[i] !== 0) seen |= 1 << (cells[i] ?? 0);
  let count = 0;
  for (; seen !== 0; seen &= seen - 1) count++;
  return count;
}

/** A sub-rectangle in the image's own coordinates, keeping its place on the input. */
export function cropTo(source: Image, left: number, top: number, width: number, height: number): Image {
  const cells = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) {
    const from = (top + y) * source.width + left;
    cells.set(source.cells.subarray(from, from + width), y * width);
  }
  return { x: source.x + left, y: source.y + top, width, height, cells };
}

/** Paints the non-zero cells of `top` on `cells` of a rectangle at `base`. */
export function paintOver(base: Image, cells: Uint8Array, top: Image): void {
  const offsetX = top.x - base.x;
  const offsetY = top.y - base.y;
  for (let y = 0; y < top.height; y++) {
    const row = y + offsetY;
    if (row < 0 || row >= base.height) continue;
    for (let x = 0; x < top.width; x++) {
      const column = x + offsetX;
      if (column < 0 || column >= base.width) continue;
      const colour = top.cells[y * top.width + x] ?? 0;
      if (colour !== 0) cells[row * base.width + column] = colour;
    }
  }
}

/** The smallest rectangle around the non-zero cells, or null when there are none. */
export function contentBox(source: Image): [left: number, top: number, width: number, height: number] | null {
  const { width, height, cells } = source;
  let left = width;
  let right = -1;
  let top = height;
  let bottom = -1;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if (cells[y * width + x] === 0) continue;
      if (x < left) left = x;
      if (x > right) right = x;
      if (y < top) top = y;
      if (y > bottom) bottom = y;
    }
  }
  return right < 0 ? null : [left, top, right - left + 1, bottom - top + 1];
}

/** The smallest rectangle around the filled cells; null if there are none. */
export function filledPart(source: Image): Image | null {
  const box = contentBox(source);
  return box === null ? null : cropTo(source, ...box);
}
