import { gridToRows, type Grid } from '../grid/grid.ts';
import type { Attempts } from './scoring.ts';

/** Kaggle's submission: every task id, one entry per test input, two attempts each. A missing answer is one black cell. */
export function submission(
  tasks: readonly { readonly id: string; readonly attempts: readonly Attempts[] }[],
): string {
  const entries = tasks.map(({ id, attempts }) => [
    id,
    attempts.map(([first, second]) => ({ attempt_1: rows(first), attempt_2: rows(second ?? first) })),
  ]);
  return `${JSON.stringify(Object.fromEntries(entries))}\n`;
}

function rows(grid: Grid | null): number[][] {
  return grid === null ? [[0]] : gridToRows(grid);
}
