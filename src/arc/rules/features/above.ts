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
    ordinals.flatMap((name) => limits.map((limit) => aboveLimit(columns, name, limit))),
  );
}

/** Ranks and counts from 1, and colours from 0, of which whole objects are also asked whether they are the first or any at all. */
const countedFromOne = [
  'piece-rank-across',
  'piece-rank-down',
  'piece-rank-across-back',
  'piece-rank-down-back',
  'object-copies',
  'object-colours',
  'object-holes',
  'blob-kin',
  'blob-abreast',
  'blob-aligned',
  'blob-holders',
  'blob-holdings',
  'blob-sought',
];
const countedFromNone = ['blob-touched', 'blob-twin'];

export function aboveLeast(columns: Readonly<Record<string, Column>>): Record<string, Column> {
  return Object.fromEntries([
    ...countedFromOne.map((name) => aboveLimit(columns, name, 1)),
    ...countedFromNone.map((name) => aboveLimit(columns, name, 0)),
  ]);
}

function aboveLimit(
  columns: Readonly<Record<string, Column>>,
  name: string,
  limit: number,
): [string, Column] {
  return [
    `${name}>${limit}`,
    (scan) =>
      scan
        .once(`feature ${name}`, () => (columns[name] as Column)(scan))
        .map((value) => (value > limit ? 1 : 0)),
  ];
}
