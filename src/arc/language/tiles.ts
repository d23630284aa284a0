import { definite } from '../../core/errors.ts';
import { motions, moveGrid } from '../grid/grid.ts';
import { fits, image, mainColour, paintOver, rareColour, type Image } from './image.ts';
import { imageToImage, type Answers, type RuleOperation, type Table } from './operation.ts';
import { entriesPrice } from './tables.ts';

/**
 * Learned tilings: copies of an image side by side, in a given number or one per cell. A table decides, by a copy's
 * position or by its cell, how the copy is turned, or that its place stays empty.
 */
interface Tiling {
  readonly source: Image;
  readonly across: number;
  readonly down: number;
}

type TileFeature = (tiling: Tiling, x: number, y: number) => number;

function colourAt({ source: { width, height, cells } }: Tiling, x: number, y: number): number {
  return cells[(y % height) * width + (x % width)] ?? 0;
}

function isAlike(values: readonly number[]): number {
  return Number(values.every((value) => value === values[0]));
}

/** By the cell of a copy: only if there is a copy for every cell. */
const cellFeatures: Readonly<Record<string, TileFeature>> = {
  cell: colourAt,
  filled: (tiling, x, y) => Number(colourAt(tiling, x, y) !== 0),
  main: (tiling, x, y) => Number(colourAt(tiling, x, y) === mainColour(tiling.source.cells)),
  rare: (tiling, x, y) => Number(colourAt(tiling, x, y) === rareColour(tiling.source.cells)),
  'row-alike': (tiling, _, y) =>
    isAlike(Array.from({ length: tiling.across }, (_cell, x) => colourAt(tiling, x, y))),
  'column-alike': (tiling, x) =>
    isAlike(Array.from({ length: tiling.down }, (_cell, y) => colourAt(tiling, x, y))),
};

const placeFeatures: Readonly<Record<string, TileFeature>> = {
  any: () => 0,
  'column-odd': (_, x) => x & 1,
  'row-odd': (_, _x, y) => y & 1,
  checker: (_, x, y) => (x + y) & 1,
  ring: ({ across, down }, x, y) => Math.min(x, y, across - 1 - x, down - 1 - y),
  corner: ({ across, down }, x, y) => Number((x === 0 || x === across - 1) && (y === 0 || y === down - 1)),
  diagonal: ({ across }, x, y) => Number(x === y) + 2 * Number(x + y === across - 1),
  column: (_, x) => x,
  row: (_, _x, y) => y,
};

const features: Readonly<Record<string, TileFeature>> = { ...placeFeatures, ...cellFeatures };
const tileFeatureNames = Object.keys(features);

/** The features available for the tiles of a tiling. */
export function tileFeaturesFor(own: boolean): readonly string[] {
  return own ? tileFeatureNames : Object.keys(placeFeatures);
}

export function tilePrice(name: string): number {
  return name in cellFeatures ? 3 : name === 'any' ? 0 : /^(row|column)$/.test(name) ? 6 : 4;
}

const emptyTile = 'empty';
export const tileAnswers: readonly string[] = [emptyTile, ...motions];
const answers: Answers = {
  description: 'a motion or empty',
  knows: (answer) => tileAnswers.includes(answer),
};

/** One copy per column, or per row, of the image. */
export const asCells = 0;

export const tileOperations: readonly RuleOperation[] = [
  imageToImage({
    name: 'tile',
    summary:
      'lay copies side by side, {across} by {down} (0: one per cell), each turned or left out by {features} ({table})',
    parameters: {
      across: { kind: 'integer', from: 0, to: 15 },
      down: { kind: 'integer', from: 0, to: 15 },
      features: { kind: 'names', of: tileFeatureNames },
      table: { kind: 'table', keyed: 'features', answers },
    },
    search: [],
    price: (args) =>
      8 + args.features.reduce((sum, name) => sum + tilePrice(name), 0) + entriesPrice(args.table),
    make: (args) => (source) => tiled(tilingOf(source, args.across, args.down), args.features, args.table),
  }),
];

export function tilingOf(source: Image, across: number, down: number): Tiling {
  return {
    source,
    across: across === asCells ? source.width : across,
    down: down === asCells ? source.height : down,
  };
}

export function tileFeature(tiling: Tiling, name: string, x: number, y: number): number {
  return definite(features[name])(tiling, x, y);
}

/** A tile by its table value; null if a turned image would not fit. */
export function turnedTile(source: Image, answer: string): Uint8Array | null {
  if (answer === emptyTile) return new Uint8Array(source.cells.length);
  const moved = moveGrid(source, definite(motions.find((motion) => motion === answer)));
  return moved.width === source.width ? moved.cells : null;
}

function tiled(tiling: Tiling, asked: readonly string[], table: Table): Image | null {
  const { source, across, down } = tiling;
  const { width, height } = source;
  if (across * down < 2 || !fits(width * across, height * down)) return null;
  const cells = new Uint8Array(width * across * height * down);
  const whole = image(0, 0, width * across, height * down, cells);
  for (let y = 0; y < down; y++)
    for (let x = 0; x < across; x++) {
      const answer = table[asked.map((name) => tileFeature(tiling, name, x, y)).join(',')];
      const tile = answer === undefined ? null : turnedTile(source, answer);
      if (tile === null) return null;
      paintOver(whole, cells, image(x * width, y * height, width, height, tile));
    }
  return image(source.x, source.y, whole.width, whole.height, cells);
}
