import { parentPort } from 'node:worker_threads';
import { agreement } from '../src/arc/verify/agreement.ts';
import { sameGrid } from '../src/arc/grid/grid.ts';
import { castBallot } from '../src/arc/search/ballot.ts';
import { evidenceOf, type Evidence } from '../src/arc/search/confidence.ts';
import { fitsOdds, odds } from '../src/arc/search/odds.ts';
import { teach } from '../src/arc/search/teacher.ts';
import type { Task } from '../src/arc/grid/task.ts';

/** One search as the calibration sees it: the evidence, and whether the attempts turned out right. */
export interface Case {
  readonly id: string;
  readonly set: string;
  readonly family: string;
  readonly evidence: Evidence | null;
  readonly right: boolean;
  readonly rightFirst: boolean;
  /** The answers of rules that fit, likeliest first. */
  readonly answers: readonly object[];
  readonly cpuSeconds: number;
}

export interface CalibrationOrder {
  readonly task: Task;
  readonly set: string;
  readonly family: string;
  readonly without: readonly string[];
}

parentPort?.on('message', ({ task, set, family, without }: CalibrationOrder) => {
  const before = process.threadCpuUsage();
  const seen = { ...task, answers: [] };
  const { judged } = teach(seen, { maxNodes: Infinity, recogniser: true, without });
  const ballot = castBallot(judged, ({ program }) => agreement(program, seen));
  const used = process.threadCpuUsage(before);
  const isRight = (answer: (typeof ballot.answers)[number] | undefined, test: number): boolean => {
    const [grid, wanted] = [answer?.best.answers[test], task.answers[test]];
    return !!grid && !!wanted && sameGrid(grid, wanted);
  };
  const [first, second] = ballot.answers;
  const result: Case = {
    id: task.id,
    set,
    family,
    evidence: evidenceOf(seen, ballot),
    right: task.test.every((_, test) => isRight(first, test) || isRight(second, test)),
    rightFirst: task.test.every((_, test) => isRight(first, test)),
    answers: ballot.answers
      .filter(({ best }) => fitsOdds(best))
      .slice(0, 8)
      .map((answer) => ({
        right: task.test.every((_, test) => isRight(answer, test)),
        by: answer.best.by,
        odds: odds(answer.best),
        price: answer.best.price,
        held: answer.best.held,
        loo: answer.best.feature_vec.loo_consistency,
        unknown: answer.best.unknown,
        weight: answer.weight,
        votes: answer.votes,
        proposers: answer.proposers,
        agreement: answer.agreement,
      })),
    cpuSeconds: (used.user + used.system) / 1e6,
  };
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread has no origin
  parentPort?.postMessage(result);
});
