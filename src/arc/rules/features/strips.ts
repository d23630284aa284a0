import { remembered } from '../remember.ts';
import type { ObjectSet, Scan } from '../scan.ts';
import { perCell, type Column } from './column.ts';
import { perObject } from './objects.ts';
import { roomCounts } from './rooms.ts';

/**
 * A strip is a straight line of different colours that stands by itself: a list that is read by number. What has the n-th
 * rank, n cells or n dots has its n-th colour.
 */
interface Strip {
  readonly colours: readonly number[];
  /** Whether it lies along a row, and the row or column that it lies in. */
  readonly isRow: boolean;
  readonly line: number;
}

/** Two colours may stand side by side by chance, unless they fill a whole line. */
const shortest = 3;
const shortestWhole = 2;
const edge = 10;

/** The longest strip; null where there is none, or several are as long. */
function stripOf(scan: Scan): Strip | null {
  return remembered(scan, 'strip', () => findStrip(scan));
}

export function hasStrip(scan: Scan): boolean {
  return stripOf(scan) !== null;
}

function findStrip(scan: Scan): Strip | null {
  let found: Strip[] = [];
  for (const isRow of [true, false])
    for (let line = 0; line < (isRow ? scan.height : scan.width); line++)
      for (const strip of stripsIn(scan, isRow, line)) {
        const longest = found[0]?.colours.length ?? shortestWhole;
        if (strip.colours.length > longest) found = [];
        if (strip.colours.length >= longest) found.push(strip);
      }
  return found.length === 1 ? (found[0] as Strip) : null;
}

function stripsIn(scan: Scan, isRow: boolean, line: number): Strip[] {
  const length = isRow ? scan.width : scan.height;
  const at = (along: number, beside: number): number =>
    isRow ? scan.at(along, line + beside) : scan.at(line + beside, along);
  const strips: Strip[] = [];
  for (let from = 0; from < length;) {
    let to = from;
    while (to < length && at(to, 0) !== 0) to++;
    const places = Array.from({ length: to - from }, (_, i) => from + i);
    const colours = places.map((along) => at(along, 0));
    const isPlain = [-1, 1].every((beside) => new Set(places.map((along) => at(along, beside))).size === 1);
    if (
      colours.length >= (places.length === length ? shortestWhole : shortest) &&
      new Set(colours).size === colours.length &&
      isPlain
    )
      // it begins at the edge of the grid, if only its last colour lies there
      strips.push({ colours: from > 0 && to === length ? colours.reverse() : colours, isRow, line });
    from = to + 1;
  }
  return strips;
}

/** The n-th colour of the strip, from 1; 0 where there is none. */
function read(numberOf: (scan: Scan, strip: Strip) => Uint8Array): Column {
  return (scan) => {
    const strip = stripOf(scan);
    if (strip === null) return new Uint8Array(scan.cells.length);
    return numberOf(scan, strip).map((number) => strip.colours[number - 1] ?? 0);
  };
}

/** From 1: how many blobs of its own colour come before a cell's blob by a measure. */
function rankedBy(measure: (set: ObjectSet, label: number) => number): Column {
  return read((scan) => {
    const set = scan.objects('blob');
    const colours = set.images.map(({ cells }) => cells.find((cell) => cell !== 0));
    const values = set.images.map((_, label) => measure(set, label));
    return perObject(
      scan,
      set,
      (_, label) =>
        1 +
        Math.min(
          98,
          values.filter(
            (value, other) => colours[other] === colours[label] && value > (values[label] as number),
          ).length,
        ),
    );
  });
}

/** The lines beside the strip take its colours in turn; a wall along it is not counted. */
function inTurn(scan: Scan, { colours, isRow, line }: Strip): Uint8Array {
  const wall = [-1, 1].find((beside) => {
    const cells = isRow
      ? Array.from({ length: scan.width }, (_, x) => scan.at(x, line + beside))
      : Array.from({ length: scan.height }, (_, y) => scan.at(line + beside, y));
    return cells[0] !== 0 && cells[0] !== edge && new Set(cells).size === 1;
  });
  return perCell(scan, (x, y) => {
    const away = (isRow ? y : x) - line;
    const steps = Math.abs(away) - (wall !== undefined && Math.sign(away) === wall ? 2 : 1);
    return steps < 0 ? 0 : 1 + (steps % colours.length);
  });
}

export const stripColours: Readonly<Record<string, Column>> = {
  'strip-by-rank': rankedBy(({ sizes }, label) => sizes[label] as number),
  'strip-by-rank-back': rankedBy(({ sizes }, label) => -(sizes[label] as number)),
  'strip-by-size': read((scan) =>
    perObject(scan, scan.objects('blob'), ({ sizes }, label) => Math.min(99, sizes[label] as number)),
  ),
  'strip-by-place-across': rankedBy(({ boxes }, label) => -(boxes[4 * label] as number)),
  'strip-by-place-down': rankedBy(({ boxes }, label) => -(boxes[4 * label + 1] as number)),
  'strip-by-count': read(roomCounts),
  'strip-in-turn': read(inTurn),
};
