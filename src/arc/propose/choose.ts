import { gridToRows, type Grid } from '../grid.ts';
import type { Judged } from './teacher.ts';

/** One of a task's attempts: an answer for every test input, the best rule that gives it, and how far it is believed. */
export interface Attempt {
  readonly candidate: Judged;
  readonly belief: number;
  /** Believed enough to be counted as an answer, not as a guess. */
  readonly confident: boolean;
}

const attemptCount = 2;

/** A rule that is believed this far answers rightly in more than nine of ten tasks. */
const confidentFrom = 0.7;

/** What a further rule with the same answer adds: rules of one search are kin, and their agreement says little. */
const kinship = 0.1;

/**
 * The attempts of a task: rules vote for the answer they give, the best in full and its kin a little, and the answers
 * with the highest sums are taken. Rules that do not fit all pairs only fill attempts that are left.
 */
export function chooseAttempts(judged: readonly Judged[]): Attempt[] {
  const votes = new Map<string, Judged[]>();
  for (const candidate of judged) {
    if (candidate.answers.includes(null)) continue;
    const key = JSON.stringify(candidate.answers.map((grid) => gridToRows(grid as Grid)));
    const voters = votes.get(key);
    if (voters === undefined) votes.set(key, [candidate]);
    else voters.push(candidate);
  }
  return [...votes.values()]
    .map(attemptOf)
    .sort((a, b) => fit(b) - fit(a) || b.belief - a.belief || (a.candidate.id < b.candidate.id ? -1 : 1))
    .slice(0, attemptCount);
}

function attemptOf(voters: readonly Judged[]): Attempt {
  const [best, ...kin] = [...voters].sort((a, b) => belief(b) - belief(a) || (a.id < b.id ? -1 : 1)) as [
    Judged,
    ...Judged[],
  ];
  const doubt = kin.reduce((left, one) => left * (1 - kinship * belief(one)), 1 - belief(best));
  return { candidate: best, belief: 1 - doubt, confident: fits(best) && belief(best) >= confidentFrom };
}

function fits({ verifier_score }: Judged): boolean {
  return verifier_score === 1;
}

function fit({ candidate }: Attempt): number {
  return Number(fits(candidate));
}

/** The chance that a rule's answers are right, from what it costs and from whether it holds for pairs it has not seen. */
export function belief({ feature_vec, verifier_score, price, held, unknown }: Judged): number {
  const doubts = price / 10 + (unknown > 0 ? 3 : 0) - 2 * held - 2 * feature_vec.loo_consistency;
  const chance = 1 / (1 + Math.exp(doubts - 3));
  return verifier_score === 1 ? chance : (chance * verifier_score) / 1000;
}
