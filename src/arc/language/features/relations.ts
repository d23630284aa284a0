import type { ObjectSet, Scan, SetKind } from '../scan.ts';
import { neighbourSteps, perCell, wholeGrid, type FeatureColumn } from './column.ts';
import { symmetry } from './objects.ts';

/** Relations of a cell to others: what its object or region touches, its mirror position, its position in the grid, the input. */

const edge = 10;

/** The largest colour among the neighbours at some of the eight steps: 0 when all are empty. */
export function largestAround(from: number, to: number): FeatureColumn {
  const steps = neighbourSteps.slice(from, to);
  return (scan) =>
    perCell(scan, (x, y) => {
      let largest = 0;
      for (const [dx, dy] of steps) {
        const cell = scan.at(x + dx, y + dy);
        if (cell !== edge && cell > largest) largest = cell;
      }
      return largest;
    });
}

/** The colours that touch an object or region, as ten bits. */
function coloursBeside(scan: Scan, { found }: ObjectSet): Uint16Array {
  const beside = new Uint16Array(found.count);
  for (let i = 0; i < scan.cells.length; i++) {
    const label = found.labels[i] ?? 0;
    if (label < 0) continue;
    const x = i % scan.width;
    const y = (i - x) / scan.width;
    for (const [dx, dy] of neighbourSteps.slice(0, 4)) {
      const cell = scan.at(x + dx, y + dy);
      if (cell === edge || found.labels[(y + dy) * scan.width + x + dx] === label) continue;
      beside[label] = (beside[label] ?? 0) | (1 << cell);
    }
  }
  return beside;
}

/** One column per colour: whether the object or region of a cell touches it; and which filled colour is first. */
export function touching(kind: SetKind): Record<string, FeatureColumn> {
  const column = (valueOf: (bits: number) => number): FeatureColumn => {
    return (scan) => {
      const set = scan.objects(kind);
      const values = coloursBeside(scan, set).map(valueOf);
      return Uint8Array.from(set.found.labels, (label) => (label < 0 ? 0 : (values[label] ?? 0)));
    };
  };
  const columns = Array.from({ length: 9 }, (_, i): [string, FeatureColumn] => [
    `${kind}-touches-${i + 1}`,
    column((bits) => 1 + ((bits >> (i + 1)) & 1)),
  ]);
  return Object.fromEntries(columns);
}

/** The colour that touches the object of a cell, the largest of several; 0 when none does. */
export function touched(kind: SetKind): FeatureColumn {
  return (scan) => {
    const set = scan.objects(kind);
    const values = coloursBeside(scan, set).map((bits) => (bits >> 1 === 0 ? 0 : 31 - Math.clz32(bits)));
    return Uint8Array.from(set.found.labels, (label) => (label < 0 ? 0 : (values[label] ?? 0)));
  };
}

/** The side of the largest square of one colour that a cell belongs to, up to 9. */
export function largestSquare(scan: Scan): Uint8Array {
  const { width, height, cells } = scan;
  const ending = new Uint8Array(cells.length);
  const column = new Uint8Array(cells.length);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const i = y * width + x;
      const same = x > 0 && y > 0 && [i - 1, i - width, i - width - 1].every((n) => cells[n] === cells[i]);
      ending[i] = same
        ? 1 + Math.min(8, ending[i - 1] ?? 0, ending[i - width] ?? 0, ending[i - width - 1] ?? 0)
        : 1;
      const side = ending[i];
      for (let dy = 0; dy < side; dy++)
        for (let dx = 0; dx < side; dx++) {
          const at = i - dy * width - dx;
          if ((column[at] ?? 0) < side) column[at] = side;
        }
    }
  }
  return column;
}

/** The cells of the largest rectangles of one colour: 1 in an empty one, 2 in a filled one. */
export function inLargestRectangle(scan: Scan): Uint8Array {
  const { width, height, cells } = scan;
  const column = new Uint8Array(cells.length);
  const runs = new Uint8Array(cells.length);
  let most = 3;
  let found: [left: number, top: number, right: number, bottom: number][] = [];
  for (let i = 0; i < cells.length; i++)
    runs[i] = i % width > 0 && cells[i] === cells[i - 1] ? 1 + (runs[i - 1] ?? 0) : 1;
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      let wide = Infinity;
      for (let top = y; top >= 0 && cells[top * width + x] === cells[y * width + x]; top--) {
        wide = Math.min(wide, runs[top * width + x] ?? 0);
        const area = wide * (y - top + 1);
        if (area < most || wide < 2 || top === y) continue;
        if (area > most) found = [];
        most = area;
        found.push([x - wide + 1, top, x, y]);
      }
    }
  for (const [left, top, right, bottom] of found)
    for (let y = top; y <= bottom; y++)
      column.fill(cells[y * width + left] === 0 ? 1 : 2, y * width + left, y * width + right + 1);
  return column;
}

/** Properties of the task's whole input, for images that are not the input. */
export const ofInput: Readonly<Record<string, FeatureColumn>> = {
  'input-filled': (scan) =>
    wholeGrid(scan, Math.min(99, scan.input.cells.filter((cell) => cell !== 0).length)),
  'input-symmetric': (scan) => wholeGrid(scan, symmetry(scan.input.source)),
};
export const coloursOfInput: Readonly<Record<string, FeatureColumn>> = {
  'input-main': (scan) => wholeGrid(scan, scan.input.main),
  'input-corner': cornerOfInput,
};

/** The colour at the input's corner nearest to a cell: a key with a colour per quarter; 0 between quarters. */
function cornerOfInput(scan: Scan): Uint8Array {
  const { input } = scan;
  return perCell(scan, (x, y) => {
    const cornerX = nearerEnd(x, scan.width, input.width - 1);
    const cornerY = nearerEnd(y, scan.height, input.height - 1);
    return cornerX === null || cornerY === null ? 0 : input.at(cornerX, cornerY);
  });
}

/** The first or the last index, depending on the half that an index is in; null in the middle. */
function nearerEnd(at: number, length: number, last: number): number | null {
  if (2 * at === length - 1) return null;
  return 2 * at < length - 1 ? 0 : last;
}
