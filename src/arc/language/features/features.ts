import { definite } from '../../../core/errors.ts';
import type { Scan } from '../scan.ts';
import {
  fromNeighbours,
  gaps,
  see,
  sameSeen,
  nearestCell,
  edgeDistance,
  countAround,
  pattern,
  countRow,
  countColumn,
  perLine,
} from './around.ts';
import { type FeatureColumn, perCell, wholeGrid } from './column.ts';
import { ofObjects, ofRegions, perObject, mainOf, rareOf, aroundHole } from './objects.ts';
import {
  coloursOfInput,
  largestAround,
  inLargestRectangle,
  largestSquare,
  ofInput,
  touched,
  touching,
} from './relations.ts';
import { seenColours, standingColours } from './seen.ts';
import { perPanel, panelShare, panelUnion, ranked } from './panels.ts';

const sides = [
  [0, 1],
  [0, -1],
  [1, 0],
  [-1, 0],
] as const;

const colourFeatures: Readonly<Record<string, FeatureColumn>> = {
  self: (scan) => scan.cells,
  ...fromNeighbours('', (scan, x, y, dx, dy) => scan.at(x + dx, y + dy)),
  ...fromNeighbours('see-', see),
  'mirror-across': (scan) => perCell(scan, (x, y) => scan.at(scan.width - 1 - x, y)),
  'mirror-down': (scan) => perCell(scan, (x, y) => scan.at(x, scan.height - 1 - y)),
  transposed: (scan) => perCell(scan, (x, y) => scan.at(y, x)),
  'anti-transposed': (scan) => perCell(scan, (x, y) => scan.at(scan.width - 1 - y, scan.height - 1 - x)),
  'turned-left': (scan) => perCell(scan, (x, y) => scan.at(scan.width - 1 - y, x)),
  'turned-right': (scan) => perCell(scan, (x, y) => scan.at(y, scan.height - 1 - x)),
  'row-first': (scan) => perCell(scan, (_, y) => scan.at(0, y)),
  'row-last': (scan) => perCell(scan, (_, y) => scan.at(scan.width - 1, y)),
  'column-first': (scan) => perCell(scan, (x) => scan.at(x, 0)),
  'column-last': (scan) => perCell(scan, (x) => scan.at(x, scan.height - 1)),
  'main-colour': (scan) => new Uint8Array(scan.cells.length).fill(scan.main),
  'rare-colour': (scan) => new Uint8Array(scan.cells.length).fill(scan.rare),
  'object-main': (scan) => perObject(scan, scan.objects('object'), (set, label) => mainOf(set, label)),
  'object-rare': (scan) => perObject(scan, scan.objects('object'), (set, label) => rareOf(set, label)),
  'row-main': (scan) => perLine(scan, true),
  'column-main': (scan) => perLine(scan, false),
  nearest: (scan) => nearestCell(scan).colours,
  'around-hole': aroundHole,
  'panel-union': panelUnion,
  'around-4': largestAround(0, 4),
  'around-diagonal': largestAround(4, 8),
  'blob-touched': touched('blob'),
  ...seenColours,
};

const cellFeatures: Readonly<Record<string, FeatureColumn>> = {
  filled: (scan) => scan.cells.map((cell) => (cell === 0 ? 0 : 1)),
  // any colour: 0 empty, 1 filled, 2 beyond the edge
  ...fromNeighbours('filled-', (scan, x, y, dx, dy) => {
    const cell = scan.at(x + dx, y + dy);
    return cell === 0 ? 0 : cell === 10 ? 2 : 1;
  }),
  'row-odd': (scan) => perCell(scan, (_, y) => y & 1),
  'column-odd': (scan) => perCell(scan, (x) => x & 1),
  'row-of-three': (scan) => perCell(scan, (_, y) => y % 3),
  'column-of-three': (scan) => perCell(scan, (x) => x % 3),
  'row-from-end-of-three': (scan) => perCell(scan, (_, y) => (scan.height - 1 - y) % 3),
  'column-from-end-of-three': (scan) => perCell(scan, (x) => (scan.width - 1 - x) % 3),
  'row-from-end-odd': (scan) => perCell(scan, (_, y) => (scan.height - 1 - y) & 1),
  'column-from-end-odd': (scan) => perCell(scan, (x) => (scan.width - 1 - x) & 1),
  border: (scan) => perCell(scan, (x, y) => (edgeDistance(scan, x, y) === 0 ? 1 : 0)),
  'edge-distance': (scan) => perCell(scan, (x, y) => Math.min(14, edgeDistance(scan, x, y))),
  corner: (scan) =>
    perCell(scan, (x, y) =>
      (x === 0 || x === scan.width - 1) && (y === 0 || y === scan.height - 1) ? 1 : 0,
    ),
  diagonal: (scan) => perCell(scan, (x, y) => (x === y ? 1 : x + y === scan.width - 1 ? 2 : 0)),
  'top-half': (scan) => perCell(scan, (_, y) => Math.sign(2 * y - scan.height + 1) + 1),
  'left-half': (scan) => perCell(scan, (x) => Math.sign(2 * x - scan.width + 1) + 1),
  'hole-4': (scan) => scan.inside,
  'in-hull': (scan) => scan.hull,
  'filled-around-4': (scan) =>
    perCell(scan, (x, y) => countAround(scan, x, y, false, (cell) => cell !== 0 && cell !== 10)),
  'filled-around-8': (scan) =>
    perCell(scan, (x, y) => countAround(scan, x, y, true, (cell) => cell !== 0 && cell !== 10)),
  'same-around-4': (scan) =>
    perCell(scan, (x, y) => countAround(scan, x, y, false, (cell) => cell === scan.at(x, y))),
  'same-around-8': (scan) =>
    perCell(scan, (x, y) => countAround(scan, x, y, true, (cell) => cell === scan.at(x, y))),
  'filled-pattern-4': (scan) =>
    perCell(scan, (x, y) => pattern(scan, x, y, [0, 4], (cell) => cell !== 0 && cell !== 10)),
  'filled-pattern-diagonal': (scan) =>
    perCell(scan, (x, y) => pattern(scan, x, y, [4, 8], (cell) => cell !== 0 && cell !== 10)),
  'filled-pattern-8': (scan) =>
    perCell(scan, (x, y) => pattern(scan, x, y, [0, 8], (cell) => cell !== 0 && cell !== 10)),
  'same-pattern-4': (scan) =>
    perCell(scan, (x, y) => pattern(scan, x, y, [0, 4], (cell) => cell === scan.at(x, y))),
  'main-around-8': (scan) =>
    perCell(scan, (x, y) => (countAround(scan, x, y, true, (cell) => cell === scan.main) > 0 ? 1 : 0)),
  'is-main': (scan) => scan.cells.map((cell) => (cell === scan.main ? 1 : 0)),
  'is-rare': (scan) => scan.cells.map((cell) => (cell === scan.rare ? 1 : 0)),
  'row-filled': (scan) => perCell(scan, (_, y) => Math.min(30, countRow(scan, y))),
  'column-filled': (scan) => perCell(scan, (x) => Math.min(30, countColumn(scan, x))),
  distance: (scan) => nearestCell(scan).distances,
  'distance-odd': (scan) => nearestCell(scan).distances.map((distance) => distance & 1),
  ...gaps(),
  'sees-same-across': (scan) =>
    perCell(scan, (x, y) => sameSeen(see(scan, x, y, -1, 0), see(scan, x, y, 1, 0))),
  'sees-same-upright': (scan) =>
    perCell(scan, (x, y) => sameSeen(see(scan, x, y, 0, -1), see(scan, x, y, 0, 1))),
  'sides-seen': (scan) =>
    perCell(scan, (x, y) => sides.filter(([dx, dy]) => see(scan, x, y, dx, dy) !== 10).length),
  ...ofObjects('object'),
  ...ofObjects('piece'),
  ...ofRegions('region'),
  'panel-row': (scan) => perPanel(scan, ({ top }, panels) => ranked(panels, 'top', (at) => at < top)),
  'panel-column': (scan) => perPanel(scan, ({ left }, panels) => ranked(panels, 'left', (at) => at < left)),
  'panel-row-back': (scan) => perPanel(scan, ({ top }, panels) => ranked(panels, 'top', (at) => at > top)),
  'panel-column-back': (scan) =>
    perPanel(scan, ({ left }, panels) => ranked(panels, 'left', (at) => at > left)),
  'panel-share': panelShare,
  'largest-square': largestSquare,
  'region-oblong': inLargestRectangle,
  ...standingColours,
  ...touching('region'),
};

/** Colour features used only by the larger search. */
const wideColourFeatures: Readonly<Record<string, FeatureColumn>> = {
  ...coloursOfInput,
};

const wideCellFeatures: Readonly<Record<string, FeatureColumn>> = {
  ...ofInput,
};

/** The order matters: a learner prefers early features, and answers that come early. */
export const featureNames = [...Object.keys(colourFeatures), ...Object.keys(cellFeatures)];

/** All features; those of the larger search come last. */
export const wideFeatureNames = [
  ...featureNames,
  ...Object.keys(wideColourFeatures),
  ...Object.keys(wideCellFeatures),
];

export const sourceNames = [...Object.keys(colourFeatures), ...Object.keys(wideColourFeatures)];

/** Features of the cell and its surroundings are more likely than features that count or identify rows. */
export function featurePrice(name: string): number {
  if (/three|odd|^diagonal|pattern-diagonal|input-|place-|pattern-8/.test(name)) return 12;
  if (/rank|copies|size|square|width|height|row-|column-|panel|gap-|distance|ring|-x|-y/.test(name)) return 8;
  return 5;
}

/** Preconditions of some features: without them a feature is constant or repeats the colour. */
const needed: readonly (readonly [features: RegExp, has: (scan: Scan) => boolean])[] = [
  [/^panel-/, ({ panels }) => panels !== null],
];

/** The features that may distinguish cells of these images. */
export function askable(names: readonly string[], scans: readonly Scan[]): string[] {
  const idle = needed.filter(([, has]) => !scans.some(has)).map(([features]) => features);
  return names.filter((name) => !idle.some((features) => features.test(name)));
}

/** Features with the same value for every cell of an object; used by learned moves. */
export const objectFeatureNames = [
  'any',
  ...featureNames.filter(
    (name) =>
      /^(self|is-main|is-rare)$/.test(name) ||
      (/^(object|piece|blob)-/.test(name) &&
        !/-(x|y|x-back|y-back|x-odd|y-odd|x-back-odd|y-back-odd|place)$/.test(name)),
  ),
];

const allFeatures: Readonly<Record<string, FeatureColumn>> = {
  ...colourFeatures,
  ...cellFeatures,
  ...wideColourFeatures,
  ...wideCellFeatures,
  any: (scan) => wholeGrid(scan, 0),
};

export function featureColumn(scan: Scan, name: string): Uint8Array {
  return scan.once(`feature ${name}`, () => definite(allFeatures[name])(scan));
}
