import { definite } from '../../core/errors.ts';
import { comparedAmounts, comparedName, isAmount, sameColours } from '../language/features/compared.ts';
import { featurePrice, isColour } from '../language/features/features.ts';
import { ColumnSample } from './column-sample.ts';
import type { Cells, Column } from './decide.ts';
import { cellsAnEvaluation, type Work } from './work.ts';

/** Number of comparisons, the most informative ones, that are added to the features. */
const mostComparisons = 300;

/** Every two colours of a cell, and every two amounts, compared. */
export function comparisons(raw: ReadonlyMap<string, Uint8Array>, work: Work): Omit<Column, 'kinds'>[] {
  const names = [...raw.keys()];
  return [
    ...everyTwo(raw, names.filter(isColour), sameColours, work),
    ...everyTwo(raw, names.filter(isAmount), comparedAmounts, work),
  ];
}

function* everyTwo(
  raw: ReadonlyMap<string, Uint8Array>,
  names: readonly string[],
  compare: (one: Uint8Array, other: Uint8Array) => Uint8Array,
  work: Work,
): Generator<Omit<Column, 'kinds'>> {
  for (const [i, one] of names.entries())
    for (const other of names.slice(i + 1)) {
      const values = compare(definite(raw.get(one)), definite(raw.get(other)));
      work.spend(values.length / cellsAnEvaluation.sampled);
      const name = comparedName(one, other);
      yield { name, values, price: featurePrice(name) };
    }
}

/** The comparisons that leave the fewest cells undecided beside the cell's own colour. */
export function telling(cells: Cells, self: Column, compared: readonly Column[]): Column[] {
  const sample = new ColumnSample({ ...cells, columns: [self, ...compared] });
  sample.start([0]);
  return compared
    .map((column, i) => ({ column, undecided: sample.undecidedWith(i + 1, Infinity) }))
    .sort((a, b) => a.undecided - b.undecided)
    .slice(0, mostComparisons)
    .map(({ column }) => column);
}
