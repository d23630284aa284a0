import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { recolourGrid, type Grid } from '../../../src/arc/grid/grid.ts';
import { image, type Image } from '../../../src/arc/language/image.ts';
import { bind, type RuleOperation } from '../../../src/arc/language/operation.ts';
import { operations } from '../../../src/arc/language/registry.ts';
import { colourPermutations, grids } from '../arbitrary.ts';

/** The cells after all marks are covered, or null if nothing can be pasted. */
function pasted(grid: Grid, marks: number): readonly number[] | null {
  const input = image(0, 0, grid.width, grid.height, grid.cells);
  const result = bind(operations.get('paste') as RuleOperation, { marks })(input, { input, frame: null });
  return result === null ? null : [...(result as Image).cells];
}

it('pasting gives the same result for every colour of the pattern and its marks', () => {
  fc.assert(
    fc.property(grids(7), colourPermutations(true), (grid, colourOf) => {
      const before = pasted(grid, 1);
      const after = pasted(recolourGrid(grid, colourOf), colourOf[1] as number);
      expect(after).toEqual(before?.map((cell) => colourOf[cell]) ?? null);
    }),
    { numRuns: 60 },
  );
});
