import { unreachable, definite } from '../../core/errors.ts';
import type { Grid } from '../grid/grid.ts';
import { palette } from '../../shared/palette.ts';

/** Styles for grids in a terminal: cells two characters wide in 24-bit colour, half blocks, or digits without colour. */
export type Look = 'blocks' | 'half-blocks' | 'digits';

/** The lines of a grid; with `wanted`, cells that differ from it are marked. */
export function gridLines(grid: Grid, look: Look, wanted?: Grid): string[] {
  const wrong = wanted === undefined ? () => false : (x: number, y: number) => differs(grid, wanted, x, y);
  const at = (x: number, y: number): number => grid.cells[y * grid.width + x] ?? 0;
  const lines: string[] = [];
  switch (look) {
    case 'digits':
      for (let y = 0; y < grid.height; y++)
        lines.push(row(grid, (x) => `${at(x, y)}${wrong(x, y) ? '!' : ' '}`).trimEnd());
      return lines;
    case 'blocks':
      for (let y = 0; y < grid.height; y++)
        lines.push(
          `${row(grid, (x) => `${background(at(x, y))}${wrong(x, y) ? `${inkOn(at(x, y))}╳╳` : '  '}`)}\u001b[0m`,
        );
      return lines;
    case 'half-blocks':
      for (let y = 0; y < grid.height; y += 2)
        lines.push(
          `${row(grid, (x) => halfBlock(at(x, y), y + 1 < grid.height ? at(x, y + 1) : null))}\u001b[0m`,
        );
      return lines;
    default:
      return unreachable(look);
  }
}

function row(grid: Grid, cell: (x: number) => string): string {
  return Array.from({ length: grid.width }, (_, x) => cell(x)).join('');
}

/** Puts blocks of lines side by side; `widths` are the printed widths, because colour codes take no space. */
export function beside(
  blocks: readonly { readonly lines: readonly string[]; readonly width: number }[],
  gap = 3,
): string[] {
  const height = Math.max(...blocks.map(({ lines }) => lines.length));
  return Array.from({ length: height }, (_, y) =>
    blocks
      .map(({ lines, width }) => (y < lines.length ? padded(definite(lines[y]), width) : ' '.repeat(width)))
      .join(' '.repeat(gap))
      .trimEnd(),
  );
}

export function printedWidth(grid: Grid, look: Look): number {
  return look === 'half-blocks' ? grid.width : grid.width * 2;
}

function padded(line: string, width: number): string {
  // eslint-disable-next-line no-control-regex -- colour codes start with ESC
  const bare = line.replaceAll(/\u001b\[[0-9;]*m/g, '');
  return line + ' '.repeat(Math.max(0, width - bare.length));
}

function differs(grid: Grid, wanted: Grid, x: number, y: number): boolean {
  if (x >= wanted.width || y >= wanted.height) return true;
  return grid.cells[y * grid.width + x] !== wanted.cells[y * wanted.width + x];
}

function channels(colour: number): string {
  const hex = definite(palette[colour]);
  return [0, 2, 4].map((from) => Number.parseInt(hex.slice(from, from + 2), 16)).join(';');
}

function background(colour: number): string {
  return `\u001b[48;2;${channels(colour)}m`;
}

/** Marks must be visible on every colour: white on dark ones, black on light ones. */
function inkOn(colour: number): string {
  return [3, 4, 5, 7, 8].includes(colour) ? '\u001b[38;2;0;0;0m' : '\u001b[38;2;255;255;255m';
}

function halfBlock(upper: number, lower: number | null): string {
  return `${lower === null ? '\u001b[49m' : background(lower)}\u001b[38;2;${channels(upper)}m▀`;
}
