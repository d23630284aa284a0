/** The x with matrix·x = right, for a symmetric matrix whose pivots are positive: Cholesky's way. */
export function solveLinear(matrix: readonly ArrayLike<number>[], right: ArrayLike<number>): Float64Array {
  const size = right.length;
  const lower = Array.from({ length: size }, () => new Float64Array(size));
  const at = (row: number, column: number): number => lower[row]?.[column] ?? 0;
  for (let row = 0; row < size; row++)
    for (let column = 0; column <= row; column++) {
      let rest = matrix[row]?.[column] ?? 0;
      for (let before = 0; before < column; before++) rest -= at(row, before) * at(column, before);
      const line = lower[row];
      if (line) line[column] = row === column ? Math.sqrt(Math.max(rest, 1e-12)) : rest / at(column, column);
    }
  const half = new Float64Array(size);
  for (let row = 0; row < size; row++) {
    let rest = right[row] ?? 0;
    for (let before = 0; before < row; before++) rest -= at(row, before) * (half[before] ?? 0);
    half[row] = rest / at(row, row);
  }
  const found = new Float64Array(size);
  for (let row = size - 1; row >= 0; row--) {
    let rest = half[row] ?? 0;
    for (let after = row + 1; after < size; after++) rest -= at(after, row) * (found[after] ?? 0);
    found[row] = rest / at(row, row);
  }
  return found;
}
