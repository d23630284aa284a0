import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { moveGrid, motions, recolourGrid, sameCells, type Grid } from '../../../src/arc/grid/grid.ts';
import { askable, featureColumn, featureNames } from '../../../src/arc/language/features/features.ts';
import { image } from '../../../src/arc/language/image.ts';
import { Scan } from '../../../src/arc/language/scan.ts';
import { colourPermutations, digits, grids, pic } from '../arbitrary.ts';

/** The value of a feature for every cell, as rows of digits. */
function feature(name: string, ...rows: string[]): string[] {
  const grid = pic(...rows);
  return digits({ ...grid, cells: column(name, grid) });
}

function column(name: string, { width, height, cells }: Grid): Uint8Array {
  return featureColumn(new Scan(image(0, 0, width, height, cells)), name);
}

const examples: readonly (readonly [name: string, input: string[], wanted: string[]])[] = [
  ['seen-4', ['020', '000', '008'], ['200', '028', '800']],
  ['seen-diagonal', ['200', '000', '000'], ['000', '020', '002']],
  ['between', ['10012', '00000'], ['01100', '00000']],
  ['nearest-other', ['1002', '0000'], ['2121', '1122']],
  ['panel-share', ['12530560', '10570504'], ['42041041', '31031012']],
  ['corner-2', ['000', '020', '000'], ['101', '000', '101']],
  ['beside-2', ['000', '020', '000'], ['010', '101', '010']],
  ['in-row-of-2', ['000', '020'], ['000', '111']],
  ['in-column-of-2', ['000', '020'], ['010', '010']],
  ['filled-west', ['1020', '0000'], ['2101', '2000']],
  ['region-touches-2', ['1110', '1020', '1110'], ['0002', '0202', '0002']],
  ['input-corner', ['1002', '0000', '3004'], ['1122', '0000', '3344']],
  ['region-oblong', ['10010', '10011', '10001'], ['01100', '01100', '01100']],
];

describe('features that relate cells to other cells', () => {
  for (const [name, input, wanted] of examples)
    it(`${name} of ${input.join(' ')}`, () => expect(feature(name, ...input)).toEqual(wanted));

  const colours = ['seen-4', 'seen-diagonal'];

  it('rotate with the grid and use its colours', () => {
    fc.assert(
      fc.property(
        grids(6),
        fc.constantFrom(...motions),
        colourPermutations(true),
        (grid, motion, colourOf) => {
          for (const name of colours) {
            const said = { ...grid, cells: column(name, grid) };
            const moved = column(name, recolourGrid(moveGrid(grid, motion), colourOf));
            expect([...moved]).toEqual([...recolourGrid(moveGrid(said, motion), colourOf).cells]);
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  it('are omitted only if they are constant or determined by the cell’s colour', () => {
    fc.assert(
      fc.property(grids(5), (grid) => {
        const scan = new Scan(image(0, 0, grid.width, grid.height, grid.cells));
        const asked = new Set(askable(featureNames, [scan]));
        for (const name of featureNames.filter((one) => !asked.has(one))) {
          const values = column(name, grid);
          if (!sameCells(values, grid.cells)) expect([name, new Set(values).size]).toEqual([name, 1]);
        }
      }),
      { numRuns: 40 },
    );
  });
});
