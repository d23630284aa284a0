import { itemAt } from '../item-at.ts';

/** The x with matrix·x = right, for a symmetric positive definite matrix, by Cholesky decomposition. */
export function solveLinear(matrix: readonly ArrayLike<number>[], right: ArrayLike<number>): Float64Array {
  const size = right.length;
  const lower = Array.from({ length: size }, () => new Float64Array(size));
  const at = (row: number, column: number): number => itemAt(itemAt(lower, row), column);
  for (const [row, line] of lower.entries())
    for (let column = 0; column <= row; column++) {
      let rest = itemAt(itemAt(matrix, row), column);
      for (let before = 0; before < column; before++) rest -= at(row, before) * at(column, before);
      line[column] = row === column ? Math.sqrt(Math.max(rest, 1e-12)) : rest / at(column, column);
    }
  const half = new Float64Array(size);
  for (let row = 0; row < size; row++) {
    let rest = itemAt(right, row);
    for (let before = 0; before < row; before++) rest -= at(row, before) * itemAt(half, before);
    half[row] = rest / at(row, row);
  }
  const found = new Float64Array(size);
  for (let row = size - 1; row >= 0; row--) {
    let rest = itemAt(half, row);
    for (let after = row + 1; after < size; after++) rest -= at(after, row) * itemAt(found, after);
    found[row] = rest / at(row, row);
  }
  return found;
}
