import { distinctColours, image, mainColour, paintOver, type Image } from './image.ts';
import { imageToImage, nonZeroColours, type RuleOperation } from './operation.ts';
import { Scan } from './scan.ts';

/**
 * Patterns pasted on marks: one object is the pattern, and every object of the marks' colour, or every other object (0), is
 * covered by a copy of it, middle on middle. A copy keeps its colours, or takes the mark's where the pattern has its main one.
 */
const patterns = ['colourful', 'largest'] as const;
const originals = ['kept', 'dropped'] as const;
const paints = ['own', 'mark'] as const;

export const pasteOperations: readonly RuleOperation[] = [
  imageToImage({
    name: 'paste',
    summary:
      'puts a copy of one object, the most colourful or the largest, on every object of a colour, or on every other (0)',
    parameters: {
      pattern: { kind: 'choice', of: patterns },
      marks: { kind: 'colour', seen: 'input' },
      original: { kind: 'choice', of: originals },
      paint: { kind: 'choice', of: paints },
    },
    search: patterns.flatMap((pattern) =>
      [0, ...nonZeroColours].flatMap((marks) =>
        originals.flatMap((original) =>
          paints.map((paint) => ({
            args: { pattern, marks, original, paint },
            cost: paint === 'own' ? 14 : 17,
          })),
        ),
      ),
    ),
    rootOnly: true,
    make: (args) => (source) => paste(source, args),
  }),
];

/** With more objects the grid is a texture. */
const mostPlaces = 60;

interface Pasting {
  readonly pattern: (typeof patterns)[number];
  readonly marks: number;
  readonly original: (typeof originals)[number];
  readonly paint: (typeof paints)[number];
}

function paste(source: Image, { pattern, marks, original, paint }: Pasting): Image | null {
  const scan = new Scan(source);
  const places = scan.objects('blob');
  const copied = patternOf(scan, pattern, marks);
  if (copied === null || places.images.length > mostPlaces) return null;
  const { labels } = scan.objects('block').found;
  const isMark = (label: number): boolean => {
    const first = places.found.labels.indexOf(label);
    return marks === 0 ? labels[first] !== copied.label : source.cells[first] === marks;
  };
  const marked = places.images.filter((_, label) => isMark(label));
  if (marked.length === 0) return null;
  const cells = source.cells.map((cell, i) => {
    if (labels[i] === copied.label) return original === 'dropped' ? 0 : cell;
    return marks === 0 || cell === marks ? 0 : cell;
  });
  const main = mainColour(copied.image.cells);
  const { width, height } = copied.image;
  for (const mark of marked) {
    const colour = mainColour(mark.cells);
    const painted =
      paint === 'own'
        ? copied.image.cells
        : copied.image.cells.map((cell) => (cell === main ? colour : cell));
    const x = mark.x + Math.floor((mark.width - width) / 2);
    const y = mark.y + Math.floor((mark.height - height) / 2);
    paintOver(source, cells, image(x, y, width, height, painted));
  }
  return image(source.x, source.y, source.width, source.height, cells);
}

/** The one object without marks that has the most colours, or the most cells; null when several have. */
function patternOf(
  scan: Scan,
  by: Pasting['pattern'],
  marks: number,
): { label: number; image: Image } | null {
  const { images, sizes } = scan.objects('block');
  const ranked = images
    .map((one, label) => ({
      label,
      image: one,
      rank: by === 'largest' ? (sizes[label] ?? 0) : distinctColours(one.cells),
    }))
    .filter(({ image: one }) => marks === 0 || !one.cells.includes(marks))
    .sort((a, b) => b.rank - a.rank);
  const [first, second] = ranked;
  return first === undefined || first.rank === second?.rank ? null : first;
}
