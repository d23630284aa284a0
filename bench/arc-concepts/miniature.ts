import type { Draws } from '../../src/arc/learning/synth/draws.ts';
import { between, cellsOf, colours, one, Sheet, shuffled, type Cell, type Concept } from './sheet.ts';

/**
 * Miniatures: grids of about 5 by 5 cells, one idea per task, filled densely or with a few loose cells. They are in another style
 * than the training tasks, and serve to measure confidence. Nothing is tuned on them.
 */

/** Chosen once per task: colours, and numbers from 0 to 4. */
interface Fixed {
  readonly colours: readonly number[];
  readonly numbers: readonly number[];
}

type Make = (draws: Draws, fixed: Fixed) => Sheet;
type Rule = (input: Sheet, fixed: Fixed) => Sheet | null;

/** A pair that the rule does not change shows nothing, so it is drawn again. */
export function miniature(make: Make, rule: Rule): Concept {
  return (task) => {
    const fixed = {
      colours: colours(task, 9),
      numbers: Array.from({ length: 4 }, () => task.below(5)),
    };
    return (draws) => {
      const input = make(draws, fixed);
      const output = rule(input, fixed);
      return output === null || equal(input, output) ? null : { input, output };
    };
  };
}

function equal(a: Sheet, b: Sheet): boolean {
  return a.width === b.width && a.height === b.height && a.cells.every((cell, i) => cell === b.cells[i]);
}

/** Cells of one colour, each filled by chance. */
export function speckled(width = 5, height = 5, percent = 40): Make {
  return (draws, { colours: [colour = 1] }) =>
    new Sheet(width, height).map(() => (draws.below(100) < percent ? colour : 0));
}

/** Every cell filled, in one of this many colours. */
export function mosaic(width = 5, height = 5, palette = 3): Make {
  return (draws, fixed) => new Sheet(width, height).map(() => one(draws, fixed.colours.slice(0, palette)));
}

/** A few loose cells in one of this many colours. */
export function loose(width = 5, height = 5, from = 2, to = 4, palette = 1): Make {
  return (draws, fixed) => {
    const sheet = new Sheet(width, height);
    const spots = shuffled(draws, cellsOf(sheet)).slice(0, between(draws, from, to));
    for (const [x, y] of spots) sheet.set(x, y, one(draws, fixed.colours.slice(0, palette)));
    return sheet;
  };
}

/** One cell of each of the first colours. */
export function singles(width: number, height: number, count: number): Make {
  return (draws, fixed) => {
    const sheet = new Sheet(width, height);
    const spots = shuffled(draws, cellsOf(sheet)).slice(0, count);
    for (const [i, [x, y]] of spots.entries()) sheet.set(x, y, fixed.colours[i] ?? 1);
    return sheet;
  };
}

/** One solid rectangle. */
export function block(width = 6, height = 6, palette = 1): Make {
  return (draws, fixed) => {
    const [w, h] = [between(draws, 2, width - 2), between(draws, 2, height - 2)];
    const [x, y] = [draws.below(width - w + 1), draws.below(height - h + 1)];
    return new Sheet(width, height).rect(
      { x, y, width: w, height: h },
      one(draws, fixed.colours.slice(0, palette)),
    );
  };
}

export function rowsOf(sheet: Sheet): number[][] {
  return Array.from({ length: sheet.height }, (_, y) =>
    Array.from({ length: sheet.width }, (_unused, x) => sheet.get(x, y)),
  );
}

export function columnsOf(sheet: Sheet): number[][] {
  return rowsOf(transposed(sheet));
}

export function fromRows(rows: readonly (readonly number[])[]): Sheet {
  const sheet = new Sheet(rows[0]?.length ?? 0, rows.length);
  return sheet.map((x, y) => rows[y]?.[x] ?? 0);
}

export function transposed(sheet: Sheet): Sheet {
  return new Sheet(sheet.height, sheet.width).map((x, y) => sheet.get(y, x));
}

export function filled(line: readonly number[]): number {
  return line.filter((cell) => cell !== 0).length;
}

export function spotsOf(sheet: Sheet, colour?: number): Cell[] {
  return cellsOf(sheet).filter(([x, y]) =>
    colour === undefined ? sheet.get(x, y) > 0 : sheet.get(x, y) === colour,
  );
}

/** How many of the cells beside one are filled, corners included. */
export function around(sheet: Sheet, x: number, y: number): number {
  let count = 0;
  for (let dy = -1; dy <= 1; dy++)
    for (let dx = -1; dx <= 1; dx++) if ((dx !== 0 || dy !== 0) && sheet.get(x + dx, y + dy) > 0) count++;
  return count;
}

export function besides(sheet: Sheet, x: number, y: number): number[] {
  return [sheet.get(x + 1, y), sheet.get(x - 1, y), sheet.get(x, y + 1), sheet.get(x, y - 1)];
}

/** The most frequent value; null where two are equally frequent. */
export function most(values: readonly number[]): number | null {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  const [first, second] = [...counts].sort((a, b) => b[1] - a[1]);
  return first === undefined || first[1] === second?.[1] ? null : first[0];
}
