import { moveGrid, type Motion } from '../grid.ts';
import { contentBox, cropTo, mainColour, withCells, type Image } from './image.ts';
import { imageToImage, alone, overChoices, type Operation } from './operation.ts';

/** Completing and cleaning: what a symmetry adds to a shape, and what most neighbours say. */
const symmetries: Readonly<Record<string, readonly Motion[]>> = {
  across: ['flip-left-right'],
  upright: ['flip-top-bottom'],
  both: ['flip-left-right', 'flip-top-bottom', 'rotate180'],
  diagonal: ['transpose'],
  'other-diagonal': ['antitranspose'],
  turns: ['rotate90', 'rotate180', 'rotate270'],
  all: [
    'flip-left-right',
    'flip-top-bottom',
    'rotate180',
    'transpose',
    'antitranspose',
    'rotate90',
    'rotate270',
  ],
};
const names = Object.keys(symmetries);

export const completeOperations: readonly Operation[] = [
  imageToImage({
    name: 'complete',
    summary: 'adds to the filled cells what a symmetry of the box around them asks for',
    ...overChoices('by', names, 12),
    make:
      ({ by }) =>
      (source) =>
        complete(source, symmetries[by] as readonly Motion[]),
  }),
  imageToImage({
    name: 'smooth',
    summary: 'gives each cell the colour that most of its neighbours have, when five or more agree',
    ...alone(12),
    make: () => smooth,
  }),
  imageToImage({
    name: 'level',
    summary: 'gives every row, every column, or whichever of them changes less, its most frequent colour',
    ...overChoices('way', ['rows', 'columns', 'either'], 14),
    make:
      ({ way }) =>
      (source) =>
        way === 'either' ? levelEither(source) : level(source, way === 'rows'),
  }),
];

function complete(source: Image, motions: readonly Motion[]): Image | null {
  const box = contentBox(source);
  if (box === null) return null;
  const part = cropTo(source, ...box);
  const cells = part.cells.slice();
  for (const motion of motions) {
    const moved = moveGrid(part, motion);
    if (moved.width !== part.width) return null;
    for (let i = 0; i < cells.length; i++) if (cells[i] === 0) cells[i] = moved.cells[i] as number;
  }
  const out = new Uint8Array(source.cells.length);
  for (let y = 0; y < part.height; y++)
    out.set(cells.subarray(y * part.width, (y + 1) * part.width), (box[1] + y) * source.width + box[0]);
  return withCells(source, out);
}

const agreeing = 5;

function smooth(source: Image): Image {
  const { width, height, cells } = source;
  const out = cells.slice();
  const tally = new Uint8Array(10);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      tally.fill(0);
      for (let ny = Math.max(0, y - 1); ny <= Math.min(height - 1, y + 1); ny++)
        for (let nx = Math.max(0, x - 1); nx <= Math.min(width - 1, x + 1); nx++)
          if (nx !== x || ny !== y) (tally[cells[ny * width + nx] as number] as number)++;
      for (let colour = 0; colour < 10; colour++)
        if ((tally[colour] as number) >= agreeing) out[y * width + x] = colour;
    }
  }
  return withCells(source, out);
}

/** Stripes run whichever way levelling changes fewer cells. */
function levelEither(source: Image): Image {
  const [rows, columns] = [level(source, true), level(source, false)];
  const changed = ({ cells }: Image): number => cells.filter((cell, i) => cell !== source.cells[i]).length;
  return changed(columns) < changed(rows) ? columns : rows;
}

function level(source: Image, rows: boolean): Image {
  const { width, height, cells } = source;
  const out = new Uint8Array(cells.length);
  const [lines, length, start, step] = rows ? [height, width, width, 1] : [width, height, 1, width];
  const cellsOf = new Uint8Array(length);
  for (let line = 0; line < lines; line++) {
    for (let i = 0; i < length; i++) cellsOf[i] = cells[line * start + i * step] as number;
    const colour = mainColour(cellsOf);
    for (let i = 0; i < length; i++) out[line * start + i * step] = colour;
  }
  return withCells(source, out);
}
