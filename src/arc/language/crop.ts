import { sameCells } from '../grid/grid.ts';
import { cropTo, filledCount, filledPart, image, type Image } from './image.ts';
import { imageToImage, alone, overChoices, variantsOver, type RuleOperation } from './operation.ts';

/** Crops, and the three compressions: to content, without empty lines, without repeated lines. */
export const cropOperations: readonly RuleOperation[] = [
  imageToImage({
    name: 'crop',
    summary: 'cut to the smallest rectangle around the filled cells',
    ...alone(),
    make: () => filledPart,
  }),
  imageToImage({
    name: 'squeeze',
    summary: 'remove empty rows and columns',
    ...alone(),
    make: () => (source) => keepLines(source, (line) => filledCount(line) > 0),
  }),
  imageToImage({
    name: 'dedupe',
    summary: 'remove rows and columns that repeat the one before',
    ...alone(),
    make: () => (source) =>
      keepLines(source, (line, before) => before === undefined || !sameCells(line, before)),
  }),
  imageToImage({
    name: 'origin',
    summary: 'move the image to the top left corner',
    ...alone(),
    make: () => (source) => image(0, 0, source.width, source.height, source.cells),
  }),
  imageToImage({
    name: 'half',
    summary: 'keep the {side} half',
    ...overChoices('side', ['left', 'right', 'top', 'bottom']),
    make: ({ side }) => {
      const across = side === 'left' || side === 'right';
      return (source) => {
        const length = across ? source.width : source.height;
        const part = length >> 1;
        return part === 0
          ? null
          : strip(source, across, side === 'left' || side === 'top' ? 0 : length - part, part);
      };
    },
  }),
  imageToImage({
    name: 'third',
    summary: 'keep the {side} third',
    parameters: {
      side: { kind: 'choice', of: ['left', 'middle-column', 'right', 'top', 'middle-row', 'bottom'] },
    },
    search: variantsOver('side', ['left', 'right', 'top', 'bottom'], 14),
    make: ({ side }) => {
      const across = side === 'left' || side === 'middle-column' || side === 'right';
      const step = side === 'left' || side === 'top' ? 0 : side === 'right' || side === 'bottom' ? 2 : 1;
      return (source) => {
        const length = across ? source.width : source.height;
        return length % 3 === 0 ? strip(source, across, (step * length) / 3, length / 3) : null;
      };
    },
  }),
];

function strip(source: Image, across: boolean, from: number, length: number): Image {
  return across
    ? cropTo(source, from, 0, length, source.height)
    : cropTo(source, 0, from, source.width, length);
}

/** Whether a row or column stays, by its own cells and those of the line before it. */
type Keeps = (line: Uint8Array, before: Uint8Array | undefined) => boolean;

function keepLines(source: Image, keeps: Keeps): Image | null {
  const rows = linesKept(source.height, (y) => rowOf(source, y), keeps);
  const columns = linesKept(source.width, (x) => columnOf(source, x), keeps);
  if (rows.length === 0 || columns.length === 0) return null;
  const cells = new Uint8Array(rows.length * columns.length);
  let at = 0;
  for (const y of rows) for (const x of columns) cells[at++] = source.cells[y * source.width + x] ?? 0;
  return image(source.x, source.y, columns.length, rows.length, cells);
}

function linesKept(count: number, lineAt: (at: number) => Uint8Array, keeps: Keeps): number[] {
  const kept: number[] = [];
  let before: Uint8Array | undefined;
  for (let at = 0; at < count; at++) {
    const line = lineAt(at);
    if (keeps(line, before)) kept.push(at);
    before = line;
  }
  return kept;
}

function rowOf({ width, cells }: Image, y: number): Uint8Array {
  return cells.subarray(y * width, (y + 1) * width);
}

function columnOf({ width, height, cells }: Image, x: number): Uint8Array {
  const column = new Uint8Array(height);
  for (let y = 0; y < height; y++) column[y] = cells[y * width + x] ?? 0;
  return column;
}
