import { componentSizes, objectsIn } from '../grid/objects.ts';
import { countColours } from '../grid/grid.ts';
import { distinctColours, filledCount, mainColour, rectangle, type Image } from './image.ts';
import { remembered } from './remember.ts';
import { imageToImage, type RuleOperation, type Variant } from './operation.ts';

/** Counts as rectangles: the count is the length of a bar or of a square's side. */
const counted = ['cells', 'colours', 'objects-4', 'objects-8', 'large-objects', 'excess'] as const;
const forms = ['row', 'column', 'square'] as const;

export const countOperations: readonly RuleOperation[] = [
  imageToImage({
    name: 'count',
    summary: 'draw a {form} as long as the number of {what}, in the main colour',
    parameters: { what: { kind: 'choice', of: counted }, form: { kind: 'choice', of: forms } },
    search: counted.flatMap((what) =>
      forms.map((form): Variant => ({ args: { what, form }, cost: form === 'column' ? 14 : 12 })),
    ),
    make: (args) => (source) => bar(count(source, args.what), args.form, mainColour(source.cells)),
  }),
  imageToImage({
    name: 'bars',
    summary: 'draw one bar for each colour ({way}), as long as its number of {counting}, the longest first',
    parameters: {
      way: { kind: 'choice', of: ['columns', 'rows'] },
      counting: { kind: 'choice', of: ['cells', 'objects'] },
    },
    search: ['cells', 'objects'].flatMap((counting) =>
      ['columns', 'rows'].map((way): Variant => ({ args: { way, counting }, cost: 14 })),
    ),
    make:
      ({ way, counting }) =>
      (source) =>
        bars(tallied(source, counting === 'cells'), way === 'columns'),
  }),
];

function bar(length: number, form: string, colour: number): Image | null {
  return rectangle(0, 0, form === 'column' ? 1 : length, form === 'row' ? 1 : length, colour);
}

/** The number of cells or objects of each colour. */
function tallied(source: Image, isCells: boolean): Uint32Array {
  if (isCells) return countColours(source.cells);
  const { count: objects, labels } = objectsIn(source, 'blob');
  return countColours(
    Uint8Array.from({ length: objects }, (_, label) => source.cells[labels.indexOf(label)] ?? 0),
  );
}

function bars(tally: Uint32Array, upright: boolean): Image | null {
  const counts = [...tally.entries()]
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

function count(source: Image, of: string): number {
  return remembered(source, of, () => countNow(source, of));
}

function countNow(source: Image, of: string): number {
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
    default: {
      const [first = 0, second = 0] = countColours(cells).slice(1).toSorted().toReversed();
      return first - second;
    }
  }
}
