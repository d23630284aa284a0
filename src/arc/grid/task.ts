import type { Grid } from './grid.ts';

export interface Pair {
  readonly input: Grid;
  readonly output: Grid;
}

/** A task as the search sees it. Test outputs are separate, in `answers`; only scoring reads them. */
export interface Task {
  readonly id: string;
  readonly train: readonly Pair[];
  readonly test: readonly Grid[];
  readonly answers: readonly (Grid | null)[];
}
