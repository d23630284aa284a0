import { usualAgreement } from '../agreement.ts';
import { gridToRows, type Grid } from '../grid.ts';
import type { Judged } from './teacher.ts';

/** One of a task's attempts: an answer for every test input, the best rule that gives it, and how far it is believed. */
export interface Attempt {
  readonly candidate: Judged;
  /** The chance that these answers are right. */
  readonly belief: number;
  /** The attempts together are believed enough to be counted as an answer, not as a guess. */
  readonly confident: boolean;
}

const attemptCount = 2;

/** So many answers are asked for their agreement, those believed most. */
const mostRivals = 6;

/** Two attempts that are believed this far together hold the answer in more than nine of ten tasks. */
const confidentFrom = 0.7;

/**
 * The attempts of a task: the two answers believed most. Answers exclude each other, so each is believed by its share of
 * all odds, one part being kept for the case that none is right. An answer has the odds of the best rule of every
 * proposer that gives it: different proposers that agree count together, but rules of one proposer are kin, so their
 * number says nothing. Where answers rival, `agreementOf` says how far the best rule of each agrees with itself when the pairs
 * are turned or recoloured. Rules that do not fit all pairs only fill attempts that are left.
 */
export function chooseAttempts(
  judged: readonly Judged[],
  agreementOf: (candidate: Judged) => number,
): Attempt[] {
  const answers = new Map<string, Answer>();
  for (const candidate of judged) {
    if (candidate.answers.includes(null)) continue;
    const key = JSON.stringify(candidate.answers.map((grid) => gridToRows(grid as Grid)));
    const known = answers.get(key) ?? { best: candidate, byProposer: new Map<string, number>() };
    if (moreLikely(candidate, known.best) < 0) known.best = candidate;
    const proposer = candidate.by.split(' ', 1)[0] as string;
    known.byProposer.set(proposer, Math.max(known.byProposer.get(proposer) ?? 0, odds(candidate)));
    answers.set(key, known);
  }
  const weighed = [...answers.values()].map(({ best, byProposer }) => ({
    best,
    weight: [...byProposer.values()].reduce((sum, one) => sum + one, 0),
  }));
  const rivals = weighed
    .filter(({ best }) => fits(best))
    .sort((a, b) => b.weight - a.weight || moreLikely(a.best, b.best))
    .slice(0, mostRivals);
  if (rivals.length > 1)
    for (const one of rivals) one.weight *= Math.exp(agreementOf(one.best) - usualAgreement);
  const all = 1 + weighed.reduce((sum, { weight }) => sum + weight, 0);
  const chosen = weighed
    .sort(
      (a, b) =>
        Number(fits(b.best)) - Number(fits(a.best)) || b.weight - a.weight || moreLikely(a.best, b.best),
    )
    .slice(0, attemptCount);
  const together = chosen.reduce((sum, { best, weight }) => sum + (fits(best) ? weight : 0), 0) / all;
  return chosen.map(({ best, weight }) => ({
    candidate: best,
    belief: weight / all,
    confident: fits(best) && together >= confidentFrom,
  }));
}

interface Answer {
  best: Judged;
  /** The odds of the best rule of each proposer. */
  readonly byProposer: Map<string, number>;
}

function moreLikely(a: Judged, b: Judged): number {
  return Number(fits(b)) - Number(fits(a)) || odds(b) - odds(a) || (a.id < b.id ? -1 : 1);
}

function fits({ verifier_score }: Judged): boolean {
  return verifier_score === 1;
}

/**
 * The odds that a rule's answers are right. A plain step more makes a rule less likely by a factor of e; holding for pairs
 * that it was not chosen or learned from makes it likelier by up to e⁴; a table that does not know what the test asks
 * loses e³.
 */
export function odds({ feature_vec, verifier_score, price, held, unknown }: Judged): number {
  const doubts = price / 10 + (unknown > 0 ? 3 : 0) - 2 * held - 2 * feature_vec.loo_consistency;
  const weight = Math.exp(3 - doubts);
  return verifier_score === 1 ? weight : (Math.min(1, weight) * verifier_score) / 1000;
}
