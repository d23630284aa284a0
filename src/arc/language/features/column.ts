import type { Scan } from '../scan.ts';

/**
 * A feature of cells for learned rules: a column of small numbers, one per cell. Features that are colours (10:
 * beyond the edge) can also be answers.
 */
export type FeatureColumn = (scan: Scan) => Uint8Array;

export function perCell(scan: Scan, valueAt: (x: number, y: number) => number): Uint8Array {
  const column = new Uint8Array(scan.cells.length);
  for (let y = 0, i = 0; y < scan.height; y++)
    for (let x = 0; x < scan.width; x++, i++) column[i] = valueAt(x, y);
  return column;
}

export function wholeGrid(scan: Scan, value: number): Uint8Array {
  return new Uint8Array(scan.cells.length).fill(value);
}

export const neighbours: Readonly<Record<string, readonly [number, number]>> = {
  north: [0, -1],
  south: [0, 1],
  west: [-1, 0],
  east: [1, 0],
  'north-west': [-1, -1],
  'north-east': [1, -1],
  'south-west': [-1, 1],
  'south-east': [1, 1],
};

export const neighbourSteps = Object.values(neighbours);
