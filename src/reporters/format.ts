import { forPeople } from '../shared/for-people.ts';

/** Numbers and tables as people read them. */

export function formatBytes(bytes: number): string {
  if (bytes < 1e3) return `${bytes} B`;
  if (bytes < 1e6) return `${Math.round(bytes / 1e3)} kB`;
  if (bytes < 1e9) return `${Math.round(bytes / 1e6)} MB`;
  return `${(bytes / 1e9).toFixed(2)} GB`;
}

export function formatSeconds(seconds: number): string {
  if (seconds < 10) return `${seconds.toFixed(2)} s`;
  if (seconds < 600) return `${seconds.toFixed(1)} s`;
  if (seconds < 36_000) return `${(seconds / 60).toFixed(1)} min`;
  return `${(seconds / 3600).toFixed(1)} h`;
}

/** Rows as lines with aligned columns, two spaces apart. Foreign text in a cell is escaped, so a cell stays on its line. */
export function alignColumns(
  cells: readonly (readonly string[])[],
  sides: readonly ('left' | 'right')[] = [],
): string {
  const rows = cells.map((row) => row.map(forPeople));
  const widths: number[] = [];
  for (const row of rows)
    for (const [column, cell] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, cell.length);
  const align = (cell: string, column: number): string =>
    sides[column] === 'right' ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0);
  return rows.map((row) => `${row.map(align).join('  ').trimEnd()}\n`).join('');
}
