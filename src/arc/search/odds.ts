import type { JudgedProposal } from './teacher.ts';

/** Which of two rules is likelier; rules that fit every pair come first. */
export function moreLikely(a: JudgedProposal, b: JudgedProposal): number {
  return Number(fitsOdds(b)) - Number(fitsOdds(a)) || odds(b) - odds(a) || (a.id < b.id ? -1 : 1);
}

/** Whether a rule fits every training pair. */
export function fitsOdds({ verifier_score }: JudgedProposal): boolean {
  return verifier_score === 1;
}

/**
 * The odds that a rule's answers are right. A plain step more makes a rule less likely by a factor of e; holding for pairs
 * that it was not chosen or learned from makes it likelier by up to e⁴; a table that does not know what the test asks
 * loses e³.
 */
export function odds({ feature_vec, verifier_score, price, held, unknown }: JudgedProposal): number {
  const doubts = price / 10 + (unknown > 0 ? 3 : 0) - 2 * held - 2 * feature_vec.loo_consistency;
  const weight = Math.exp(3 - doubts);
  return verifier_score === 1 ? weight : (Math.min(1, weight) * verifier_score) / 1000;
}
