import { mainColour } from '../image.ts';
import type { Scan } from '../scan.ts';
import { type FeatureColumn, perCell, neighbours, neighbourSteps } from './column.ts';

/** Features of a cell and its surroundings: neighbours, visible colours, distances, rows and columns. */

export function fromNeighbours(
  prefix: string,
  valueAt: (scan: Scan, x: number, y: number, dx: number, dy: number) => number,
): Record<string, FeatureColumn> {
  return Object.fromEntries(
    Object.entries(neighbours).map(([name, [dx, dy]]) => [
      prefix + name,
      (scan: Scan) => perCell(scan, (x, y) => valueAt(scan, x, y, dx, dy)),
    ]),
  );
}

/** The first filled cell in a direction, 10 when there is none. */
export function see(scan: Scan, x: number, y: number, dx: number, dy: number): number {
  let cell = 0;
  for (let step = 1; cell === 0; step++) cell = scan.at(x + step * dx, y + step * dy);
  return cell;
}

export function sameSeen(one: number, two: number): number {
  return one !== 10 && one === two ? 1 : 0;
}

function gap(scan: Scan, x: number, y: number, dx: number, dy: number): number {
  let step = 1;
  while (scan.at(x + step * dx, y + step * dy) === 0) step++;
  return scan.at(x + step * dx, y + step * dy) === 10 ? 0 : step;
}

/** The distance to the first filled cell in each of the four directions; 0 if there is none. */
export function gaps(): Record<string, FeatureColumn> {
  return Object.fromEntries(
    Object.entries(neighbours)
      .slice(0, 4)
      .map(([name, [dx, dy]]) => [
        `gap-${name}`,
        (scan: Scan) => perCell(scan, (x, y) => gap(scan, x, y, dx, dy)),
      ]),
  );
}

/** The nearest filled cell, diagonal steps counting one: its colour (10: none) and its distance, up to 15. */
export function nearestCell(scan: Scan): { colours: Uint8Array; distances: Uint8Array } {
  const colours = scan.once('nearest colours', () => new Uint8Array(scan.cells.length).fill(10));
  const distances = scan.once('nearest distances', () => {
    const found = new Uint8Array(scan.cells.length).fill(15);
    let frontier: number[] = [];
    for (let i = 0; i < scan.cells.length; i++) {
      if (scan.cells[i] === 0) continue;
      found[i] = 0;
      colours[i] = scan.cells[i] ?? 0;
      frontier.push(i);
    }
    for (let distance = 1; frontier.length > 0 && distance < 15; distance++) {
      const next: number[] = [];
      for (const cell of frontier) {
        for (const [dx, dy] of neighbourSteps) {
          const x = (cell % scan.width) + dx;
          const y = Math.floor(cell / scan.width) + dy;
          const i = y * scan.width + x;
          if (scan.at(x, y) === 10 || found[i] !== 15) continue;
          found[i] = distance;
          colours[i] = colours[cell] ?? 0;
          next.push(i);
        }
      }
      frontier = next;
    }
    return found;
  });
  return { colours, distances };
}

export function edgeDistance(scan: Scan, x: number, y: number): number {
  return Math.min(x, y, scan.width - 1 - x, scan.height - 1 - y);
}

export function countAround(
  scan: Scan,
  x: number,
  y: number,
  diagonal: boolean,
  counts: (cell: number) => boolean,
): number {
  let count = 0;
  for (let dy = -1; dy <= 1; dy++)
    for (let dx = -1; dx <= 1; dx++)
      if ((dx !== 0 || dy !== 0) && (diagonal || dx === 0 || dy === 0) && counts(scan.at(x + dx, y + dy)))
        count++;
  return count;
}

/** Bits for the neighbours that match. */
export function pattern(
  scan: Scan,
  x: number,
  y: number,
  [from, to]: readonly [number, number],
  counts: (cell: number) => boolean,
): number {
  let bits = 0;
  for (const [dx, dy] of neighbourSteps.slice(from, to))
    bits = bits * 2 + (counts(scan.at(x + dx, y + dy)) ? 1 : 0);
  return bits;
}

export function countRow(scan: Scan, y: number): number {
  let count = 0;
  for (let x = 0; x < scan.width; x++) if (scan.cells[y * scan.width + x] !== 0) count++;
  return count;
}

export function countColumn(scan: Scan, x: number): number {
  let count = 0;
  for (let y = 0; y < scan.height; y++) if (scan.cells[y * scan.width + x] !== 0) count++;
  return count;
}

/** The most frequent filled colour of each cell's row or column. */
export function perLine(scan: Scan, rows: boolean): Uint8Array {
  const lines = rows ? scan.height : scan.width;
  const mains = Array.from({ length: lines }, (_, line) =>
    mainColour(
      Uint8Array.from({ length: rows ? scan.width : scan.height }, (_cell, i) =>
        rows ? scan.at(i, line) : scan.at(line, i),
      ),
    ),
  );
  return perCell(scan, (x, y) => mains[rows ? y : x] ?? 0);
}
