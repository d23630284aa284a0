import { cropTo, filledPart, image, type Image } from './image.ts';
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
    make: () => (source) =>
      keepLines(
        source,
        (y) => !rowIs(source, y, 0),
        (x) => !columnIs(source, x, 0),
      ),
  }),
  imageToImage({
    name: 'dedupe',
    summary: 'remove rows and columns that repeat the one before',
    ...alone(),
    make: () => (source) =>
      keepLines(
        source,
        (y) => y === 0 || !sameRow(source, y, y - 1),
        (x) => x === 0 || !sameColumn(source, x, x - 1),
      ),
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
        if (part === 0) return null;
        const from = side === 'left' || side === 'top' ? 0 : length - part;
        return across
          ? cropTo(source, from, 0, part, source.height)
          : cropTo(source, 0, from, source.width, part);
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
        if (length < 3 || length % 3 !== 0) return null;
        const part = length / 3;
        return across
          ? cropTo(source, step * part, 0, part, source.height)
          : cropTo(source, 0, step * part, source.width, part);
      };
    },
  }),
];

function keepLines(source: Image, row: (y: number) => boolean, column: (x: number) => boolean): Image | null {
  const rows: number[] = [];
  const columns: number[] = [];
  for (let y = 0; y < source.height; y++) if (row(y)) rows.push(y);
  for (let x = 0; x < source.width; x++) if (column(x)) columns.push(x);
  if (rows.length === 0 || columns.length === 0) return null;
  const cells = new Uint8Array(rows.length * columns.length);
  let at = 0;
  for (const y of rows) for (const x of columns) cells[at++] = source.cells[y * source.width + x] ?? 0;
  return image(source.x, source.y, columns.length, rows.length, cells);
}

function rowIs({ width, cells }: Image, y: number, colour: number): boolean {
  for (let x = 0; x < width; x++) if (cells[y * width + x] !== colour) return false;
  return true;
}

function columnIs({ width, height, cells }: Image, x: number, colour: number): boolean {
  for (let y = 0; y < height; y++) if (cells[y * width + x] !== colour) return false;
  return true;
}

function sameRow({ width, cells }: Image, a: number, b: number): boolean {
  for (let x = 0; x < width; x++) if (cells[a * width + x] !== cells[b * width + x]) return false;
  return true;
}

function sameColumn({ width, height, cells }: Image, a: number, b: number): boolean {
  for (let y = 0; y < height; y++) if (cells[y * width + a] !== cells[y * width + b]) return false;
  return true;
}
