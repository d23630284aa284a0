import { gridToRows } from '../grid/grid.ts';
import type { Task } from '../grid/task.ts';
import { castBallot, type Support } from './ballot.ts';
import { confidentFrom, evidenceOf, probabilityOf } from './confidence.ts';
import { fitsOdds } from './odds.ts';
import type { JudgedProposal } from './teacher.ts';

/** One of a task's attempts: an answer for every test input, the best rule that gives it, and its confidence. */
export interface Attempt {
  readonly candidate: JudgedProposal;
  /** The calibrated probability that these answers are right. */
  readonly belief: number;
  /** Whether the attempts together are likely enough to count as an answer instead of a guess. */
  readonly confident: boolean;
  /** The evidence for the answer. */
  readonly support: Support;
}

const attemptCount = 2;

/**
 * The attempts of a task: its two most likely answers. A model fitted on other tasks estimates their joint probability from the
 * evidence; each attempt has a share of it.
 */
export function chooseAttempts(
  task: Pick<Task, 'train' | 'test'>,
  judged: readonly JudgedProposal[],
  agreementOf?: (candidate: JudgedProposal) => number,
): Attempt[] {
  const ballot = castBallot(task, judged, agreementOf);
  const chosen = ballot.answers.slice(0, attemptCount);
  const evidence = evidenceOf(task, ballot);
  const together = evidence === null ? 0 : probabilityOf(evidence);
  const shares = chosen.reduce((sum, { best, share }) => sum + (fitsOdds(best) ? share : 0), 0);
  return chosen.map(({ best, ...support }) => ({
    candidate: best,
    belief: fitsOdds(best) && shares > 0 ? (together * support.share) / shares : 0,
    confident: fitsOdds(best) && together >= confidentFrom,
    support,
  }));
}

/** The answers of the attempts to each test input, as a row contains them; null if there is none. */
export function attemptRows({ test }: Pick<Task, 'test'>, attempts: readonly Attempt[]): Rows[] {
  const rowsOf = (attempt: Attempt | undefined, i: number): number[][] | null => {
    const grid = attempt?.candidate.answers[i] ?? null;
    return grid === null ? null : gridToRows(grid);
  };
  return test.map((_, i) => [rowsOf(attempts[0], i), rowsOf(attempts[1], i)]);
}

type Rows = [number[][] | null, number[][] | null];
