import { definite } from '../../core/errors.ts';
import { sameCells } from '../grid/grid.ts';
import { cropTo, type Image } from '../language/image.ts';
import type { Arguments } from '../language/operation.ts';
import {
  asCells,
  tileAnswers,
  tileFeature,
  tileFeaturesFor,
  tilePrice,
  tilingOf,
  turnedTile,
} from '../language/tiles.ts';
import { decide, type Column, type LearnLimits } from './decide.ts';
import { cellsPerEvaluation } from './work.ts';

/** A tiling of one of the sources that gives every training output. */
export interface TileRule {
  readonly source: number;
  readonly args: Arguments;
  readonly held: number;
  readonly cost: number;
}

/** An image for every input, training then test, and what it costs to make it. */
export interface TileSource {
  readonly images: readonly Image[];
  readonly cost: number;
}

/**
 * Learns tilings with the table learner for cells. Every tile of every output is a row. The columns are its place and the
 * cell that it represents; the answers are the ways to turn the source.
 */
export function learnTiles(
  sources: readonly TileSource[],
  targets: readonly Image[],
  limits: LearnLimits,
  most: number,
): TileRule[] {
  const rules: TileRule[] = [];
  for (const [source, { images, cost }] of sources.entries()) {
    for (const [across, down] of countsFor(images, targets)) {
      const right = rightTiles(images, targets);
      limits.work.spend((tileAnswers.length * right.length) / cellsPerEvaluation.tabled + 1);
      if (right.includes(0)) continue;
      const tilings = images.map((one) => tilingOf(one, across, down));
      const pairEnd: number[] = [];
      for (const tiling of tilings) pairEnd.push((pairEnd.at(-1) ?? 0) + tiling.across * tiling.down);
      const columns = tileFeaturesFor(across === asCells).map((name): Column => {
        const values = tilings.flatMap((tiling) =>
          Array.from({ length: tiling.across * tiling.down }, (_, i) =>
            tileFeature(tiling, name, i % tiling.across, Math.floor(i / tiling.across)),
          ),
        );
        return {
          name,
          values: Uint8Array.from(values),
          kinds: Math.max(...values) + 1,
          price: tilePrice(name),
        };
      });
      const lesson = { columns, pairEnd, trainPairs: targets.length, right, answers: tileAnswers };
      for (const decision of decide(lesson, limits, 2).decided) {
        const features = decision.columns.map(({ name }) => name);
        // a test tile whose key is not in the table has no answer
        if (decision.unknownCells > 0 || (features.length > 1 && features.includes('any'))) continue;
        const args = { across, down, features, table: decision.table };
        rules.push({ source, args, held: decision.held, cost: cost + decision.cost });
      }
    }
  }
  return rules.sort((a, b) => b.held - a.held || a.cost - b.cost || a.source - b.source).slice(0, most);
}

/** The number of copies of the source that fit into every output: the same for all, or one per cell of the source. */
function countsFor(
  images: readonly Image[],
  targets: readonly Image[],
): (readonly [across: number, down: number])[] {
  const counts = targets.map(({ width, height }, pair): readonly [number, number] => {
    const source = definite(images[pair]);
    return [width / source.width, height / source.height];
  });
  const [across, down] = definite(counts[0]);
  // every picture consists of single cells, so those are no tiling
  if (images.some(({ cells }) => cells.length < 2)) return [];
  if (counts.some(([x, y]) => !Number.isInteger(x) || !Number.isInteger(y) || x * y < 2)) return [];
  const isOwn = counts.every(([x, y], pair) => x === images[pair]?.width && y === images[pair].height);
  const isFixed = across <= 15 && down <= 15 && counts.every(([x, y]) => x === across && y === down);
  return [...(isOwn ? [[asCells, asCells] as const] : []), ...(isFixed ? [[across, down] as const] : [])];
}

/** Bit n of a tile is set if the source, turned by answer n, equals the output there. */
function rightTiles(images: readonly Image[], targets: readonly Image[]): Uint32Array {
  const right: number[] = [];
  for (const [pair, target] of targets.entries()) {
    const source = definite(images[pair]);
    const turned = tileAnswers.map((answer) => turnedTile(source, answer));
    for (let y = 0; y < target.height; y += source.height)
      for (let x = 0; x < target.width; x += source.width) {
        const { cells } = cropTo(target, x, y, source.width, source.height);
        right.push(
          turned.reduce((bits, one, n) => bits | (one !== null && sameCells(one, cells) ? 1 << n : 0), 0),
        );
      }
  }
  return Uint32Array.from(right);
}
