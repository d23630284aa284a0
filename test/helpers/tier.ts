import { test } from 'vitest';

/**
 * The first tier (`npm test`) takes a slice of broad or slow tests; the second (`npm run test:long`) runs every file
 * that imports this in full.
 */
const isLongTier = process.env['TEST_TIER'] === 'long';

/** In the first tier this number of rows, spread evenly over the table; in the second all of them. */
export function slice<Row>(rows: readonly Row[], count: number): Row[] {
  const step = isLongTier ? 1 : rows.length / Math.min(count, rows.length);
  return Array.from(
    { length: Math.round(rows.length / step) },
    (_, index) => rows[Math.floor(index * step)] as Row,
  );
}

/** Number of repetitions: few to detect an obvious fault, many to detect a rare one. */
export function times(first: number, long: number): number {
  return isLongTier ? long : first;
}

/** A test of the second tier alone. */
export const longTest: typeof test = isLongTier ? test : Object.assign(() => {}, test);
