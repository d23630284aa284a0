import { definite } from '../../core/errors.ts';
import { motions, moveGrid, sameGrid, type Grid } from '../grid/grid.ts';
import { distinctColours, mainColour, paintOver, withCells, type Image } from './image.ts';
import { enlarge } from './motion.ts';
import { imageToImage, type RuleOperation, type Variant } from './operation.ts';
import { Scan } from './scan.ts';

/**
 * Stamps: an object of several colours is the pattern. Where only its marks occur (its cells not in its main colour),
 * the whole pattern is painted, turned, mirrored or enlarged to match the marks.
 */
const originals = ['kept', 'dropped'] as const;
const turnings = ['none', 'any', 'enlarged'] as const;
type Turning = (typeof turnings)[number];
/** Scale factors for a pattern, the largest first, because small marks also occur inside large ones. */
const sizes = [4, 3, 2, 1];
/**
 * Which cells of a pattern are marks: those not in its main colour, those in it, those of any one colour, or those of
 * a smaller object, which is then an unfinished copy.
 */
const markings = ['off-main', 'main', 'each', 'part'] as const;
type Marking = (typeof markings)[number];

export const stampOperations: readonly RuleOperation[] = [
  imageToImage({
    name: 'stamp',
    summary: 'complete every copy of the pattern, marked by {marks} (turned: {turned}, original {original})',
    parameters: {
      turned: { kind: 'choice', of: turnings },
      original: { kind: 'choice', of: originals },
      marks: { kind: 'choice', of: markings },
    },
    search: turnings.flatMap((turned) =>
      originals.flatMap((original) =>
        markings.map((marks, i): Variant => ({ args: { turned, original, marks }, cost: 14 + 2 * i })),
      ),
    ),
    rootOnly: true,
    make:
      ({ turned, original, marks }) =>
      (source) =>
        stamp(source, turned, original === 'kept', marks),
  }),
];

interface Mark {
  readonly x: number;
  readonly y: number;
  readonly colour: number;
}

function stamp(source: Image, turned: Turning, keep: boolean, marking: Marking): Image | null {
  const set = new Scan(source).objects('object');
  const { labels } = set.found;
  const patterns = [...set.images.keys()].filter(
    (label) => distinctColours(definite(set.images[label]).cells) > 1,
  );
  if (patterns.length === 0) return null;
  const ground = Uint8Array.from(source.cells);
  if (!keep) for (const [i, label] of labels.entries()) if (patterns.includes(label)) ground[i] = 0;
  const canvas = withCells(source, ground);
  let stamped = false;
  for (const pattern of patterns) {
    // its own cells are not marks of another copy
    const others = source.cells.map((cell, i) => (labels[i] === pattern ? 0 : cell));
    const image = definite(set.images[pattern]);
    const places =
      marking === 'part'
        ? wholesOf(set.images, image, turned)
        : markColours(image, marking).flatMap((isMark) =>
            placesOf(withCells(source, others), image, turned, isMark),
          );
    for (const place of places) {
      paintOver(canvas, ground, place);
      stamped = true;
    }
  }
  return stamped ? canvas : null;
}

/** Paints the pattern wherever an object is part of it. */
function wholesOf(parts: readonly Image[], pattern: Image, turned: Turning): Image[] {
  const forms = formsOf(pattern, turned).filter(
    (form, i, all) => all.findIndex((other) => sameGrid(form, other)) === i,
  );
  const filled = marksOf(pattern, () => true).length;
  return parts.flatMap((part) => {
    const marks = marksOf(part, () => true);
    return marks.length < 2 || marks.length >= filled ? [] : wholeOf(part, marks, forms);
  });
}

/** Empty if the object is not part of any form, or matches in several ways. */
function wholeOf(part: Image, marks: readonly Mark[], forms: readonly Grid[]): Image[] {
  const found: Image[] = [];
  for (const form of forms) {
    const image = { ...form, x: 0, y: 0 };
    for (let y = 0; y <= form.height - part.height; y++)
      for (let x = 0; x <= form.width - part.width; x++) {
        if (!standAt(image, marks, x, y)) continue;
        if (found.length > 0) return [];
        found.push({ ...form, x: part.x - x, y: part.y - y });
      }
  }
  return found;
}

type IsMark = (colour: number) => boolean;

/** The sets of colours that mark a pattern's places. */
function markColours(pattern: Image, marking: Exclude<Marking, 'part'>): readonly IsMark[] {
  const main = mainColour(pattern.cells);
  if (marking === 'off-main') return [(colour) => colour !== main];
  if (marking === 'main') return [(colour) => colour === main];
  return [...new Set(pattern.cells)]
    .filter((colour) => colour !== 0)
    .map((one) => (colour) => colour === one);
}

/** The forms in which a pattern may be painted. */
function formsOf(pattern: Image, turned: Turning): readonly Grid[] {
  switch (turned) {
    case 'none':
      return [moveGrid(pattern, 'identity')];
    case 'any':
      return motions.map((motion) => moveGrid(pattern, motion));
    case 'enlarged':
      return sizes.flatMap((times) => (times === 1 ? pattern : enlarge(pattern, times)) ?? []);
  }
}

/** Every position where all marks of the pattern match. */
function placesOf(source: Image, pattern: Image, turned: Turning, isMark: IsMark): Image[] {
  const places: Image[] = [];
  const taken = new Set<number>();
  const open = withCells(source, source.cells.slice());
  for (const moved of formsOf(pattern, turned)) {
    const marks = marksOf(moved, isMark);
    const first = marks[0];
    // a single mark does not determine how the pattern is turned
    if (first === undefined || (turned === 'any' && marks.length === 1)) return [];
    for (let i = 0; i < source.cells.length; i++) {
      if (open.cells[i] !== first.colour) continue;
      const x = (i % source.width) - first.x;
      const y = Math.floor(i / source.width) - first.y;
      if (taken.has(y * 64 + x) || !standAt(open, marks, x, y)) continue;
      taken.add(y * 64 + x);
      places.push({ ...moved, x: source.x + x, y: source.y + y });
      // the marks of a large copy do not count for smaller ones
      if (turned === 'enlarged')
        for (const mark of marks) open.cells[(y + mark.y) * source.width + x + mark.x] = 0;
    }
  }
  return places;
}

function marksOf({ width, cells }: Grid, isMark: IsMark): Mark[] {
  const marks: Mark[] = [];
  for (const [i, colour] of cells.entries())
    if (colour !== 0 && isMark(colour)) marks.push({ x: i % width, y: Math.floor(i / width), colour });
  return marks;
}

function standAt({ width, height, cells }: Image, marks: readonly Mark[], x: number, y: number): boolean {
  return marks.every((mark) => {
    const column = x + mark.x;
    const row = y + mark.y;
    return (
      column >= 0 && row >= 0 && column < width && row < height && cells[row * width + column] === mark.colour
    );
  });
}
