import { components, enclosed } from '../components.ts';
import { moveGrid, sameCells, type Motion } from '../grid.ts';
import type { Image } from './image.ts';
import type { ObjectSet, Scan } from './scan.ts';

/**
 * What a learned cell rule can ask about a cell. A feature is a column of small numbers, one for each cell; those that
 * are colours (10: beyond the edge) can also be the answer.
 */
type Column = (scan: Scan) => Uint8Array;

const neighbours: Readonly<Record<string, readonly [number, number]>> = {
  north: [0, -1],
  south: [0, 1],
  west: [-1, 0],
  east: [1, 0],
  'north-west': [-1, -1],
  'north-east': [1, -1],
  'south-west': [-1, 1],
  'south-east': [1, 1],
};

const neighbourSteps = Object.values(neighbours);

export const colourFeatures: Readonly<Record<string, Column>> = {
  self: (scan) => scan.cells,
  ...fromNeighbours('', (scan, x, y, dx, dy) => scan.at(x + dx, y + dy)),
  ...fromNeighbours('see-', see),
  'mirror-across': (scan) => perCell(scan, (x, y) => scan.at(scan.width - 1 - x, y)),
  'mirror-down': (scan) => perCell(scan, (x, y) => scan.at(x, scan.height - 1 - y)),
  turned: (scan) => perCell(scan, (x, y) => scan.at(scan.width - 1 - x, scan.height - 1 - y)),
  transposed: (scan) => perCell(scan, (x, y) => scan.at(y, x)),
  'row-first': (scan) => perCell(scan, (_, y) => scan.at(0, y)),
  'row-last': (scan) => perCell(scan, (_, y) => scan.at(scan.width - 1, y)),
  'column-first': (scan) => perCell(scan, (x) => scan.at(x, 0)),
  'column-last': (scan) => perCell(scan, (x) => scan.at(x, scan.height - 1)),
  'main-colour': (scan) => new Uint8Array(scan.cells.length).fill(scan.main),
  'rare-colour': (scan) => new Uint8Array(scan.cells.length).fill(scan.rare),
  'object-main': (scan) => perObject(scan, scan.objects(8, false), (set, label) => mainOf(set, label)),
  'object-rare': (scan) => perObject(scan, scan.objects(8, false), (set, label) => rareOf(set, label)),
  'row-main': (scan) => perLine(scan, true, 1),
  'column-main': (scan) => perLine(scan, false, 1),
  nearest: (scan) => nearest(scan).colours,
  'box-main': boxMain,
  'row-rare': (scan) => perLine(scan, true, -1),
  'column-rare': (scan) => perLine(scan, false, -1),
  'around-hole': aroundHole,
  'panel-main': (scan) => perPanel(scan, (panel) => panelMain(scan, panel)),
  'panel-union': panelUnion,
};

export const cellFeatures: Readonly<Record<string, Column>> = {
  filled: (scan) => scan.cells.map((cell) => (cell === 0 ? 0 : 1)),
  'row-odd': (scan) => perCell(scan, (_, y) => y & 1),
  'column-odd': (scan) => perCell(scan, (x) => x & 1),
  checker: (scan) => perCell(scan, (x, y) => (x + y) & 1),
  'row-of-three': (scan) => perCell(scan, (_, y) => y % 3),
  'column-of-three': (scan) => perCell(scan, (x) => x % 3),
  'row-from-end-odd': (scan) => perCell(scan, (_, y) => (scan.height - 1 - y) & 1),
  'column-from-end-odd': (scan) => perCell(scan, (x) => (scan.width - 1 - x) & 1),
  border: (scan) => perCell(scan, (x, y) => (edgeDistance(scan, x, y) === 0 ? 1 : 0)),
  'edge-distance': (scan) => perCell(scan, (x, y) => Math.min(14, edgeDistance(scan, x, y))),
  'edge-distance-odd': (scan) => perCell(scan, (x, y) => edgeDistance(scan, x, y) & 1),
  corner: (scan) =>
    perCell(scan, (x, y) =>
      (x === 0 || x === scan.width - 1) && (y === 0 || y === scan.height - 1) ? 1 : 0,
    ),
  diagonal: (scan) => perCell(scan, (x, y) => (x === y ? 1 : x + y === scan.width - 1 ? 2 : 0)),
  'top-half': (scan) => perCell(scan, (_, y) => Math.sign(2 * y - scan.height + 1) + 1),
  'left-half': (scan) => perCell(scan, (x) => Math.sign(2 * x - scan.width + 1) + 1),
  'hole-4': (scan) => scan.inside,
  'hole-8': (scan) => enclosed(scan.cells, scan.width, scan.height, 8),
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
    perCell(scan, (x, y) => pattern(scan, x, y, 0, 4, (cell) => cell !== 0 && cell !== 10)),
  'filled-pattern-diagonal': (scan) =>
    perCell(scan, (x, y) => pattern(scan, x, y, 4, 8, (cell) => cell !== 0 && cell !== 10)),
  'filled-pattern-8': (scan) =>
    perCell(scan, (x, y) => pattern(scan, x, y, 0, 8, (cell) => cell !== 0 && cell !== 10)),
  'same-pattern-4': (scan) =>
    perCell(scan, (x, y) => pattern(scan, x, y, 0, 4, (cell) => cell === scan.at(x, y))),
  'same-pattern-8': (scan) =>
    perCell(scan, (x, y) => pattern(scan, x, y, 0, 8, (cell) => cell === scan.at(x, y))),
  'main-around-8': (scan) =>
    perCell(scan, (x, y) => (countAround(scan, x, y, true, (cell) => cell === scan.main) > 0 ? 1 : 0)),
  'rare-around-8': (scan) =>
    perCell(scan, (x, y) => (countAround(scan, x, y, true, (cell) => cell === scan.rare) > 0 ? 1 : 0)),
  'is-main': (scan) => scan.cells.map((cell) => (cell === scan.main ? 1 : 0)),
  'is-rare': (scan) => scan.cells.map((cell) => (cell === scan.rare ? 1 : 0)),
  'row-filled': (scan) => perCell(scan, (_, y) => Math.min(30, countRow(scan, y))),
  'column-filled': (scan) => perCell(scan, (x) => Math.min(30, countColumn(scan, x))),
  'row-any': (scan) => perCell(scan, (_, y) => Math.min(1, countRow(scan, y))),
  'column-any': (scan) => perCell(scan, (x) => Math.min(1, countColumn(scan, x))),
  distance: (scan) => nearest(scan).distances,
  'distance-odd': (scan) => nearest(scan).distances.map((distance) => distance & 1),
  ...gaps(),
  'filled-ring-2': (scan) => perCell(scan, (x, y) => countRing(scan, x, y)),
  'sees-same-across': (scan) =>
    perCell(scan, (x, y) => sameSeen(see(scan, x, y, -1, 0), see(scan, x, y, 1, 0))),
  'sees-same-upright': (scan) =>
    perCell(scan, (x, y) => sameSeen(see(scan, x, y, 0, -1), see(scan, x, y, 0, 1))),
  'sides-seen': (scan) =>
    perCell(
      scan,
      (x, y) =>
        [
          [0, 1],
          [0, -1],
          [1, 0],
          [-1, 0],
        ].filter(([dx, dy]) => see(scan, x, y, dx as number, dy as number) !== 10).length,
    ),
  ...ofObjects('object', (scan) => scan.objects(8, false)),
  ...ofObjects('piece', (scan) => scan.objects(4, true)),
  ...ofObjects('blob', (scan) => scan.objects(8, true)),
  ...ofRegions('region', (scan) => scan.objects(4, false, true)),
  'object-colours': (scan) =>
    perObject(scan, scan.objects(8, false), (set, label) => colourTally(set.images[label] as Image)),
  'grid-objects': (scan) => wholeGrid(scan, Math.min(30, scan.objects(8, true).found.count)),
  'grid-colours': (scan) => wholeGrid(scan, new Set(scan.cells).size),
  'grid-symmetric': (scan) => wholeGrid(scan, symmetry(scan.source)),
  'panel-row': (scan) => perPanel(scan, (panel, rank) => rank(panel.top, 'top')),
  'panel-column': (scan) => perPanel(scan, (panel, rank) => rank(panel.left, 'left')),
  'panel-filled': (scan) => perPanel(scan, (panel) => Math.min(30, panelCount(scan, panel))),
  'panel-fullest': (scan) => panelExtreme(scan, 1),
  'panel-emptiest': (scan) => panelExtreme(scan, -1),
};

/** The order matters: a learner prefers early features, and answers that come early. */
export const featureNames = [...Object.keys(colourFeatures), ...Object.keys(cellFeatures)];
export const sourceNames = Object.keys(colourFeatures);

export function featureColumn(scan: Scan, name: string): Uint8Array {
  return scan.once(`feature ${name}`, () => (colourFeatures[name] ?? (cellFeatures[name] as Column))(scan));
}

function perCell(scan: Scan, valueAt: (x: number, y: number) => number): Uint8Array {
  const column = new Uint8Array(scan.cells.length);
  for (let y = 0, i = 0; y < scan.height; y++)
    for (let x = 0; x < scan.width; x++, i++) column[i] = valueAt(x, y);
  return column;
}

function fromNeighbours(
  prefix: string,
  valueAt: (scan: Scan, x: number, y: number, dx: number, dy: number) => number,
): Record<string, Column> {
  return Object.fromEntries(
    Object.entries(neighbours).map(([name, [dx, dy]]) => [
      prefix + name,
      (scan: Scan) => perCell(scan, (x, y) => valueAt(scan, x, y, dx, dy)),
    ]),
  );
}

/** The first filled cell in a direction, 10 when there is none. */
function see(scan: Scan, x: number, y: number, dx: number, dy: number): number {
  let cell = 0;
  for (let step = 1; cell === 0; step++) cell = scan.at(x + step * dx, y + step * dy);
  return cell;
}

function sameSeen(one: number, two: number): number {
  return one !== 10 && one === two ? 1 : 0;
}

/** How far the first filled cell lies in each of the four directions; 0 when there is none. */
function gaps(): Record<string, Column> {
  return Object.fromEntries(
    Object.entries(neighbours)
      .slice(0, 4)
      .map(([name, [dx, dy]]) => [
        `gap-${name}`,
        (scan: Scan) =>
          perCell(scan, (x, y) => {
            let step = 1;
            while (scan.at(x + step * dx, y + step * dy) === 0) step++;
            return scan.at(x + step * dx, y + step * dy) === 10 ? 0 : step;
          }),
      ]),
  );
}

/** The nearest filled cell, diagonal steps counting one: its colour (10: none) and its distance, up to 15. */
function nearest(scan: Scan): { colours: Uint8Array; distances: Uint8Array } {
  const colours = scan.once('nearest colours', () => new Uint8Array(scan.cells.length).fill(10));
  const distances = scan.once('nearest distances', () => {
    const found = new Uint8Array(scan.cells.length).fill(15);
    let frontier: number[] = [];
    for (let i = 0; i < scan.cells.length; i++) {
      if (scan.cells[i] === 0) continue;
      found[i] = 0;
      colours[i] = scan.cells[i] as number;
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
          colours[i] = colours[cell] as number;
          next.push(i);
        }
      }
      frontier = next;
    }
    return found;
  });
  return { colours, distances };
}

/** For a cell in the box of an object: the main colour of the smallest such object. */
function boxMain(scan: Scan): Uint8Array {
  const column = new Uint8Array(scan.cells.length);
  const set = scan.objects(8, false);
  const order = [...set.images.keys()].sort(
    (a, b) => (set.images[b] as Image).cells.length - (set.images[a] as Image).cells.length || a - b,
  );
  for (const label of order) {
    const { x, y, width, height } = set.images[label] as Image;
    const left = x - scan.source.x;
    const top = y - scan.source.y;
    const colour = mainOf(set, label);
    for (let row = top; row < top + height; row++)
      column.fill(colour, row * scan.width + left, row * scan.width + left + width);
  }
  return column;
}

function countRing(scan: Scan, x: number, y: number): number {
  let count = 0;
  for (let dy = -2; dy <= 2; dy++)
    for (let dx = -2; dx <= 2; dx++)
      if (Math.max(Math.abs(dx), Math.abs(dy)) === 2 && scan.at(x + dx, y + dy) % 10 !== 0) count++;
  return count;
}

function edgeDistance(scan: Scan, x: number, y: number): number {
  return Math.min(x, y, scan.width - 1 - x, scan.height - 1 - y);
}

function countAround(
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

/** Which of the neighbours count, as bits. */
function pattern(
  scan: Scan,
  x: number,
  y: number,
  from: number,
  to: number,
  counts: (cell: number) => boolean,
): number {
  let bits = 0;
  for (const [dx, dy] of neighbourSteps.slice(from, to))
    bits = bits * 2 + (counts(scan.at(x + dx, y + dy)) ? 1 : 0);
  return bits;
}

function countRow(scan: Scan, y: number): number {
  let count = 0;
  for (let x = 0; x < scan.width; x++) if (scan.cells[y * scan.width + x] !== 0) count++;
  return count;
}

function countColumn(scan: Scan, x: number): number {
  let count = 0;
  for (let y = 0; y < scan.height; y++) if (scan.cells[y * scan.width + x] !== 0) count++;
  return count;
}

function wholeGrid(scan: Scan, value: number): Uint8Array {
  return new Uint8Array(scan.cells.length).fill(value);
}

/** The most (sign 1) or least (sign −1) frequent filled colour of each cell's row or column. */
function perLine(scan: Scan, rows: boolean, sign: 1 | -1): Uint8Array {
  const lines = rows ? scan.height : scan.width;
  const mains = Array.from({ length: lines }, (_, line) => {
    const tally = new Uint32Array(11);
    for (let i = 0; i < (rows ? scan.width : scan.height); i++)
      (tally[rows ? scan.at(i, line) : scan.at(line, i)] as number)++;
    let best = 0;
    for (let colour = 1; colour < 10; colour++) {
      const count = tally[colour] as number;
      if (count > 0 && (best === 0 || sign * count > sign * (tally[best] as number))) best = colour;
    }
    return best;
  });
  return perCell(scan, (x, y) => mains[rows ? y : x] as number);
}

function perObject(
  scan: Scan,
  set: ObjectSet,
  valueOf: (set: ObjectSet, label: number) => number,
): Uint8Array {
  const values = Uint8Array.from({ length: set.found.count }, (_, label) => valueOf(set, label));
  return Uint8Array.from(scan.cells, (_, i) => {
    const label = set.found.labels[i] as number;
    return label < 0 ? 0 : (values[label] as number);
  });
}

function ofObjects(prefix: string, setOf: (scan: Scan) => ObjectSet): Record<string, Column> {
  const column = (
    name: string,
    valueOf: (set: ObjectSet, label: number, scan: Scan) => number,
  ): [string, Column] => [
    `${prefix}-${name}`,
    (scan) => perObject(scan, setOf(scan), (set, label) => valueOf(set, label, scan)),
  ];
  const inBox = (name: string, valueOf: (x: number, y: number, box: Box) => number): [string, Column] => [
    `${prefix}-${name}`,
    (scan) => perObjectCell(scan, setOf(scan), valueOf),
  ];
  return Object.fromEntries([
    column('rank-across', (set, label) => 1 + Math.min(30, countBefore(set, label, 0))),
    column('rank-down', (set, label) => 1 + Math.min(30, countBefore(set, label, 1))),
    inBox('x', (x, _y, [left]) => 1 + x - left),
    inBox('y', (_x, y, [, top]) => 1 + y - top),
    inBox('x-back', (x, _y, [, , right]) => 1 + right - x),
    inBox('y-back', (_x, y, [, , , bottom]) => 1 + bottom - y),
    inBox('x-odd', (x, _y, [left]) => 1 + ((x - left) & 1)),
    inBox('y-odd', (_x, y, [, top]) => 1 + ((y - top) & 1)),
    column('size', (set, label) => Math.min(99, set.sizes[label] as number)),
    column('largest', (set, label) => (set.sizes[label] === Math.max(...set.sizes) ? 2 : 1)),
    column('smallest', (set, label) => (set.sizes[label] === Math.min(...set.sizes) ? 2 : 1)),
    column(
      'rank',
      (set, label) => 1 + set.sizes.filter((size) => size > (set.sizes[label] as number)).length,
    ),
    column('width', (set, label) => (set.images[label] as Image).width),
    column('height', (set, label) => (set.images[label] as Image).height),
    column(
      'square',
      (set, label) => 1 + Number((set.images[label] as Image).width === (set.images[label] as Image).height),
    ),
    column(
      'tall',
      (set, label) => 2 + Math.sign((set.images[label] as Image).height - (set.images[label] as Image).width),
    ),
    column('solid', (set, label) => ((set.images[label] as Image).cells.includes(0) ? 1 : 2)),
    column('holes', (set, label) => 1 + holeCount(set.images[label] as Image)),
    column('symmetric', (set, label) => 1 + symmetry(set.images[label] as Image)),
    column('at-border', (set, label, scan) => 1 + Number(touchesBorder(set, label, scan))),
    column('size-odd', (set, label) => 1 + ((set.sizes[label] as number) & 1)),
    [
      `${prefix}-copies`,
      (scan) => {
        const copies = scan.shapeCopies(setOf(scan));
        return perObject(scan, setOf(scan), (_, label) => Math.min(20, copies[label] as number));
      },
    ],
    [`${prefix}-place`, (scan) => placeInObject(scan, setOf(scan))],
    [`${prefix}-layer`, (scan) => layers(scan, setOf(scan))],
  ]);
}

type Box = readonly [left: number, top: number, right: number, bottom: number];

function perObjectCell(
  scan: Scan,
  set: ObjectSet,
  valueOf: (x: number, y: number, box: Box) => number,
): Uint8Array {
  return Uint8Array.from(scan.cells, (_, i) => {
    const label = set.found.labels[i] as number;
    if (label < 0) return 0;
    const box = set.boxes.subarray(label * 4, label * 4 + 4) as unknown as Box;
    return valueOf(i % scan.width, Math.floor(i / scan.width), box);
  });
}

/** How many objects start further left (side 0) or further up (side 1). */
function countBefore(set: ObjectSet, label: number, side: 0 | 1): number {
  let count = 0;
  for (let other = 0; other < set.found.count; other++)
    if ((set.boxes[other * 4 + side] as number) < (set.boxes[label * 4 + side] as number)) count++;
  return count;
}

function ofRegions(prefix: string, setOf: (scan: Scan) => ObjectSet): Record<string, Column> {
  const side = (set: ObjectSet, label: number, axis: 0 | 1): number =>
    (set.boxes[label * 4 + 2 + axis] as number) - (set.boxes[label * 4 + axis] as number) + 1;
  const column = (
    name: string,
    valueOf: (set: ObjectSet, label: number, scan: Scan) => number,
  ): [string, Column] => [
    `${prefix}-${name}`,
    (scan) => perObject(scan, setOf(scan), (set, label) => valueOf(set, label, scan)),
  ];
  return Object.fromEntries([
    column('size', (set, label) => Math.min(99, set.sizes[label] as number)),
    column('largest', (set, label) => (set.sizes[label] === Math.max(...set.sizes) ? 2 : 1)),
    column('smallest', (set, label) => (set.sizes[label] === Math.min(...set.sizes) ? 2 : 1)),
    column('square', (set, label) => 1 + Number(side(set, label, 0) === side(set, label, 1))),
    column(
      'rectangle',
      (set, label) => 1 + Number(side(set, label, 0) * side(set, label, 1) === set.sizes[label]),
    ),
    column('at-border', (set, label, scan) => 1 + Number(touchesBorder(set, label, scan))),
    column('size-odd', (set, label) => 1 + ((set.sizes[label] as number) & 1)),
  ]);
}

function touchesBorder(set: ObjectSet, label: number, scan: Scan): boolean {
  const [left, top, right, bottom] = set.boxes.subarray(label * 4, label * 4 + 4);
  return left === 0 || top === 0 || right === scan.width - 1 || bottom === scan.height - 1;
}

function holeCount(part: Image): number {
  return components(enclosed(part.cells, part.width, part.height, 4), part.width, part.height, 4, true).count;
}

function symmetry(part: Image): number {
  const same = (motion: Motion): number => {
    const moved = moveGrid(part, motion);
    return moved.width === part.width && sameCells(moved.cells, part.cells) ? 1 : 0;
  };
  return same('flip-left-right') + 2 * same('flip-top-bottom');
}

/** Where in its object's box a cell lies: 1 inside, 2 on a side, 3 in a corner. */
function placeInObject(scan: Scan, set: ObjectSet): Uint8Array {
  return Uint8Array.from(scan.cells, (_, i) => {
    const label = set.found.labels[i] as number;
    if (label < 0) return 0;
    const [left, top, right, bottom] = set.boxes.subarray(label * 4, label * 4 + 4);
    const x = i % scan.width;
    const y = Math.floor(i / scan.width);
    return 1 + Number(x === left || x === right) + Number(y === top || y === bottom);
  });
}

/** How deep a cell lies in its object: 1 on its edge, more inside. */
function layers(scan: Scan, set: ObjectSet): Uint8Array {
  const depth = new Uint8Array(scan.cells.length);
  const { labels } = set.found;
  for (let layer = 1, open = true; open && layer < 30; layer++) {
    open = false;
    const found: number[] = [];
    for (let i = 0; i < labels.length; i++) {
      if ((labels[i] as number) < 0 || depth[i] !== 0) continue;
      open = true;
      const x = i % scan.width;
      const y = Math.floor(i / scan.width);
      const edge = [
        [0, 1],
        [0, -1],
        [1, 0],
        [-1, 0],
      ].some(([dx, dy]) => {
        const nx = x + (dx as number);
        const ny = y + (dy as number);
        const next = ny * scan.width + nx;
        return (
          nx < 0 ||
          ny < 0 ||
          nx >= scan.width ||
          ny >= scan.height ||
          labels[next] !== labels[i] ||
          depth[next] !== 0
        );
      });
      if (edge) found.push(i);
    }
    for (const i of found) depth[i] = layer;
  }
  return depth;
}

function tallyOf(part: Image): number[] {
  const tally = Array.from({ length: 10 }, () => 0);
  for (const cell of part.cells) if (cell !== 0) (tally[cell] as number)++;
  return tally;
}

function mainOf(set: ObjectSet, label: number): number {
  const tally = tallyOf(set.images[label] as Image);
  return tally.indexOf(Math.max(...tally));
}

function rareOf(set: ObjectSet, label: number): number {
  const tally = tallyOf(set.images[label] as Image);
  return tally.indexOf(Math.min(...tally.filter((count) => count > 0)));
}

function colourTally(part: Image): number {
  return tallyOf(part).filter((count) => count > 0).length;
}

/** For a cell of an enclosed empty region: the colour that is most frequent around the region. */
function aroundHole(scan: Scan): Uint8Array {
  const set = scan.objects(4, false, true);
  const tallies = Array.from({ length: set.found.count }, () => new Uint32Array(11));
  for (let i = 0; i < scan.cells.length; i++) {
    const label = set.found.labels[i] as number;
    if (label < 0) continue;
    const x = i % scan.width;
    const y = Math.floor(i / scan.width);
    for (const [dx, dy] of Object.values(neighbours).slice(0, 4))
      ((tallies[label] as Uint32Array)[scan.at(x + dx, y + dy)] as number)++;
  }
  const colours = tallies.map((tally) => {
    if ((tally[10] as number) > 0) return 0;
    tally[0] = 0;
    return tally.indexOf(Math.max(...tally));
  });
  return Uint8Array.from(scan.cells, (_, i) => {
    const label = set.found.labels[i] as number;
    return label < 0 ? 0 : (colours[label] as number);
  });
}

type PanelBox = { left: number; top: number; width: number; height: number };

function perPanel(
  scan: Scan,
  valueOf: (panel: PanelBox, rank: (value: number, side: 'left' | 'top') => number) => number,
): Uint8Array {
  const column = new Uint8Array(scan.cells.length);
  const panels = scan.panels?.panels ?? [];
  const rank = (value: number, side: 'left' | 'top'): number =>
    1 + new Set(panels.filter((panel) => panel[side] < value).map((panel) => panel[side])).size;
  for (const panel of panels) {
    const value = valueOf(panel, rank);
    for (let y = panel.top; y < panel.top + panel.height; y++)
      column.fill(value, y * scan.width + panel.left, y * scan.width + panel.left + panel.width);
  }
  return column;
}

function panelCount(scan: Scan, panel: PanelBox): number {
  let count = 0;
  for (let y = panel.top; y < panel.top + panel.height; y++)
    for (let x = panel.left; x < panel.left + panel.width; x++)
      if (scan.cells[y * scan.width + x] !== 0) count++;
  return count;
}

function panelExtreme(scan: Scan, sign: number): Uint8Array {
  const counts = (scan.panels?.panels ?? []).map((panel) => sign * panelCount(scan, panel));
  const most = Math.max(...counts);
  return perPanel(scan, (panel) => (sign * panelCount(scan, panel) === most ? 2 : 1));
}

function panelMain(scan: Scan, panel: PanelBox): number {
  const tally = new Uint32Array(10);
  for (let y = panel.top; y < panel.top + panel.height; y++)
    for (let x = panel.left; x < panel.left + panel.width; x++)
      (tally[scan.cells[y * scan.width + x] as number] as number)++;
  tally[0] = 0;
  const most = Math.max(...tally);
  return most === 0 ? 0 : tally.indexOf(most);
}

/** The first filled cell at the same place in any panel. */
function panelUnion(scan: Scan): Uint8Array {
  const column = new Uint8Array(scan.cells.length);
  const panels = scan.panels?.panels ?? [];
  for (const panel of panels) {
    for (let y = 0; y < panel.height; y++) {
      for (let x = 0; x < panel.width; x++) {
        for (const other of panels) {
          if (x >= other.width || y >= other.height) continue;
          const colour = scan.at(other.left + x, other.top + y);
          if (colour === 0) continue;
          column[(panel.top + y) * scan.width + panel.left + x] = colour;
          break;
        }
      }
    }
  }
  return column;
}
