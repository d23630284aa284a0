import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  gridFault,
  gridFromRows,
  gridToRows,
  motions,
  moveGrid,
  sameGrid,
} from '../../../src/arc/grid/grid.ts';
import { digits, grids, pic } from '../arbitrary.ts';

describe('grids', () => {
  it('convert to rows and back', () => {
    fc.assert(
      fc.property(grids(), (grid) => {
        expect(sameGrid(gridFromRows(gridToRows(grid)), grid)).toBe(true);
      }),
    );
  });

  it('move as the name of each motion suggests', () => {
    const grid = pic('12', '30');
    const moved = Object.fromEntries(
      motions.map((motion) => [motion, digits(moveGrid(grid, motion)).join('/')]),
    );
    expect(moved).toEqual({
      identity: '12/30',
      rotate90: '31/02',
      rotate180: '03/21',
      rotate270: '20/13',
      'flip-left-right': '21/03',
      'flip-top-bottom': '30/12',
      transpose: '13/20',
      antitranspose: '02/31',
    });
  });

  it('the motions form a group: each has an inverse among them', () => {
    fc.assert(
      fc.property(grids(), fc.constantFrom(...motions), (grid, motion) => {
        const moved = moveGrid(grid, motion);
        expect(motions.some((back) => sameGrid(moveGrid(moved, back), grid))).toBe(true);
      }),
    );
  });

  it('invalid grids are refused with the position of the error', () => {
    expect(gridFault([])).toContain('non-empty');
    expect(gridFault([[1, 2], [3]])).toBe('row 1 has 1 cells where row 0 has 2');
    expect(gridFault([[1, 10]])).toBe('row 0, column 1 is 10, not a colour 0 to 9');
    expect(gridFault(Array.from({ length: 31 }, () => [0]))).toContain('31 rows');
    expect(gridFault([[0]])).toBeUndefined();
  });
});
