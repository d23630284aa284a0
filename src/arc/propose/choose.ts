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

/**
 * The attempts of a task: an answer is believed as far as the best rule that gives it, and the two answers believed most
 * are taken. Rules of one search are kin, so their number says little: their votes are not counted.
 * Rules that do not fit all pairs only fill attempts that are left.
 */
export function chooseAttempts(judged: readonly Judged[]): Attempt[] {
  const best = new Map<string, Judged>();
  for (const candidate of judged) {
    if (candidate.answers.includes(null)) continue;
    const key = JSON.stringify(candidate.answers.map((grid) => gridToRows(grid as Grid)));
    const known = best.get(key);
    if (known === undefined || moreBelieved(candidate, known) < 0) best.set(key, candidate);
  }
  return [...best.values()]
    .sort(moreBelieved)
    .slice(0, attemptCount)
    .map((candidate) => ({
      candidate,
      belief: belief(candidate),
      confident: fits(candidate) && belief(candidate) >= confidentFrom,
    }));
}

function moreBelieved(a: Judged, b: Judged): number {
  return Number(fits(b)) - Number(fits(a)) || belief(b) - belief(a) || (a.id < b.id ? -1 : 1);
}

function fits({ verifier_score }: Judged): boolean {
  return verifier_score === 1;
}

/** The chance that a rule's answers are right, from what it costs and from whether it holds for pairs it has not seen. */
export function belief({ feature_vec, verifier_score, price, held, unknown }: Judged): number {
  const doubts = price / 10 + (unknown > 0 ? 3 : 0) - 2 * held - 2 * feature_vec.loo_consistency;
  const chance = 1 / (1 + Math.exp(doubts - 3));
  return verifier_score === 1 ? chance : (chance * verifier_score) / 1000;
}
