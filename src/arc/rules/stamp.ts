import { motions, moveGrid, type Grid } from '../grid.ts';
import { distinctColours, mainColour, paintOver, withCells, type Image } from './image.ts';
import { imageToImage, type Operation, type Variant } from './operation.ts';
import { Scan } from './scan.ts';

/**
 * Stamps: an object of several colours is the pattern; where only its marks stand (its cells off its main colour), the
 * whole pattern is painted, turned and mirrored as the marks say.
 */
const originals = ['kept', 'dropped'] as const;
const turnings = ['none', 'any'] as const;
/** Which cells of a pattern mark its places: those off its main colour, those of it, or those of any one colour. */
const markings = ['off-main', 'main', 'each'] as const;
type Marking = (typeof markings)[number];

export const stampOperations: readonly Operation[] = [
  imageToImage({
    name: 'stamp',
    summary:
      'paints every object of several colours wherever its marks stand: its cells off the main colour, of it, or of one',
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
        stamp(source, turned === 'any', original === 'kept', marks),
  }),
];

interface Mark {
  readonly x: number;
  readonly y: number;
  readonly colour: number;
}

function stamp(source: Image, turned: boolean, keep: boolean, marking: Marking): Image | null {
  const set = new Scan(source).objects(8, false);
  const { labels } = set.found;
  const patterns = [...set.images.keys()].filter(
    (label) => distinctColours((set.images[label] as Image).cells) > 1,
  );
  if (patterns.length === 0) return null;
  const ground = Uint8Array.from(source.cells);
  if (!keep) for (const [i, label] of labels.entries()) if (patterns.includes(label)) ground[i] = 0;
  const canvas = withCells(source, ground);
  let stamped = false;
  for (const pattern of patterns) {
    // Its own cells are no marks of another place.
    const others = source.cells.map((cell, i) => (labels[i] === pattern ? 0 : cell));
    const image = set.images[pattern] as Image;
    for (const isMark of markColours(image, marking))
      for (const place of placesOf(withCells(source, others), image, turned, isMark)) {
        paintOver(canvas, ground, place);
        stamped = true;
      }
  }
  return stamped ? canvas : null;
}

type IsMark = (colour: number) => boolean;

/** The sets of colours that mark a pattern's places. */
function markColours(pattern: Image, marking: Marking): readonly IsMark[] {
  const main = mainColour(pattern.cells);
  if (marking === 'off-main') return [(colour) => colour !== main];
  if (marking === 'main') return [(colour) => colour === main];
  return [...new Set(pattern.cells)]
    .filter((colour) => colour !== 0)
    .map((one) => (colour) => colour === one);
}

/** Every place where all marks of the pattern stand. */
function placesOf(source: Image, pattern: Image, turned: boolean, isMark: IsMark): Image[] {
  const places: Image[] = [];
  const taken = new Set<number>();
  for (const motion of turned ? motions : motions.slice(0, 1)) {
    const moved = moveGrid(pattern, motion);
    const marks = marksOf(moved, isMark);
    const first = marks[0];
    // A single mark says nothing about how the pattern is turned.
    if (first === undefined || (turned && marks.length === 1)) return [];
    for (let i = 0; i < source.cells.length; i++) {
      if (source.cells[i] !== first.colour) continue;
      const x = (i % source.width) - first.x;
      const y = Math.floor(i / source.width) - first.y;
      if (taken.has(y * 64 + x) || !standAt(source, marks, x, y)) continue;
      taken.add(y * 64 + x);
      places.push({ x: source.x + x, y: source.y + y, ...moved });
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
