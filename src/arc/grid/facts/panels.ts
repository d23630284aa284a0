import type { Grid } from '../grid.ts';

interface Panel {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

export interface Panels {
  readonly colour: number;
  readonly rows: readonly number[];
  readonly columns: readonly number[];
  readonly panels: readonly Panel[];
}

/**
 * Separators are full rows or columns of one colour that cut the grid into at least two parts. Of several such colours
 * the one that makes the most panels of one size wins, then the one with more lines; black comes last, since an empty
 * line is often just empty.
 */
export function findPanels(grid: Grid): Panels | null {
  return bestPanels(grid, [1, 2, 3, 4, 5, 6, 7, 8, 9, 0]);
}

/** The same with filled separators only: an empty line is not a wall. */
export function findWalls(grid: Grid): Panels | null {
  return bestPanels(grid, [1, 2, 3, 4, 5, 6, 7, 8, 9]);
}

function bestPanels(grid: Grid, colours: readonly number[]): Panels | null {
  let best: Panels | null = null;
  let bestScore = 0;
  for (const colour of colours) {
    const found = panelsOf(grid, colour);
    if (found === null) continue;
    const even = found.panels.every(
      ({ width, height }) => width === found.panels[0]?.width && height === found.panels[0].height,
    );
    const score = (even ? 1000 : 1) * found.panels.length;
    if (score > bestScore) {
      bestScore = score;
      best = found;
    }
  }
  return best;
}

function panelsOf(grid: Grid, colour: number): Panels | null {
  const { width, height, cells } = grid;
  const rows: number[] = [];
  const columns: number[] = [];
  for (let y = 0; y < height; y++) {
    let x = 0;
    while (x < width && cells[y * width + x] === colour) x++;
    if (x === width) rows.push(y);
  }
  for (let x = 0; x < width; x++) {
    let y = 0;
    while (y < height && cells[y * width + x] === colour) y++;
    if (y === height) columns.push(x);
  }
  if (rows.length === height || rows.length + columns.length === 0) return null;
  const panels: Panel[] = [];
  for (const [top, below] of gaps(rows, height))
    for (const [left, right] of gaps(columns, width))
      panels.push({ left, top, width: right - left, height: below - top });
  return panels.length < 2 ? null : { colour, rows, columns, panels };
}

function gaps(lines: readonly number[], length: number): [from: number, to: number][] {
  const found: [number, number][] = [];
  let from = 0;
  for (const line of [...lines, length]) {
    if (line > from) found.push([from, line]);
    from = line + 1;
  }
  return found;
}
