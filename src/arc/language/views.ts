import { componentSizes, objectsIn } from '../grid/objects.ts';
import { findWalls } from '../grid/facts/panels.ts';
import { countColours, type Motion } from '../grid/grid.ts';
import { mainGround, type GridGround } from '../grid/ground.ts';
import { mapped, withCells, type Image } from './image.ts';
import { turned } from './motion.ts';
import { imageToImage, type ArgumentsOf, type Parameters, type RuleOperation } from './operation.ts';

/** The motions that bring another corner to the top left. */
export const flips = ['flip-left-right', 'flip-top-bottom', 'rotate180'] as const satisfies readonly Motion[];

/**
 * Views bring an input into a common form and map the answer back: colours become roles, directions become one
 * direction, walls are removed. Both mappings are derived from the task's input, so a program can use a view without
 * naming colours.
 */
const grounds = ['black', 'main'] as const satisfies readonly GridGround[];
const orders = ['count', 'rare', 'solid', 'first'] as const;
const roleParameters = {
  keep: { kind: 'colours' },
  by: { kind: 'choice', of: orders },
  ground: { kind: 'choice', of: grounds },
} as const;
/** Read off the input: wide, or with its filled cells towards a side or a corner; and three that are the same for every input. */
const orientations = ['wide', 'mass', 'mass-across', 'transpose', ...flips] as const;
const orientParameters = { by: { kind: 'choice', of: orientations } } as const;

/** A view takes two steps, in and back. */
const viewPrice = 2;

type Through<P extends Parameters> = (args: ArgumentsOf<P>) => (source: Image, input: Image) => Image;

/** The step into a view and the step back, which is named after it. */
function view<const P extends Parameters>(
  name: string,
  [into, back]: readonly [into: string, back: string],
  parameters: P,
  [go, comeBack]: readonly [Through<P>, Through<P>],
): readonly RuleOperation[] {
  const step = (own: string, summary: string, through: Through<P>): RuleOperation =>
    imageToImage({
      name: own,
      summary,
      parameters,
      search: [],
      price: () => viewPrice,
      make: (args) => {
        const look = through(args);
        return (source, { input }) => look(source, input);
      },
    });
  return [step(name, into, go), step(`un${name}`, back, comeBack)];
}

export const viewOperations: readonly RuleOperation[] = [
  ...view('roles', ['rename the colours by rank ({by})', 'restore the original colours'], roleParameters, [
    (args) => (source, input) => {
      const roleOf = roles(input, args);
      return mapped(source, (cell) => roleOf[cell] ?? 0);
    },
    (args) => (source, input) => {
      const roleOf = roles(input, args);
      return mapped(source, (cell) => roleOf.indexOf(cell));
    },
  ]),
  ...view('walls', ['drop the separator lines', 'restore the separator lines'], {}, [
    () => (source, input) => onWalls(source, input, () => 0),
    () => (source, input) => onWalls(source, input, (place) => input.cells[place] ?? 0),
  ]),
  ...view('orient', ['turn the image ({by})', 'turn it back'], orientParameters, [
    ({ by }) =>
      (source, input) =>
        turned(source, orientation(input, by)),
    ({ by }) =>
      (source, input) =>
        turned(source, inverse(orientation(input, by))),
  ]),
];

/** Repaints the separator lines of the input; an image of another size is unchanged. */
function onWalls(source: Image, input: Image, colourAt: (place: number) => number): Image {
  const walls = findWalls(input);
  const { width, height } = input;
  if (walls === null || source.width !== width || source.height !== height) return source;
  const cells = source.cells.slice();
  for (const y of walls.rows) for (let x = 0; x < width; x++) cells[y * width + x] = colourAt(y * width + x);
  for (const x of walls.columns)
    for (let y = 0; y < height; y++) cells[y * width + x] = colourAt(y * width + x);
  return withCells(source, cells);
}

/** The role of each colour: a permutation of 0 to 9. */
function roles(input: Image, { keep, by, ground: seen }: ArgumentsOf<typeof roleParameters>): number[] {
  const counts = countColours(input.cells);
  const ground = seen === 'main' ? mainGround(input) : 0;
  const weight = colourWeights(input, by, counts);
  const fixed = keep.filter((colour) => colour !== ground && colour !== 0);
  const free = Array.from({ length: 10 }, (_, colour) => colour).filter(
    (colour) => colour !== ground && !fixed.includes(colour),
  );
  const present = free
    .filter((colour) => (counts[colour] ?? 0) > 0)
    .sort((a, b) => (weight[b] ?? 0) - (weight[a] ?? 0) || a - b);
  const absent = free.filter((colour) => counts[colour] === 0);
  const names = Array.from({ length: 9 }, (_, i) => i + 1).filter((name) => !fixed.includes(name));
  const roleOf = Array.from({ length: 10 }, () => 0);
  for (const colour of fixed) roleOf[colour] = colour;
  for (const [i, colour] of [...present, ...absent].entries()) roleOf[colour] = names[i] ?? 0;
  return roleOf;
}

function colourWeights(input: Image, by: string, counts: Uint32Array): number[] {
  switch (by) {
    case 'count':
      return Array.from(counts);
    case 'rare':
      return Array.from(counts, (count) => -count);
    case 'first':
      return Array.from(counts, (_, colour) => -input.cells.indexOf(colour));
    default: {
      const largest = Array.from(counts, () => 0);
      const found = objectsIn(input, 'blob', -1);
      const sizes = componentSizes(found);
      for (const [i, label] of found.labels.entries()) {
        const colour = input.cells[i] ?? 0;
        largest[colour] = Math.max(largest[colour] ?? 0, sizes[label] ?? 0);
      }
      return largest.map((size, colour) => size / Math.max(1, counts[colour] ?? 0));
    }
  }
}

/** The motion that gives the input a common direction. */
function orientation(input: Image, by: (typeof orientations)[number]): Motion {
  if (by === 'wide') return isUpright(input) ? 'transpose' : 'identity';
  if (by !== 'mass' && by !== 'mass-across') return by;
  const [offX, offY] = lean(input);
  // to the left, from the side with the most mass; then, also for `mass`, to the top left
  if (by === 'mass-across' && Math.abs(offY) > Math.abs(offX)) {
    if (offY > 0) return offX > 0 ? 'antitranspose' : 'rotate90';
    return offX > 0 ? 'rotate270' : 'transpose';
  }
  if (offX > 0) return offY > 0 ? 'rotate180' : 'flip-left-right';
  return offY > 0 ? 'flip-top-bottom' : 'identity';
}

/** Higher than wide; a square image counts as upright if more horizontal neighbours than vertical ones are equal. */
function isUpright({ width, height, cells }: Image): boolean {
  if (width !== height) return width < height;
  let alike = 0;
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const cell = cells[y * width + x];
      if (x > 0 && cells[y * width + x - 1] === cell) alike++;
      if (y > 0 && cells[(y - 1) * width + x] === cell) alike--;
    }
  return alike > 0;
}

/** The offset of the centre of the filled cells from the centre of the image. */
function lean({ width, height, cells }: Image): [x: number, y: number] {
  let sumX = 0;
  let sumY = 0;
  let count = 0;
  for (let i = 0; i < cells.length; i++) {
    if (cells[i] === 0) continue;
    sumX += i % width;
    sumY += Math.floor(i / width);
    count++;
  }
  return [(2 * sumX) / Math.max(1, count) - (width - 1), (2 * sumY) / Math.max(1, count) - (height - 1)];
}

function inverse(motion: Motion): Motion {
  return motion === 'rotate90' ? 'rotate270' : motion === 'rotate270' ? 'rotate90' : motion;
}
