import type { FeatureVector } from '../../verify/comparator.ts';
import type { NeighbourFeatures } from './neighbours.ts';

/** Leave-one-out, simplicity and neighbours only break ties of the verifier's score, which has six decimals. */
const tieWeight = 1e-7;

/**
 * The critic's score of a candidate; a higher score means easier to repair. It consists of the verifier's score, then
 * leave-one-out, then simplicity and neighbours.
 */
export function criticScore(
  { loo_consistency, simplicity }: FeatureVector,
  verifierScore: number,
  { repairable, promising }: NeighbourFeatures,
): number {
  return verifierScore + tieWeight * (2 * loo_consistency + simplicity + repairable + promising);
}
