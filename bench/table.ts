/** A measured figure with its targets. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** Required and desired values; for a size or a time, smaller is better. */
  readonly floor?: number;
  readonly aim?: number;
  readonly smallerIsBetter?: boolean;
}

export function reaches(value: number, wanted: number, smallerIsBetter = false): boolean {
  return smallerIsBetter ? value <= wanted : value >= wanted;
}

export function renderTable(figures: readonly Figure[]): string {
  const rows = figures.map((figure) => [
    figure.name,
    `${format(figure.value)} ${figure.unit}`.trim(),
    target(figure, figure.floor),
    target(figure, figure.aim),
  ]);
  const all = [['', 'measured', 'must', 'aim'], ...rows];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  return all
    .map((row) =>
      row
        .map((cell, column) =>
          column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
        )
        .join('   ')
        .trimEnd(),
    )
    .join('\n');
}

function target({ value, smallerIsBetter = false }: Figure, wanted: number | undefined): string {
  if (wanted === undefined) return '';
  return `${smallerIsBetter ? '≤' : '≥'} ${format(wanted)} ${reaches(value, wanted, smallerIsBetter) ? '✓' : '✗'}`;
}

function format(value: number): string {
  if (Math.abs(value) >= 100) return Math.round(value).toString();
  return value.toFixed(Math.abs(value) >= 10 ? 1 : 2);
}
