/** The strategy that offers scripts and proofs of earlier runs; ledgers know it by this name. */
export const cacheStrategyName = 'cache';

/** `proved` offers a proof of the same goal from the ledger, `same` a script that closed the same goal, `similar` one that closed a similar goal. */
export function cacheArm(kind: 'proved' | 'same' | 'similar'): string {
  return `${cacheStrategyName}/${kind}`;
}
