import type { CriticBundle } from '../memory/bundle.ts';

/** Scores of a candidate by its neighbours, from 0 to 1; both are 0 without memory. */
export interface NeighbourFeatures {
  /** The mean gain of edits that helped such errors, of programs with its signature rather than of others. */
  readonly repairable: number;
  /** The score of programs with its signature on similar solved tasks. */
  readonly promising: number;
}

/** A case of another signature has half the weight. */
const otherSignature = 0.5;

export function neighbourFeatures(
  { episodes, cases }: CriticBundle,
  signature: string,
  errorType: string,
): NeighbourFeatures {
  const gains = cases
    .filter(({ error_type }) => error_type === errorType)
    .map(
      ({ ops_signature, sum_delta, n }) =>
        (ops_signature === signature ? 1 : otherSignature) * (sum_delta / Math.max(1, n)),
    );
  const near = episodes.reduce((sum, { similarity }) => sum + similarity, 0);
  const far = episodes
    .filter(({ solved }) => solved)
    .reduce((sum, { similarity, tried }) => {
      const scores = tried.filter((one) => one.ops_signature === signature).map(({ score }) => score);
      return sum + similarity * Math.max(0, ...scores);
    }, 0);
  return { repairable: asShare(Math.max(0, ...gains)), promising: asShare(near === 0 ? 0 : far / near) };
}

/** A memory may have been edited: values outside 0 to 1 count as 0. */
function asShare(value: number): number {
  return Number.isFinite(value) ? Math.round(1e6 * Math.min(1, Math.max(0, value))) / 1e6 : 0;
}
