import * as fc from 'fast-check';
import { gridFromRows, type Grid } from '../../src/arc/grid/grid.ts';
import { image, type Image } from '../../src/arc/language/image.ts';

/** Grids of up to `side` rows and columns, with few colours so that objects and repetitions occur. */
export function grids(side = 8, colours = 4): fc.Arbitrary<Grid> {
  return fc
    .tuple(fc.integer({ min: 1, max: side }), fc.integer({ min: 1, max: side }))
    .chain(([width, height]) =>
      fc
        .array(fc.integer({ min: 0, max: colours - 1 }), {
          minLength: width * height,
          maxLength: width * height,
        })
        .map((cells): Grid => ({ width, height, cells: Uint8Array.from(cells) })),
    );
}

/** A permutation of the ten colours, black staying black when `keepBlack`. */
export function colourPermutations(keepBlack: boolean): fc.Arbitrary<number[]> {
  const moving = keepBlack ? [1, 2, 3, 4, 5, 6, 7, 8, 9] : [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
  return fc
    .shuffledSubarray(moving, { minLength: moving.length })
    .map((shuffled) => (keepBlack ? [0].concat(shuffled) : shuffled));
}

/** Rows written as digits, one string per row: `pic('010', '111')`. */
export function pic(...rows: string[]): Grid {
  return gridFromRows(rows.map((row) => Array.from(row, Number)));
}

export function picture(...rows: string[]): Image {
  const { width, height, cells } = pic(...rows);
  return image(0, 0, width, height, cells);
}

/** The rows of an image or grid as digits, to compare at a glance. */
export function digits({
  width,
  height,
  cells,
}: {
  width: number;
  height: number;
  cells: Uint8Array;
}): string[] {
  return Array.from({ length: height }, (_, y) => cells.subarray(y * width, (y + 1) * width).join(''));
}
