import { definite } from '../../../core/errors.ts';
import { holeCount } from '../../grid/objects.ts';
import { moveGrid, sameCells, type Motion, increase } from '../../grid/grid.ts';
import { mainColour, rareColour, type Image } from '../image.ts';
import type { ObjectSet, Scan, SetKind } from '../scan.ts';
import { type FeatureColumn, neighbours } from './column.ts';

/** Features of the object, or of the empty region, that a cell belongs to. */

export function perObject(
  scan: Scan,
  set: ObjectSet,
  valueOf: (set: ObjectSet, label: number) => number,
): Uint8Array {
  const values = Uint8Array.from({ length: set.found.count }, (_, label) => valueOf(set, label));
  const { labels } = set.found;
  const column = new Uint8Array(scan.cells.length);
  for (let i = 0; i < column.length; i++) if ((labels[i] ?? 0) >= 0) column[i] = values[labels[i] ?? 0] ?? 0;
  return column;
}

type ValueOf = (set: ObjectSet, label: number, scan: Scan) => number;

/** A feature with one value for every object of a kind. */
function columnsOf(kind: SetKind): (name: string, valueOf: ValueOf) => [string, FeatureColumn] {
  return (name, valueOf) => [
    `${kind}-${name}`,
    (scan) => perObject(scan, scan.objects(kind), (set, label) => valueOf(set, label, scan)),
  ];
}

export function ofObjects(kind: SetKind): Record<string, FeatureColumn> {
  const column = columnsOf(kind);
  const inBox = (
    name: string,
    valueOf: (x: number, y: number, box: Box) => number,
  ): [string, FeatureColumn] => [
    `${kind}-${name}`,
    (scan) => perObjectCell(scan, scan.objects(kind), valueOf),
  ];
  return Object.fromEntries([
    column('rank-across', (set, label) => 1 + Math.min(30, countBefore(set, label, 0))),
    column('rank-down', (set, label) => 1 + Math.min(30, countBefore(set, label, 1))),
    column('rank-across-back', (set, label) => 1 + Math.min(30, countBefore(set, label, 2))),
    column('rank-down-back', (set, label) => 1 + Math.min(30, countBefore(set, label, 3))),
    inBox('x', (x, _y, [left]) => 1 + x - left),
    inBox('y', (_x, y, [, top]) => 1 + y - top),
    inBox('x-back', (x, _y, [, , right]) => 1 + right - x),
    inBox('y-back', (_x, y, [, , , bottom]) => 1 + bottom - y),
    inBox('x-odd', (x, _y, [left]) => 1 + ((x - left) & 1)),
    inBox('y-odd', (_x, y, [, top]) => 1 + ((y - top) & 1)),
    inBox('x-back-odd', (x, _y, [, , right]) => 1 + ((right - x) & 1)),
    inBox('y-back-odd', (_x, y, [, , , bottom]) => 1 + ((bottom - y) & 1)),
    column('size', (set, label) => Math.min(99, set.sizes[label] ?? 0)),
    column('largest', (set, label) => (set.sizes[label] === Math.max(...set.sizes) ? 2 : 1)),
    column('smallest', (set, label) => (set.sizes[label] === Math.min(...set.sizes) ? 2 : 1)),
    column('rank', (set, label) => 1 + set.sizes.filter((size) => size > (set.sizes[label] ?? 0)).length),
    column('width', (set, label) => definite(set.images[label]).width),
    column('height', (set, label) => definite(set.images[label]).height),
    column(
      'square',
      (set, label) => 1 + Number(definite(set.images[label]).width === definite(set.images[label]).height),
    ),
    column('solid', (set, label) => (definite(set.images[label]).cells.includes(0) ? 1 : 2)),
    column('holes', (set, label) => 1 + holeCount(definite(set.images[label]))),
    column('symmetric', (set, label) => 1 + symmetry(definite(set.images[label]))),
    column('at-border', (set, label, scan) => 1 + Number(touchesBorder(set, label, scan))),
    [
      `${kind}-copies`,
      (scan) => {
        const copies = scan.shapeCopies(scan.objects(kind));
        return perObject(scan, scan.objects(kind), (_, label) => Math.min(20, copies[label] ?? 0));
      },
    ],
    [`${kind}-place`, (scan) => placeInObject(scan, scan.objects(kind))],
  ]);
}

function side(set: ObjectSet, label: number, axis: 0 | 1): number {
  return (set.boxes[label * 4 + 2 + axis] ?? 0) - (set.boxes[label * 4 + axis] ?? 0) + 1;
}

export function ofRegions(kind: SetKind): Record<string, FeatureColumn> {
  const column = columnsOf(kind);
  return Object.fromEntries([
    column('size', (set, label) => Math.min(99, set.sizes[label] ?? 0)),
    column('largest', (set, label) => (set.sizes[label] === Math.max(...set.sizes) ? 2 : 1)),
    column('smallest', (set, label) => (set.sizes[label] === Math.min(...set.sizes) ? 2 : 1)),
    column('square', (set, label) => 1 + Number(side(set, label, 0) === side(set, label, 1))),
    column(
      'rectangle',
      (set, label) => 1 + Number(side(set, label, 0) * side(set, label, 1) === set.sizes[label]),
    ),
    column('at-border', (set, label, scan) => 1 + Number(touchesBorder(set, label, scan))),
    column('size-odd', (set, label) => 1 + ((set.sizes[label] ?? 0) & 1)),
  ]);
}

type Box = readonly [left: number, top: number, right: number, bottom: number];

function perObjectCell(
  scan: Scan,
  set: ObjectSet,
  valueOf: (x: number, y: number, box: Box) => number,
): Uint8Array {
  return Uint8Array.from(scan.cells, (_, i) => {
    const label = set.found.labels[i] ?? 0;
    if (label < 0) return 0;
    const box = set.boxes.subarray(label * 4, label * 4 + 4) as unknown as Box;
    return valueOf(i % scan.width, Math.floor(i / scan.width), box);
  });
}

/** The number of objects that extend further to a side of the grid: left, top, right, bottom. */
function countBefore({ found, boxes }: ObjectSet, label: number, end: 0 | 1 | 2 | 3): number {
  const own = boxes[label * 4 + end] ?? 0;
  let count = 0;
  for (let other = 0; other < found.count; other++) {
    const at = boxes[other * 4 + end] ?? 0;
    if (end < 2 ? at < own : at > own) count++;
  }
  return count;
}

function touchesBorder(set: ObjectSet, label: number, scan: Scan): boolean {
  const [left, top, right, bottom] = set.boxes.subarray(label * 4, label * 4 + 4);
  return left === 0 || top === 0 || right === scan.width - 1 || bottom === scan.height - 1;
}

export function symmetry(part: Image): number {
  const same = (motion: Motion): number => {
    const moved = moveGrid(part, motion);
    return moved.width === part.width && sameCells(moved.cells, part.cells) ? 1 : 0;
  };
  return same('flip-left-right') + 2 * same('flip-top-bottom');
}

/** Position of a cell in its object's box: 1 inside, 2 on a side, 3 in a corner. */
function placeInObject(scan: Scan, set: ObjectSet): Uint8Array {
  return Uint8Array.from(scan.cells, (_, i) => {
    const label = set.found.labels[i] ?? 0;
    if (label < 0) return 0;
    const [left, top, right, bottom] = set.boxes.subarray(label * 4, label * 4 + 4);
    const x = i % scan.width;
    const y = Math.floor(i / scan.width);
    return 1 + Number(x === left || x === right) + Number(y === top || y === bottom);
  });
}

export function mainOf(set: ObjectSet, label: number): number {
  return mainColour(definite(set.images[label]).cells);
}

export function rareOf(set: ObjectSet, label: number): number {
  return rareColour(definite(set.images[label]).cells);
}

/** For a cell of an enclosed empty region: the colour that is most frequent around the region. */
export function aroundHole(scan: Scan): Uint8Array {
  const set = scan.objects('region');
  const tallies = Array.from({ length: set.found.count }, () => new Uint32Array(11));
  for (let i = 0; i < scan.cells.length; i++) {
    const label = set.found.labels[i] ?? 0;
    if (label < 0) continue;
    const x = i % scan.width;
    const y = Math.floor(i / scan.width);
    for (const [dx, dy] of Object.values(neighbours).slice(0, 4))
      increase(definite(tallies[label]), scan.at(x + dx, y + dy));
  }
  const colours = tallies.map((tally) => {
    if ((tally[10] ?? 0) > 0) return 0;
    tally[0] = 0;
    return tally.indexOf(Math.max(...tally));
  });
  return Uint8Array.from(scan.cells, (_, i) => {
    const label = set.found.labels[i] ?? 0;
    return label < 0 ? 0 : (colours[label] ?? 0);
  });
}
