import type { Case } from './arc-calibrate-worker.ts';

/** Logistic regression with a ridge, by Newton's method: small enough to need no library. */

export interface Model {
  readonly bias: number;
  readonly weights: Readonly<Record<string, number>>;
}

const ridge = 3;
const rounds = 12;

/** Every set has the same weight, whatever its number of cases. */
export function fitted(cases: readonly Case[]): Model {
  const names = [...new Set(cases.flatMap(({ evidence }) => Object.keys(evidence ?? {})))];
  const sizes = new Map<string, number>();
  for (const { set, isLacking } of cases)
    sizes.set(`${set} ${isLacking}`, (sizes.get(`${set} ${isLacking}`) ?? 0) + 1);
  const rows = cases.map(({ evidence, right, set, isLacking }) => ({
    values: [1, ...names.map((name) => evidence?.[name] ?? 0)],
    right: Number(right),
    weight: cases.length / (sizes.size * (sizes.get(`${set} ${isLacking}`) ?? 1)),
  }));
  const size = names.length + 1;
  let theta = Array.from({ length: size }, () => 0);
  for (let round = 0; round < rounds; round++) {
    const matrix = Array.from({ length: size }, (_, i) =>
      Array.from({ length: size }, (_unused, j) => Number(i === j) * (i > 0 ? ridge : 1e-6)),
    );
    const gradient = theta.map((value, i) => (i === 0 ? 0 : -ridge * value));
    for (const { values, right, weight } of rows) {
      const p = sigmoid(values.reduce((sum, value, i) => sum + value * (theta[i] ?? 0), 0));
      for (const [i, value] of values.entries()) {
        gradient[i] = (gradient[i] ?? 0) + weight * (right - p) * value;
        const line = matrix[i] ?? [];
        for (const [j, other] of values.entries())
          line[j] = (line[j] ?? 0) + weight * p * (1 - p) * value * other;
      }
    }
    const step = solved(matrix, gradient);
    theta = theta.map((value, i) => value + (step[i] ?? 0));
  }
  const [bias = 0, ...weights] = theta.map((value) => Math.round(value * 1e4) / 1e4);
  return { bias, weights: Object.fromEntries(names.map((name, i) => [name, weights[i] ?? 0])) };
}

/** Each case predicted by a model that was fitted without the case's group. */
export function crossValidated(
  cases: readonly Case[],
  groupOf: (one: Case) => string,
): (Case & { readonly p: number })[] {
  const folds = new Map<string, number>();
  for (const one of cases) if (!folds.has(groupOf(one))) folds.set(groupOf(one), folds.size % 10);
  return [...new Set(folds.values())].flatMap((fold) => {
    const isOut = (one: Case): boolean => folds.get(groupOf(one)) === fold;
    const { bias, weights } = fitted(cases.filter((one) => !isOut(one)));
    return cases.filter(isOut).map((one) => ({
      ...one,
      p: sigmoid(
        Object.entries(weights).reduce(
          (sum, [name, weight]) => sum + weight * (one.evidence?.[name] ?? 0),
          bias,
        ),
      ),
    }));
  });
}

function sigmoid(value: number): number {
  return 1 / (1 + Math.exp(-value));
}

/** Gaussian elimination with pivots. */
function solved(matrix: readonly (readonly number[])[], right: readonly number[]): number[] {
  const rows = matrix.map((row, i) => [...row, right[i] ?? 0]);
  const size = rows.length;
  for (let column = 0; column < size; column++) {
    const pivot = rows.slice(column).reduce((best, row, i) => {
      const own = Math.abs(row[column] ?? 0);
      return own > Math.abs(rows[best]?.[column] ?? 0) ? column + i : best;
    }, column);
    const [a, b] = [rows[column] ?? [], rows[pivot] ?? []];
    [rows[column], rows[pivot]] = [b, a];
    for (const [i, row] of rows.entries()) {
      if (i === column) continue;
      const factor = (row[column] ?? 0) / (b[column] ?? 1);
      for (let j = column; j <= size; j++) row[j] = (row[j] ?? 0) - factor * (b[j] ?? 0);
    }
  }
  return rows.map((row, i) => (row[size] ?? 0) / (row[i] ?? 1));
}
