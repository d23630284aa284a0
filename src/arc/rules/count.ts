import { componentSizes, holeCount, objectsIn } from '../objects.ts';
import { countColours } from '../grid.ts';
import { distinctColours, filledCount, mainColour, rectangle, type Image } from './image.ts';
import { remembered } from './remember.ts';
import { imageToImage, listToImage, type Operation, type Variant } from './operation.ts';

/** Counts become rectangles: what an image shows so many times is a bar or square that long. */
const counted = [
  'cells',
  'colours',
  'objects-4',
  'objects-8',
  'large-objects',
  'holes',
  'main-cells',
] as const;
const forms = ['row', 'column', 'square'] as const;

export const countOperations: readonly Operation[] = [
  imageToImage({
    name: 'count',
    summary: 'a bar or square as long as the count of something, in the main colour',
    parameters: { what: { kind: 'choice', of: counted }, form: { kind: 'choice', of: forms } },
    search: counted.flatMap((what) =>
      forms.map((form): Variant => ({ args: { what, form }, cost: form === 'column' ? 14 : 12 })),
    ),
    make: (args) => (source) => bar(count(source, args.what), args.form, mainColour(source.cells)),
  }),
  imageToImage({
    name: 'bars',
    summary: 'one bar a colour, as long as the colour has cells, the longest first',
    parameters: { way: { kind: 'choice', of: ['columns', 'rows'] } },
    search: ['columns', 'rows'].map((way) => ({ args: { way }, cost: 14 })),
    make:
      ({ way }) =>
      (source) =>
        bars(source, way === 'columns'),
  }),
  listToImage({
    name: 'count_list',
    summary: 'a bar or square as long as the list, in the main colour of its first image',
    parameters: { form: { kind: 'choice', of: forms } },
    search: forms.map((form) => ({ args: { form }, cost: 10 })),
    make:
      ({ form }) =>
      (sources) =>
        bar(sources.length, form, mainColour((sources[0] as Image).cells)),
  }),
];

function bar(length: number, form: string, colour: number): Image | null {
  return rectangle(0, 0, form === 'column' ? 1 : length, form === 'row' ? 1 : length, colour);
}

function bars(source: Image, upright: boolean): Image | null {
  const counts = [...countColours(source.cells).entries()]
    .filter(([colour, times]) => colour !== 0 && times > 0)
    .sort((a, b) => b[1] - a[1] || a[0] - b[0]);
  const longest = counts[0]?.[1] ?? 0;
  const frame = rectangle(0, 0, upright ? counts.length : longest, upright ? longest : counts.length, 0);
  if (frame === null) return null;
  for (const [line, [colour, times]] of counts.entries())
    for (let i = 0; i < times; i++)
      frame.cells[upright ? i * counts.length + line : line * longest + i] = colour;
  return frame;
}

export function count(source: Image, of: string): number {
  return remembered(source, of, () => counting(source, of));
}

function counting(source: Image, of: string): number {
  const { cells } = source;
  switch (of) {
    case 'cells':
      return filledCount(cells);
    case 'colours':
      return distinctColours(cells);
    case 'objects-4':
      return objectsIn(source, 'piece').count;
    case 'objects-8':
      return objectsIn(source, 'blob').count;
    case 'large-objects':
      return componentSizes(objectsIn(source, 'piece')).filter((size) => size > 1).length;
    case 'holes':
      return holeCount(source);
    default: {
      const main = mainColour(cells);
      return cells.filter((cell) => cell === main).length;
    }
  }
}
