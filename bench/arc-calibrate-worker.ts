import { parentPort } from 'node:worker_threads';
import { sameGrid } from '../src/arc/grid/grid.ts';
import { castBallot } from '../src/arc/search/ballot.ts';
import { evidenceOf, type Evidence } from '../src/arc/search/confidence.ts';
import { teach, type JudgedProposal } from '../src/arc/search/teacher.ts';
import type { Task } from '../src/arc/grid/task.ts';

/** One search as a calibration case: the evidence, and whether the attempts were right. */
export interface Case {
  readonly id: string;
  readonly set: string;
  readonly family: string;
  /** Right rules were removed, as if the language lacked the rule. */
  readonly isLacking: boolean;
  readonly evidence: Evidence | null;
  readonly right: boolean;
  readonly rightFirst: boolean;
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
  const { judged } = teach(seen, { maxNodes: Infinity, without });
  const used = process.threadCpuUsage(before);
  const isRight = (rule: JudgedProposal | undefined, test: number): boolean => {
    const [grid, wanted] = [rule?.answers[test], task.answers[test]];
    return !!grid && !!wanted && sameGrid(grid, wanted);
  };
  const allRight = (rule: JudgedProposal): boolean => task.test.every((_, test) => isRight(rule, test));
  const caseOf = (rules: readonly JudgedProposal[], isLacking: boolean): Case => {
    const ballot = castBallot(seen, rules);
    const [first, second] = ballot.answers;
    return {
      id: task.id,
      set,
      family,
      isLacking,
      evidence: evidenceOf(seen, ballot),
      right: task.test.every((_, test) => isRight(first?.best, test) || isRight(second?.best, test)),
      rightFirst: first !== undefined && allRight(first.best),
      cpuSeconds: (used.user + used.system) / 1e6,
    };
  };
  const others = judged.filter((rule) => !allRight(rule));
  const cases = [caseOf(judged, false), ...(others.length < judged.length ? [caseOf(others, true)] : [])];
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread has no origin
  parentPort?.postMessage(cases);
});
