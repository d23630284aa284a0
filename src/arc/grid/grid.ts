import { createHash } from 'node:crypto';
import { unreachable, definite } from '../../core/errors.ts';

/** An ARC grid: 1 to 30 rows and columns of colours 0 to 9, row by row in `cells`. */
export interface Grid {
  readonly width: number;
  readonly height: number;
  readonly cells: Uint8Array;
}

export type GridRows = readonly (readonly number[])[];

export const maxSide = 30;
export const colourCount = 10;

export function gridFromRows(rows: GridRows): Grid {
  const height = rows.length;
  const width = rows[0]?.length ?? 0;
  const cells = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) cells.set(definite(rows[y]), y * width);
  return { width, height, cells };
}

export function gridToRows(grid: Grid): number[][] {
  return Array.from({ length: grid.height }, (_, y) =>
    Array.from(grid.cells.subarray(y * grid.width, (y + 1) * grid.width)),
  );
}

/** Why `value` is not a grid; undefined if it is one. */
export function gridFault(value: unknown): string | undefined {
  if (!Array.isArray(value) || value.length === 0) return 'is not a non-empty array of rows';
  if (value.length > maxSide) return `has ${value.length} rows, more than ${maxSide}`;
  const width: number = Array.isArray(value[0]) ? value[0].length : 0;
  for (const [y, row] of value.entries()) {
    if (!Array.isArray(row) || row.length === 0) return `row ${y} is not a non-empty array`;
    if (row.length !== width) return `row ${y} has ${row.length} cells where row 0 has ${width}`;
    if (row.length > maxSide) return `row ${y} has ${row.length} cells, more than ${maxSide}`;
    const x = row.findIndex((cell: unknown) => !isColour(cell));
    if (x >= 0) return `row ${y}, column ${x} is ${JSON.stringify(row[x])}, not a colour 0 to 9`;
  }
  return undefined;
}

function isColour(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < colourCount;
}

export function sameGrid(a: Grid, b: Grid): boolean {
  return a.width === b.width && a.height === b.height && sameCells(a.cells, b.cells);
}

export function sameCells(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

export function countColours(cells: Uint8Array): Uint32Array {
  const counts = new Uint32Array(colourCount);
  for (const colour of cells) counts[colour] = (counts[colour] ?? 0) + 1;
  return counts;
}

/** The 8 symmetries of the square, by name; `transpose` and `antitranspose` swap width and height. */
export const motions = [
  'identity',
  'rotate90',
  'rotate180',
  'rotate270',
  'flip-left-right',
  'flip-top-bottom',
  'transpose',
  'antitranspose',
] as const;
export type Motion = (typeof motions)[number];

export function moveGrid(grid: Grid, motion: Motion): Grid {
  const { width, height, cells } = grid;
  const turned =
    motion === 'rotate90' || motion === 'rotate270' || motion === 'transpose' || motion === 'antitranspose';
  const newWidth = turned ? height : width;
  const newHeight = turned ? width : height;
  const moved = new Uint8Array(cells.length);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const target = movedIndex(motion, [x, y], grid, newWidth);
      moved[target] = cells[y * width + x] ?? 0;
    }
  }
  return { width: newWidth, height: newHeight, cells: moved };
}

function movedIndex(
  motion: Motion,
  [x, y]: readonly [number, number],
  { width, height }: Grid,
  newWidth: number,
): number {
  switch (motion) {
    case 'identity':
      return y * newWidth + x;
    case 'rotate90':
      return x * newWidth + (height - 1 - y);
    case 'rotate180':
      return (height - 1 - y) * newWidth + (width - 1 - x);
    case 'rotate270':
      return (width - 1 - x) * newWidth + y;
    case 'flip-left-right':
      return y * newWidth + (width - 1 - x);
    case 'flip-top-bottom':
      return (height - 1 - y) * newWidth + x;
    case 'transpose':
      return x * newWidth + y;
    case 'antitranspose':
      return (width - 1 - x) * newWidth + (height - 1 - y);
    default:
      return unreachable(motion);
  }
}

export function recolourGrid(grid: Grid, colourOf: readonly number[]): Grid {
  return { ...grid, cells: grid.cells.map((cell) => colourOf[cell] ?? cell) };
}

/** A short content hash, for row keys and file names. */
export function contentHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

/** Adds one to the count of a colour or other index. */
export function increase(tally: Uint32Array, index: number): void {
  tally[index] = (tally[index] ?? 0) + 1;
}
