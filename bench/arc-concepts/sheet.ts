import { motions, moveGrid, type Grid, type Motion } from '../../src/arc/grid/grid.ts';
import type { Draws } from '../../src/arc/learning/synth/draws.ts';
import { Sheet as Plain } from '../../src/arc/learning/synth/sheet.ts';

/** A place and a size on a sheet. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A sheet with ways to draw on it. */
export class Sheet extends Plain {
  rect({ x, y, width, height }: Box, colour: number): this {
    for (let row = y; row < y + height; row++)
      for (let column = x; column < x + width; column++) this.set(column, row, colour);
    return this;
  }

  frame(box: Box, colour: number): this {
    const { x, y, width, height } = box;
    for (let i = 0; i < width; i++) this.set(x + i, y, colour).set(x + i, y + height - 1, colour);
    for (let i = 0; i < height; i++) this.set(x, y + i, colour).set(x + width - 1, y + i, colour);
    return this;
  }

  /** The filled cells of another sheet, at a place, in their own colours or in one. */
  paste(other: Sheet, x: number, y: number, colour?: number): this {
    for (const [i, cell] of other.cells.entries())
      if (cell !== 0) this.set(x + (i % other.width), y + Math.floor(i / other.width), colour ?? cell);
    return this;
  }

  crop({ x, y, width, height }: Box): Sheet {
    const part = new Sheet(width, height);
    for (let i = 0; i < part.cells.length; i++)
      part.cells[i] = Math.max(0, this.get(x + (i % width), y + Math.floor(i / width)));
    return part;
  }

  copy(): Sheet {
    return this.crop({ x: 0, y: 0, width: this.width, height: this.height });
  }

  /** Every cell again, from its place and colour. */
  map(colourAt: (x: number, y: number, colour: number) => number): Sheet {
    const next = new Sheet(this.width, this.height);
    for (const [i, cell] of this.cells.entries())
      next.cells[i] = colourAt(i % this.width, Math.floor(i / this.width), cell);
    return next;
  }
}

/** One generated pair; null if the draw does not show the rule. */
type MadePair = { readonly input: Grid; readonly output: Grid } | null;

/** A concept: what is fixed for a task is drawn first, then every pair from it. */
export type Concept = (task: Draws) => (pair: Draws, index: number) => MadePair;

export function between(draws: Draws, from: number, to: number): number {
  return from + draws.below(to - from + 1);
}

export function one<T>(draws: Draws, of: readonly T[]): T {
  return of[draws.below(of.length)] as T;
}

export function shuffled<T>(draws: Draws, of: readonly T[]): T[] {
  const rest = [...of];
  const order: T[] = [];
  while (rest.length > 0) order.push(...rest.splice(draws.below(rest.length), 1));
  return order;
}

/** This many different colours, none of them 0. */
export function colours(draws: Draws, count: number): number[] {
  return shuffled(draws, [1, 2, 3, 4, 5, 6, 7, 8, 9]).slice(0, count);
}

/** The four ways to a cell's neighbours. */
export const sides = [
  [1, 0],
  [-1, 0],
  [0, 1],
  [0, -1],
] as const;

interface Spacing {
  readonly gap?: number;
  readonly margin?: number;
}

type Size = readonly [width: number, height: number];

/** Sizes as text: `3x2 4x4`. */
function sizesOf(text: string): Size[] {
  return text.split(' ').map((size) => size.split('x').map(Number) as [number, number]);
}

/** Places for things of these sizes, so far apart from each other and from the edge; fewer where there is no room. */
export function places(
  draws: Draws,
  on: Sheet,
  sizes: readonly Size[] | string,
  { gap = 1, margin = 0 }: Spacing = {},
): Box[] {
  const taken: Box[] = [];
  for (const [width, height] of typeof sizes === 'string' ? sizesOf(sizes) : sizes)
    for (let tries = 0; tries < 60; tries++) {
      const room = [on.width - width - 2 * margin, on.height - height - 2 * margin] as const;
      if (room[0] < 0 || room[1] < 0) break;
      const box = {
        x: margin + draws.below(room[0] + 1),
        y: margin + draws.below(room[1] + 1),
        width,
        height,
      };
      if (taken.some((other) => near(box, other, gap))) continue;
      taken.push(box);
      break;
    }
  return taken;
}

export function blank(draws: Draws, from: number, to: number): Sheet {
  return new Sheet(between(draws, from, to), between(draws, from, to));
}

/** A sheet with these objects on it, and where they lie; null where there is no room for all. */
export function scene(
  draws: Draws,
  side: readonly [from: number, to: number],
  objects: readonly Sheet[],
  spacing?: Spacing,
): { readonly sheet: Sheet; readonly boxes: readonly Box[] } | null {
  const sheet = blank(draws, ...side);
  const boxes = places(
    draws,
    sheet,
    objects.map(({ width, height }) => [width, height]),
    spacing,
  );
  if (boxes.length < objects.length) return null;
  for (const [i, { x, y }] of boxes.entries()) sheet.paste(objects[i] as Sheet, x, y);
  return { sheet, boxes };
}

/** Objects on an empty sheet, and the same objects treated; null drops an object. */
export function treated(
  side: readonly [from: number, to: number],
  make: (draws: Draws, index: number) => readonly Sheet[] | null,
  treat: (object: Sheet, all: readonly Sheet[], index: number) => Sheet | null,
  spacing?: Spacing,
): ReturnType<Concept> {
  return (draws, index) => {
    const objects = make(draws, index);
    const drawn = objects === null ? null : scene(draws, side, objects, spacing);
    if (objects === null || drawn === null) return null;
    const output = new Sheet(drawn.sheet.width, drawn.sheet.height);
    for (const [i, { x, y }] of drawn.boxes.entries()) {
      const after = treat(objects[i] as Sheet, objects, i);
      if (after !== null) output.paste(after, x, y);
    }
    return { input: drawn.sheet, output };
  };
}

function near(a: Box, b: Box, gap: number): boolean {
  return (
    a.x < b.x + b.width + gap &&
    b.x < a.x + a.width + gap &&
    a.y < b.y + b.height + gap &&
    b.y < a.y + a.height + gap
  );
}

/** A shape whose cells hang together at their sides and which fills its box. */
export function shape(draws: Draws, width: number, height: number, colour: number): Sheet {
  for (;;) {
    const sheet = new Sheet(width, height);
    let [x, y] = [draws.below(width), draws.below(height)];
    const steps = Math.ceil(width * height * 1.6);
    for (let i = 0; i < steps; i++) {
      sheet.set(x, y, colour);
      const [dx, dy] = one(draws, [
        [1, 0],
        [-1, 0],
        [0, 1],
        [0, -1],
      ] as const);
      if (sheet.has(x + dx, y + dy)) [x, y] = [x + dx, y + dy];
    }
    const fills = (from: number, step: number, count: number): boolean =>
      Array.from({ length: count }, (_, i) => sheet.cells[from + i * step]).some((cell) => cell !== 0);
    if (
      fills(0, 1, width) &&
      fills((height - 1) * width, 1, width) &&
      fills(0, width, height) &&
      fills(width - 1, width, height)
    )
      return sheet;
  }
}

/** This many shapes, no two of them alike however turned. */
export function shapes(draws: Draws, count: number, width: number, height: number, colour: number): Sheet[] {
  const found = new Map<string, Sheet>();
  while (found.size < count) {
    const next = shape(draws, width, height, colour);
    found.set(turnedKey(next), next);
  }
  return [...found.values()];
}

function turnedKey(sheet: Sheet): string {
  const keys = motions.map((motion) => {
    const { width, cells } = moveGrid(sheet, motion);
    return `${width}:${cells.join('')}`;
  });
  return keys.sort()[0] as string;
}

export function painted(sheet: Sheet, colour: number): Sheet {
  return sheet.map((_x, _y, cell) => (cell === 0 ? 0 : colour));
}

export function enlarged(sheet: Sheet, times: number): Sheet {
  return new Sheet(sheet.width * times, sheet.height * times).map((x, y) =>
    sheet.get(Math.floor(x / times), Math.floor(y / times)),
  );
}

/** A sheet turned or mirrored in a way drawn by chance. */
export function turnedBy(sheet: Sheet, motion: Motion): Sheet {
  const { width, height, cells } = moveGrid(sheet, motion);
  return new Sheet(width, height).map((x, y) => cells[y * width + x] as number);
}

/** A box enlarged on every side. */
export function wider({ x, y, width, height }: Box, by = 1): Box {
  return { x: x - by, y: y - by, width: width + 2 * by, height: height + 2 * by };
}

export type Cell = readonly [x: number, y: number];

/** The positions of all cells, row by row. */
export function cellsOf({ width, height }: Sheet): Cell[] {
  return Array.from({ length: width * height }, (_, i) => [i % width, Math.floor(i / width)] as const);
}

export function covers(box: Box, x: number, y: number): boolean {
  return x >= box.x && y >= box.y && x < box.x + box.width && y < box.y + box.height;
}

export function countOf(sheet: Sheet): number {
  return sheet.cells.filter((cell) => cell !== 0).length;
}

/** Places cells at random on empty positions without filled neighbours. */
export function strew(draws: Draws, on: Sheet, colour: number, count: number): (readonly [number, number])[] {
  const strewn: (readonly [number, number])[] = [];
  for (let tries = 0; tries < 200 && strewn.length < count; tries++) {
    const [x, y] = [draws.below(on.width), draws.below(on.height)];
    let free = true;
    for (let dy = -1; dy <= 1; dy++)
      for (let dx = -1; dx <= 1; dx++) if (on.get(x + dx, y + dy) > 0) free = false;
    if (!free) continue;
    on.set(x, y, colour);
    strewn.push([x, y]);
  }
  return strewn;
}

/** A path of this many cells that never touches itself; null if it gets stuck. */
export function snake(draws: Draws, on: Sheet, length: number): (readonly [number, number])[] | null {
  const path: (readonly [number, number])[] = [[draws.below(on.width), draws.below(on.height)]];
  let way = one(draws, sides);
  while (path.length < length) {
    const [x, y] = path.at(-1) as readonly [number, number];
    const ways = draws.below(3) === 0 ? shuffled(draws, sides) : [way, ...shuffled(draws, sides)];
    const free = ways.find(([dx, dy]) => {
      const beside = path.filter(([a, b]) => Math.abs(a - x - dx) + Math.abs(b - y - dy) <= 1);
      return on.has(x + dx, y + dy) && beside.length === 1;
    });
    if (free === undefined) return null;
    way = free;
    path.push([x + way[0], y + way[1]]);
  }
  return path;
}
