import { distinctColours, image, paintOver, type Image } from './image.ts';
import { imageToImage, nonZeroColours, variantsOver, type RuleOperation } from './operation.ts';
import { Scan } from './scan.ts';

/**
 * Pastes a pattern on marks: the most colourful object is the pattern, and a copy of it is centred on every object of
 * the marks' colour, or on every other object (0).
 */

export const pasteOperations: readonly RuleOperation[] = [
  imageToImage({
    name: 'paste',
    summary: 'copy the most colourful object onto every object of colour {marks}',
    parameters: { marks: { kind: 'colour', seen: 'input' } },
    search: variantsOver('marks', [0, ...nonZeroColours], 14),
    rootOnly: true,
    make:
      ({ marks }) =>
      (source) =>
        paste(source, marks),
  }),
];

/** A grid with more objects is treated as a texture. */
const mostPlaces = 60;

function paste(source: Image, marks: number): Image | null {
  const scan = new Scan(source);
  const places = scan.objects('blob');
  const copied = patternOf(scan, marks);
  if (copied === null || places.images.length > mostPlaces) return null;
  const { labels } = scan.objects('block').found;
  const isMark = (label: number): boolean => {
    const first = places.found.labels.indexOf(label);
    return marks === 0 ? labels[first] !== copied.label : source.cells[first] === marks;
  };
  const marked = places.images.filter((_, label) => isMark(label));
  if (marked.length === 0) return null;
  const cells = source.cells.map((cell, i) => {
    if (labels[i] === copied.label) return cell;
    return marks === 0 || cell === marks ? 0 : cell;
  });
  const { width, height } = copied.image;
  for (const mark of marked) {
    const x = mark.x + Math.floor((mark.width - width) / 2);
    const y = mark.y + Math.floor((mark.height - height) / 2);
    paintOver(source, cells, { ...copied.image, x, y });
  }
  return image(source.x, source.y, source.width, source.height, cells);
}

/** The object without marks that has the most colours; null on a tie. */
function patternOf(scan: Scan, marks: number): { label: number; image: Image } | null {
  const { images } = scan.objects('block');
  const ranked = images
    .map((one, label) => ({ label, image: one, rank: distinctColours(one.cells) }))
    .filter(({ image: one }) => marks === 0 || !one.cells.includes(marks))
    .sort((a, b) => b.rank - a.rank);
  const [first, second] = ranked;
  return first === undefined || first.rank === second?.rank ? null : first;
}
