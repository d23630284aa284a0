import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { motions, moveGrid, recolourGrid, type Grid } from '../../../src/arc/grid/grid.ts';
import { image, type Image } from '../../../src/arc/language/image.ts';
import { bind, type RuleOperation } from '../../../src/arc/language/operation.ts';
import { operations } from '../../../src/arc/language/registry.ts';
import { isTreatment, treatmentNames } from '../../../src/arc/language/treatments.ts';
import { colourPermutations, grids } from '../arbitrary.ts';

/** The grid after all its one-coloured objects had the same treatment, on empty cells. */
function treated(grid: Grid, treatment: string): Grid {
  const args = { objects: 'blob', features: ['any'], table: { 0: treatment }, on: 'empty' };
  const input = image(0, 0, grid.width, grid.height, grid.cells);
  const { cells } = bind(operations.get('treat_objects') as RuleOperation, args)(input, {
    input,
    frame: null,
  }) as Image;
  return { ...grid, cells };
}

describe('treatments', () => {
  it('use the colours of the grid, whichever they are', () => {
    fc.assert(
      fc.property(
        grids(7),
        fc.constantFrom(...treatmentNames),
        colourPermutations(true),
        (grid, name, colourOf) => {
          expect([...treated(recolourGrid(grid, colourOf), name).cells]).toEqual([
            ...recolourGrid(treated(grid, name), colourOf).cells,
          ]);
        },
      ),
      { numRuns: 120 },
    );
  });

  it('treatments without a direction rotate with the grid', () => {
    const lines = ['ray plus', 'beam cross', 'horn cross', 'bar-colours plus', 'ray star'];
    const even = [...lines, 'fill', 'box', 'ring', 'mid-plus'];
    fc.assert(
      fc.property(grids(7), fc.constantFrom(...even), fc.constantFrom(...motions), (grid, name, motion) => {
        // in a colour that no object has, because overlapping treatments have no order
        const inOne = `${name} 9`;
        expect([...treated(moveGrid(grid, motion), inOne).cells]).toEqual([
          ...moveGrid(treated(grid, inOne), motion).cells,
        ]);
      }),
      { numRuns: 120 },
    );
  });

  it('are listed by name, with a colour if they write one', () => {
    for (const name of treatmentNames) expect(isTreatment(name)).toBe(true);
    expect(['fill 3', 'ray up 4', 'ray plus near', 'ring 3 + ray up'].every(isTreatment)).toBe(true);
    expect(
      ['keep 3', 'drop 3', 'ray', 'ray sideways', 'fill 3 3', '', 'ring + drop', 'ring + ray up + fill'].some(
        isTreatment,
      ),
    ).toBe(false);
  });
});
