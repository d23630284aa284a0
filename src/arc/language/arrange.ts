import { definite } from '../../core/errors.ts';
import { enclosed } from '../grid/objects.ts';
import {
  contentBox,
  distinctColours,
  filledCount,
  filledPart,
  fits,
  image,
  paintOver,
  type Image,
} from './image.ts';
import { listToImage, alone, overColours, type RuleOperation } from './operation.ts';

/** List → image, with placement by content: fitted together, laid on a mark, or one inside the other. */

/** Limits of a jigsaw: placements tried, and images. */
const mostPlacements = 20_000;
const mostPieces = 9;

export const arrangeOperations: readonly RuleOperation[] = [
  listToImage({
    name: 'pack',
    summary: 'fit the images together so that they cover the frame, each cell once',
    ...alone(12),
    framed: true,
    make: () => (sources, scene) => (scene.frame === null ? null : pack(sources, scene.frame)),
  }),
  listToImage({
    name: 'align',
    summary: 'lay the images over each other so that their one cell of colour {colour} falls on one place',
    ...overColours('input', 12),
    make:
      ({ colour }) =>
      (sources) =>
        align(sources, colour),
  }),
  listToImage({
    name: 'meet',
    summary: 'turn each of the four images so that their odd corners meet in the middle of a square',
    ...alone(12),
    make: () => meet,
  }),
  listToImage({
    name: 'inside_each',
    summary: 'replace every filled cell of one image by the other image, in the colour of that cell',
    ...alone(12),
    make: () => (sources) => {
      const [first, last] = sources;
      if (sources.length !== 2 || first === undefined || last === undefined) return null;
      const more = distinctColours(first.cells) - distinctColours(last.cells);
      if (more === 0) return null;
      return more < 0 ? insideEach(last, first) : insideEach(first, last);
    },
  }),
  listToImage({
    name: 'fit_inside',
    summary: 'enlarge the smaller image as far as it fits into the holes of the larger, and lay it there',
    ...alone(12),
    make: () => (sources) => {
      const [first, last] = sources;
      if (sources.length !== 2 || first === undefined || last === undefined) return null;
      return first.cells.length >= last.cells.length ? fitInside(first, last) : fitInside(last, first);
    },
  }),
];

/** Each cell of the inner image becomes a square, as large as fits into the outer image's holes. */
function fitInside(outer: Image, inner: Image): Image | null {
  const holes = contentBox({ ...outer, cells: enclosed(outer.cells, outer.width, outer.height, 4) });
  if (holes === null) return null;
  const [left, top, width, height] = holes;
  const part = filledPart(inner) ?? inner;
  const times = Math.min(Math.floor(width / part.width), Math.floor(height / part.height));
  if (times < 1) return null;
  const fromX = left + Math.floor((width - times * part.width) / 2);
  const fromY = top + Math.floor((height - times * part.height) / 2);
  const cells = outer.cells.slice();
  for (let y = 0; y < times * part.height; y++)
    for (let x = 0; x < times * part.width; x++) {
      const cell = part.cells[Math.floor(y / times) * part.width + Math.floor(x / times)] ?? 0;
      if (cell !== 0) cells[(fromY + y) * outer.width + fromX + x] = cell;
    }
  return image(outer.x, outer.y, outer.width, outer.height, cells);
}

/** Tries the pieces in order at the first uncovered cell; stops when the frame is full or the placements run out. */
function pack(sources: readonly Image[], frame: Image): Image | null {
  const { width, height } = frame;
  const pieces = sources.map((source) => filledPart(source) ?? source);
  const filled = pieces.reduce((sum, { cells }) => sum + filledCount(cells), 0);
  if (pieces.length < 2 || pieces.length > mostPieces || filled !== width * height) return null;
  const full = image(0, 0, width, height, new Uint8Array(width * height));
  const out = full.cells;
  const used = pieces.map(() => false);
  let left = mostPlacements;
  const place = (): boolean => {
    const open = out.indexOf(0);
    if (open < 0) return true;
    for (const [index, piece] of pieces.entries()) {
      if (used[index] === true || --left < 0) continue;
      const first = piece.cells.findIndex((cell) => cell !== 0);
      const x = (open % width) - (first % piece.width);
      const y = Math.floor(open / width);
      const placed = { ...piece, x, y };
      if (!isFree(full, placed)) continue;
      write(full, placed, false);
      used[index] = true;
      if (place()) return true;
      used[index] = false;
      write(full, placed, true);
    }
    return false;
  };
  return place() ? full : null;
}

function isFree({ width, height, cells: out }: Image, { x, y, ...piece }: Image): boolean {
  if (x < 0 || x + piece.width > width || y + piece.height > height) return false;
  return piece.cells.every(
    (cell, i) => cell === 0 || out[(y + Math.floor(i / piece.width)) * width + x + (i % piece.width)] === 0,
  );
}

function write({ width, cells: out }: Image, { x, y, ...piece }: Image, clear: boolean): void {
  for (const [i, cell] of piece.cells.entries())
    if (cell !== 0) out[(y + Math.floor(i / piece.width)) * width + x + (i % piece.width)] = clear ? 0 : cell;
}

function align(sources: readonly Image[], colour: number): Image | null {
  const placed: Image[] = [];
  for (const source of sources) {
    const mark = source.cells.indexOf(colour);
    if (mark < 0 || source.cells.includes(colour, mark + 1)) return null;
    placed.push({ ...source, x: -(mark % source.width), y: -Math.floor(mark / source.width) });
  }
  const left = Math.min(...placed.map(({ x }) => x));
  const top = Math.min(...placed.map(({ y }) => y));
  const width = Math.max(...placed.map((one) => one.x + one.width)) - left;
  const height = Math.max(...placed.map((one) => one.y + one.height)) - top;
  if (placed.length < 2 || !fits(width, height)) return null;
  const ground = image(left, top, width, height, new Uint8Array(width * height));
  for (const one of placed) paintOver(ground, ground.cells, one);
  return image(0, 0, width, height, ground.cells);
}

/** Finds an image's corner from its marks: one colour, or empty, that occurs at exactly one corner of each of the four. */
function meet(sources: readonly Image[]): Image | null {
  const [first] = sources;
  if (sources.length !== 4 || first === undefined) return null;
  const { width, height } = first;
  if (width < 2 || height < 2 || !fits(2 * width, 2 * height)) return null;
  if (sources.some((one) => one.width !== width || one.height !== height)) return null;
  const corners = sources.map(({ cells }) =>
    [0, width - 1, width * (height - 1), width * height - 1].map((at) => cells[at] ?? 0),
  );
  const marks = [...new Set(corners[0])].filter(
    (mark) =>
      corners.every((own) => own.indexOf(mark) >= 0 && own.indexOf(mark) === own.lastIndexOf(mark)) &&
      new Set(corners.map((own) => own.indexOf(mark))).size === 4,
  );
  const [mark] = marks;
  if (mark === undefined || marks.length > 1) return null;
  const square = image(0, 0, 2 * width, 2 * height, new Uint8Array(4 * width * height));
  for (const [i, source] of sources.entries()) {
    const corner = definite(corners[i]).indexOf(mark);
    paintOver(square, square.cells, {
      ...source,
      x: corner % 2 === 0 ? width : 0,
      y: corner < 2 ? height : 0,
    });
  }
  return square;
}

function insideEach(outer: Image, pattern: Image): Image | null {
  const width = outer.width * pattern.width;
  const height = outer.height * pattern.height;
  if (!fits(width, height)) return null;
  const cells = new Uint8Array(width * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const inner = pattern.cells[(y % pattern.height) * pattern.width + (x % pattern.width)] ?? 0;
      const place = Math.floor(y / pattern.height) * outer.width + Math.floor(x / pattern.width);
      if (inner !== 0) cells[y * width + x] = outer.cells[place] ?? 0;
    }
  return image(outer.x, outer.y, width, height, cells);
}
