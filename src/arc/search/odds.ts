import type { JudgedProposal } from './teacher.ts';

/** Orders rules: those that fit every pair first, then the more likely ones. */
export function moreLikely(a: JudgedProposal, b: JudgedProposal): number {
  return Number(fitsOdds(b)) - Number(fitsOdds(a)) || odds(b) - odds(a) || (a.id < b.id ? -1 : 1);
}

/** Whether a rule fits every training pair. */
export function fitsOdds({ verifier_score }: JudgedProposal): boolean {
  return verifier_score === 1;
}

/**
 * The odds that a rule's answers are right. Each plain step divides the odds by e. Leave-one-out multiplies them by up to
 * e⁴. A table without an entry that a test needs divides them by e³.
 */
export function odds({ feature_vec, verifier_score, price, held, unknown }: JudgedProposal): number {
  const doubts = price / 10 + (unknown > 0 ? 3 : 0) - 2 * held - 2 * feature_vec.loo_consistency;
  const weight = Math.exp(3 - doubts);
  return verifier_score === 1 ? weight : (Math.min(1, weight) * verifier_score) / 1000;
}
