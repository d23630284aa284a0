import { definite } from '../../core/errors.ts';
import { moveGrid, type Motion } from '../grid/grid.ts';
import { contentBox, cropTo, mainColour, withCells, type Image } from './image.ts';
import { imageToImage, alone, overChoices, type RuleOperation } from './operation.ts';

/** Completion and cleaning: adds what a symmetry requires, or makes lines uniform. */
const symmetries: Readonly<Record<string, readonly Motion[]>> = {
  across: ['flip-left-right'],
  upright: ['flip-top-bottom'],
  both: ['flip-left-right', 'flip-top-bottom', 'rotate180'],
  diagonal: ['transpose'],
  'other-diagonal': ['antitranspose'],
  turns: ['rotate90', 'rotate180', 'rotate270'],
};
const names = Object.keys(symmetries);

export const completeOperations: readonly RuleOperation[] = [
  imageToImage({
    name: 'complete',
    summary: 'add what a symmetry asks for ({by})',
    ...overChoices('by', names, 12),
    make:
      ({ by }) =>
      (source) =>
        complete(source, definite(symmetries[by])),
  }),
  imageToImage({
    name: 'level',
    summary: 'give every row, or every column, its most frequent colour',
    ...alone(14),
    make: () => levelled,
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
    for (let i = 0; i < cells.length; i++) if (cells[i] === 0) cells[i] = moved.cells[i] ?? 0;
  }
  const out = new Uint8Array(source.cells.length);
  for (let y = 0; y < part.height; y++)
    out.set(cells.subarray(y * part.width, (y + 1) * part.width), (box[1] + y) * source.width + box[0]);
  return withCells(source, out);
}

/** Chooses the direction of stripes that changes fewer cells. */
function levelled(source: Image): Image {
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
    for (let i = 0; i < length; i++) cellsOf[i] = cells[line * start + i * step] ?? 0;
    const colour = mainColour(cellsOf);
    for (let i = 0; i < length; i++) out[line * start + i * step] = colour;
  }
  return withCells(source, out);
}
