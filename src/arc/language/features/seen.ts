import type { Scan } from '../scan.ts';
import { see } from './around.ts';
import { neighbourSteps, perCell, type FeatureColumn } from './column.ts';

/**
 * Relations of a cell to other colours. Most of these are colours, so a rule can use them as keys and as answers: a
 * cell takes the colour that it faces or that is nearest.
 */
const edge = 10;

/** The only colour other than its own that a cell sees in some of the eight directions; 0 if there is none, or several. */
function onlySeen(from: number, to: number): FeatureColumn {
  const steps = neighbourSteps.slice(from, to);
  return (scan) =>
    perCell(scan, (x, y) => {
      const own = scan.at(x, y);
      let only = 0;
      for (const [dx, dy] of steps) {
        const seen = see(scan, x, y, dx, dy);
        if (seen === edge || seen === own) continue;
        if (only !== 0 && only !== seen) return 0;
        only = seen;
      }
      return only;
    });
}

function isAmong(steps: typeof neighbourSteps, colour: number): FeatureColumn {
  return (scan) =>
    perCell(scan, (x, y) => Number(steps.some(([dx, dy]) => scan.at(x + dx, y + dy) === colour)));
}

function isInLine(rows: boolean, colour: number): FeatureColumn {
  return (scan) => {
    const lines = new Set<number>();
    for (const [i, cell] of scan.cells.entries())
      if (cell === colour) lines.add(rows ? Math.floor(i / scan.width) : i % scan.width);
    return perCell(scan, (x, y) => Number(lines.has(rows ? y : x)));
  };
}

/** One column per colour: whether it touches a cell, at one of its corners, or in its row or column. */
export const standingColours: Readonly<Record<string, FeatureColumn>> = Object.fromEntries(
  Array.from({ length: 9 }, (_, i) => i + 1).flatMap((colour): [string, FeatureColumn][] => [
    [`beside-${colour}`, isAmong(neighbourSteps.slice(0, 4), colour)],
    [`corner-${colour}`, isAmong(neighbourSteps.slice(4, 8), colour)],
    [`in-row-of-${colour}`, isInLine(true, colour)],
    [`in-column-of-${colour}`, isInLine(false, colour)],
  ]),
);

/** The colour that a cell sees on both sides, horizontally or else vertically; 0 if the sides differ. */
function between(scan: Scan): Uint8Array {
  return perCell(scan, (x, y) => {
    const left = see(scan, x, y, -1, 0);
    if (left !== edge && left === see(scan, x, y, 1, 0)) return left;
    const above = see(scan, x, y, 0, -1);
    return above !== edge && above === see(scan, x, y, 0, 1) ? above : 0;
  });
}

/** The nearest colour that is neither empty nor the cell's own, in straight steps; 0 when there is none. */
function nearestOther(scan: Scan): Uint8Array {
  const nearest = new Uint8Array(scan.cells.length);
  const distances = new Uint16Array(scan.cells.length).fill(0xffff);
  for (let colour = 1; colour < edge; colour++) {
    if (!scan.cells.includes(colour)) continue;
    for (const [i, distance] of distancesTo(scan, colour).entries()) {
      if (scan.cells[i] === colour || distance >= (distances[i] ?? 0)) continue;
      distances[i] = distance;
      nearest[i] = colour;
    }
  }
  return nearest;
}

/** Straight steps from each cell to the nearest one of a colour. */
function distancesTo({ width, height, cells }: Scan, colour: number): Uint16Array {
  const found = new Uint16Array(cells.length).fill(0xffff);
  const open: number[] = [];
  for (let i = 0; i < cells.length; i++)
    if (cells[i] === colour) {
      found[i] = 0;
      open.push(i);
    }
  for (let at = 0; at < open.length; at++) {
    const i = open[at] ?? 0;
    const x = i % width;
    const next = 1 + (found[i] ?? 0);
    if (x > 0) reach(i - 1, next);
    if (x < width - 1) reach(i + 1, next);
    if (i >= width) reach(i - width, next);
    if (i < width * (height - 1)) reach(i + width, next);
  }
  return found;

  function reach(i: number, distance: number): void {
    if (found[i] !== 0xffff) return;
    found[i] = distance;
    open.push(i);
  }
}

export const seenColours: Readonly<Record<string, FeatureColumn>> = {
  'seen-4': onlySeen(0, 4),
  'seen-diagonal': onlySeen(4, 8),
  between,
  'nearest-other': nearestOther,
};
