import { contentBox, mapped, withCells, type Image } from './image.ts';
import { imageToImage, type RuleOperation, type Variant } from './operation.ts';
import { notNull } from '../../core/errors.ts';

/**
 * Symmetry by best overlap: the axis is where the image agrees with its mirror image in the most cells, not the middle of
 * the box, so a part that is missing or covered does not move it. Or about a core: the middle of the smallest colour that is
 * symmetric by itself.
 */
const symmetries = ['across', 'upright', 'both', 'turns'] as const;
type Symmetry = (typeof symmetries)[number];
const centres = ['overlap', 'core'] as const;
/** What covers the image: the named colour, or the one whose cells form a solid rectangle. */
const covers = ['named', 'block'] as const;

/** A cell that differs from its mirror image counts as much as this many that agree. */
const conflictWeight = 3;

export const overlapOperations: readonly RuleOperation[] = [
  imageToImage({
    name: 'symmetrise',
    summary: 'add what the best symmetry asks for ({by}, about the {about}), without colour {mask} ({cover})',
    parameters: {
      by: { kind: 'choice', of: symmetries },
      about: { kind: 'choice', of: centres },
      cover: { kind: 'choice', of: covers },
      mask: { kind: 'colour', seen: 'input' },
    },
    search: symmetries.flatMap((by) => [
      ...[0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((mask): Variant => ({
        args: { by, about: 'overlap', cover: 'named', mask },
        cost: mask === 0 ? 14 : 18,
      })),
      { args: { by, about: 'overlap', cover: 'block', mask: 0 }, cost: 16 },
      { args: { by, about: 'core', cover: 'named', mask: 0 }, cost: 16 },
    ]),
    rootOnly: true,
    make:
      ({ by, about, cover, mask }) =>
      (source) => {
        const colour = cover === 'block' ? blockColour(source) : mask;
        return colour === null ? null : symmetrise(source, by, about === 'core', colour);
      },
  }),
];

function symmetrise(source: Image, by: Symmetry, aboutCore: boolean, mask: number): Image | null {
  if (mask !== 0 && !source.cells.includes(mask)) return null;
  const bare = mapped(source, (cell) => (cell === mask ? 0 : cell));
  const box = contentBox(bare);
  if (box === null) return null;
  const sums = aboutCore ? coreAxes(bare, by) : bestAxes(bare, box, by);
  if (sums === null) return null;
  const cells = Uint8Array.from(bare.cells);
  const places = filledPlaces(bare);
  for (const image of imagesUnder(by))
    for (const place of places) {
      const to = target(source, place, image, sums);
      if (to >= 0 && cells[to] === 0) cells[to] = bare.cells[place] ?? 0;
    }
  return withCells(source, cells);
}

/** The only colour whose cells fill a rectangle of at least two rows and columns; null if there is none or several. */
function blockColour(source: Image): number | null {
  const blocks = [...new Set(source.cells)].filter((colour) => {
    const own = mapped(source, (cell) => Number(cell === colour));
    const [, , width, height] = notNull(contentBox(own));
    return colour !== 0 && width > 1 && height > 1 && filledPlaces(own).length === width * height;
  });
  return blocks.length === 1 ? (blocks[0] ?? 0) : null;
}

/** Twice the centre, so that an axis may also lie between two cells. */
type Sums = readonly [x: number, y: number];
type Motion = 'flip-x' | 'flip-y' | 'half-turn' | 'quarter' | 'three-quarters';

function imagesUnder(by: Symmetry): readonly Motion[] {
  switch (by) {
    case 'across':
      return ['flip-x'];
    case 'upright':
      return ['flip-y'];
    case 'both':
      return ['flip-x', 'flip-y', 'half-turn'];
    case 'turns':
      return ['quarter', 'half-turn', 'three-quarters'];
  }
}

function target({ width, height }: Image, place: number, motion: Motion, [sumX, sumY]: Sums): number {
  const x = place % width;
  const y = Math.floor(place / width);
  const turned = motion === 'quarter' || motion === 'three-quarters';
  const sign = motion === 'quarter' ? 1 : -1;
  const toX = turned ? (sumX + sign * (sumY - 2 * y)) / 2 : motion === 'flip-y' ? x : sumX - x;
  const toY = turned ? (sumY - sign * (sumX - 2 * x)) / 2 : motion === 'flip-x' ? y : sumY - y;
  return toX < 0 || toY < 0 || toX >= width || toY >= height ? -1 : toY * width + toX;
}

function filledPlaces({ cells }: Image): number[] {
  const places: number[] = [];
  for (let place = 0; place < cells.length; place++) if (cells[place] !== 0) places.push(place);
  return places;
}

/**
 * The middle of the smallest colour whose cells are symmetric about their own middle; null if there is none, or it is
 * the only colour.
 */
function coreAxes(bare: Image, by: Symmetry): Sums | null {
  let core: { readonly sums: Sums; readonly size: number } | null = null;
  const shown = new Set(bare.cells.filter((cell) => cell !== 0));
  if (shown.size < 2) return null;
  for (const colour of shown) {
    const own = mapped(bare, (cell) => (cell === colour ? cell : 0));
    const [left, top, width, height] = notNull(contentBox(own));
    const sums: Sums = [2 * left + width - 1, 2 * top + height - 1];
    const places = filledPlaces(own);
    const isSymmetric = imagesUnder(by).every((motion) =>
      places.every((place) => own.cells[target(own, place, motion, sums)] === colour),
    );
    if (isSymmetric && (core === null || places.length < core.size)) core = { sums, size: places.length };
  }
  return core?.sums ?? null;
}

/** The centre with the best overlap, the one nearest to the middle on a tie; null if almost nothing overlaps. */
function bestAxes(bare: Image, [left, top, width, height]: readonly number[], by: Symmetry): Sums | null {
  const middle: Sums = [2 * (left ?? 0) + (width ?? 1) - 1, 2 * (top ?? 0) + (height ?? 1) - 1];
  const places = filledPlaces(bare);
  const one: Motion = by === 'turns' ? 'quarter' : by === 'upright' ? 'flip-y' : 'flip-x';
  const also: Motion | null = by === 'both' ? 'flip-y' : null;
  let best: Sums | null = null;
  let most = places.length / 4;
  for (const sumX of by === 'upright' ? [middle[0]] : around(middle[0], width ?? 1))
    for (const sumY of by === 'across' ? [middle[1]] : around(middle[1], height ?? 1)) {
      if (by === 'turns' && (sumX + sumY) % 2 !== 0) continue;
      let score = overlap(bare, places, one, [sumX, sumY], most);
      if (also !== null && score > most)
        score = Math.min(score, overlap(bare, places, also, [sumX, sumY], most));
      if (score <= most) continue;
      most = score;
      best = [sumX, sumY];
    }
  return best;
}

/** Sums near the middle first, up to a third of the side off. */
function around(middle: number, side: number): number[] {
  const reach = Math.ceil((2 * side) / 3);
  return [middle, ...Array.from({ length: reach }, (_, i) => [middle - i - 1, middle + i + 1]).flat()];
}

/** Agreeing cells minus the weighted conflicts; stops early when the result cannot exceed `least`. */
function overlap(bare: Image, places: readonly number[], motion: Motion, sums: Sums, least: number): number {
  let score = 0;
  for (const [i, place] of places.entries()) {
    if (score + places.length - i <= least) return least;
    const to = target(bare, place, motion, sums);
    const cell = to < 0 ? 0 : (bare.cells[to] ?? 0);
    if (cell !== 0) score += cell === bare.cells[place] ? 1 : -conflictWeight;
  }
  return score;
}
