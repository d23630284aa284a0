import type { Column } from './column.ts';

/** Sizes and counts that a rule may compare with a number. */
const ordinals = ['object-size', 'distance', 'edge-distance', 'largest-square'] as const;
const limits = [1, 2, 3, 4, 6, 9];

/**
 * One column a number: whether a size or count is above it. A table over the size itself knows the sizes of the training
 * pairs only; what "more than three" says holds for sizes that no pair shows.
 */
export function above(columns: Readonly<Record<string, Column>>): Record<string, Column> {
  return Object.fromEntries(
    ordinals.flatMap((name) =>
      limits.map((limit): [string, Column] => [
        `${name}>${limit}`,
        (scan) =>
          scan
            .once(`feature ${name}`, () => (columns[name] as Column)(scan))
            .map((value) => (value > limit ? 1 : 0)),
      ]),
    ),
  );
}
