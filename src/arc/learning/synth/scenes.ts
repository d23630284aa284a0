import { definite } from '../../../core/errors.ts';
import type { Grid } from '../../grid/grid.ts';
import type { Draws } from './draws.ts';
import { Sheet } from './sheet.ts';

/** Inputs of generated tasks: a kind of scene with its colours is drawn once per task, and the grids from it. */
export type Scenery = (draws: Draws) => Grid;

/** Side lengths of a task's inputs; most are of medium size. */
const sizes = [
  [2, 5],
  [3, 9],
  [6, 14],
  [8, 16],
  [10, 18],
  [12, 28],
] as const;

type Kind = (sheet: Sheet, palette: readonly number[], draws: Draws) => void;

/** Draws a scenery: most tasks keep one kind of scene and few colours, some of them also one size. */
export function drawScenery(draws: Draws): Scenery {
  const kind = definite(kinds[draws.below(kinds.length)]);
  const specks = draws.below(6) === 0;
  const palette = Array.from(
    { length: draws.below(5) === 0 ? 5 + draws.below(4) : 1 + draws.below(4) },
    () => 1 + draws.below(9),
  );
  const [least, most] = definite(sizes[draws.below(sizes.length)]);
  const side = (from: Draws): number => least + from.below(most - least + 1);
  const isFixed = draws.below(2) === 0;
  const fixed = [side(draws), side(draws)] as const;
  return (own) => {
    const [width, height] = isFixed ? fixed : [side(own), side(own)];
    const sheet = new Sheet(width, height);
    kind(sheet, palette, own);
    if (specks) strew(sheet, palette, own, 2 + own.below(5));
    return { width, height, cells: sheet.cells };
  };
}

function colourFrom(palette: readonly number[], draws: Draws): number {
  return palette[draws.below(palette.length)] ?? 0;
}

function strew(sheet: Sheet, palette: readonly number[], draws: Draws, count: number): void {
  for (let i = 0; i < count; i++)
    sheet.set(draws.below(sheet.width), draws.below(sheet.height), colourFrom(palette, draws));
}

/** Rectangles, full or hollow, perhaps with a cell of another colour inside. */
function rectangles(sheet: Sheet, palette: readonly number[], draws: Draws): void {
  for (let count = 1 + draws.below(5); count > 0; count--) {
    const [x, y] = [draws.below(sheet.width), draws.below(sheet.height)];
    const [wide, high] = [1 + draws.below(6), 1 + draws.below(6)];
    const colour = colourFrom(palette, draws);
    const isHollow = draws.below(3) === 0;
    for (let dy = 0; dy < high; dy++)
      for (let dx = 0; dx < wide; dx++)
        if (!isHollow || dx === 0 || dy === 0 || dx === wide - 1 || dy === high - 1)
          sheet.set(x + dx, y + dy, colour);
    if (draws.below(3) === 0)
      sheet.set(x + draws.below(wide), y + draws.below(high), colourFrom(palette, draws));
  }
}

/** Connected shapes, each of one colour, seldom touching. */
function shapes(sheet: Sheet, palette: readonly number[], draws: Draws): void {
  for (let count = 1 + draws.below(5); count > 0; count--) {
    let [x, y] = [draws.below(sheet.width), draws.below(sheet.height)];
    if (sheet.get(x, y) !== 0) continue;
    const colour = colourFrom(palette, draws);
    const hasCorners = draws.below(3) === 0;
    for (let cells = 2 + draws.below(9); cells > 0; cells--) {
      sheet.set(x, y, colour);
      const way = draws.below(hasCorners ? 8 : 4);
      const [dx, dy] = definite(ways[way]);
      const isInside = x + dx >= 0 && y + dy >= 0 && x + dx < sheet.width && y + dy < sheet.height;
      if (isInside && draws.below(4) > 0) [x, y] = [x + dx, y + dy];
    }
  }
}

const ways = [
  [1, 0],
  [-1, 0],
  [0, 1],
  [0, -1],
  [1, 1],
  [-1, 1],
  [1, -1],
  [-1, -1],
] as const;

function lonely(sheet: Sheet, palette: readonly number[], draws: Draws): void {
  strew(sheet, palette, draws, 1 + draws.below(6));
}

/** Lines from edge to edge or between two places, and specks. */
function lines(sheet: Sheet, palette: readonly number[], draws: Draws): void {
  for (let count = 1 + draws.below(3); count > 0; count--) {
    const colour = colourFrom(palette, draws);
    const isAcross = draws.below(2) === 0;
    const length = isAcross ? sheet.width : sheet.height;
    const at = draws.below(isAcross ? sheet.height : sheet.width);
    const [from, to] = draws.below(2) === 0 ? [0, length] : [draws.below(length), draws.below(length) + 1];
    for (let i = from; i < to; i++) sheet.set(isAcross ? i : at, isAcross ? at : i, colour);
  }
  strew(sheet, palette, draws, draws.below(5));
}

/** Every cell filled by chance, more or less densely. */
function dense(sheet: Sheet, palette: readonly number[], draws: Draws): void {
  const empty = draws.below(4);
  for (let i = 0; i < sheet.cells.length; i++)
    sheet.cells[i] = draws.below(4) < empty ? 0 : colourFrom(palette, draws);
}

/** Parts of one size, filled by chance or with shapes, with lines of one colour between them. */
function panels(sheet: Sheet, palette: readonly number[], draws: Draws): void {
  const content = draws.below(2) === 0 ? dense : shapes;
  content(sheet, palette, draws);
  const wall = 1 + draws.below(9);
  const [across, down] = [1 + draws.below(3), 1 + draws.below(3)];
  const [wide, high] = [Math.floor(sheet.width / across), Math.floor(sheet.height / down)];
  for (let k = 1; k < across; k++) for (let y = 0; y < sheet.height; y++) sheet.set(k * wide, y, wall);
  for (let k = 1; k < down; k++) for (let x = 0; x < sheet.width; x++) sheet.set(x, k * high, wall);
}

/** A picture that repeats, with a hole or a patch in one colour. */
function periodic(sheet: Sheet, palette: readonly number[], draws: Draws): void {
  const most = draws.below(2) === 0 ? 4 : 8;
  const [wide, high] = [1 + draws.below(most), 1 + draws.below(most)];
  const tile = new Sheet(wide, high);
  dense(tile, palette, draws);
  for (let y = 0; y < sheet.height; y++)
    for (let x = 0; x < sheet.width; x++) sheet.set(x, y, tile.get(x % wide, y % high));
  cover(sheet, draws);
}

/** A picture that is its own mirror image, across, both ways or also along the diagonal, perhaps with a patch. */
function symmetric(sheet: Sheet, palette: readonly number[], draws: Draws): void {
  const original = new Sheet(sheet.width, sheet.height);
  (draws.below(2) === 0 ? dense : shapes)(original, palette, draws);
  const { width, height } = sheet;
  const both = draws.below(3) > 0;
  const isDiagonal = both && draws.below(2) === 0;
  // some pictures extend beyond the edge, so that the axis is not in the middle
  const beyond = draws.below(2) === 0 ? draws.below(3) : 0;
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const fromX = Math.min(x, Math.abs(width - 1 + beyond - x));
      const fromY = both ? Math.min(y, Math.abs(height - 1 + beyond - y)) : y;
      const [a, b] = isDiagonal ? [Math.min(fromX, fromY), Math.max(fromX, fromY)] : [fromX, fromY];
      sheet.set(x, y, Math.max(0, original.get(a, b)));
    }
  cover(sheet, draws);
}

function cover(sheet: Sheet, draws: Draws): void {
  const colour = draws.below(10);
  for (let count = draws.below(4); count > 0; count--) {
    const [x, y] = [draws.below(sheet.width), draws.below(sheet.height)];
    const [wide, high] = [1 + draws.below(6), 1 + draws.below(6)];
    for (let dy = 0; dy < high; dy++) for (let dx = 0; dx < wide; dx++) sheet.set(x + dx, y + dy, colour);
  }
}

const kinds: readonly Kind[] = [
  rectangles,
  shapes,
  shapes,
  lonely,
  lines,
  dense,
  panels,
  periodic,
  symmetric,
  symmetric,
  periodic,
];
