import { motions, moveGrid, sameGrid, type Grid, type Motion } from '../grid.ts';

/** The motions other than the identity that do not change a grid. */
export function symmetriesOf(grid: Grid): Motion[] {
  return motions.filter((motion) => motion !== 'identity' && sameGrid(moveGrid(grid, motion), grid));
}

/** The smallest shifts right and down under which the overlapping parts of a grid agree; 0 if there is none. */
export function periodOf(grid: Grid): { x: number; y: number } {
  const { width, height, cells } = grid;
  const agrees = (dx: number, dy: number): boolean => {
    for (let y = dy; y < height; y++)
      for (let x = dx; x < width; x++)
        if (cells[y * width + x] !== cells[(y - dy) * width + x - dx]) return false;
    return true;
  };
  return { x: first(width, (shift) => agrees(shift, 0)), y: first(height, (shift) => agrees(0, shift)) };
}

/** A period must occur at least twice to count. */
function first(length: number, test: (shift: number) => boolean): number {
  for (let shift = 1; shift * 2 <= length; shift++) if (test(shift)) return shift;
  return 0;
}
