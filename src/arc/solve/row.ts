import { comparatorVersion, compare, type FeatureVector } from '../comparator.ts';
import { errorType, type ErrorType } from '../error-type.ts';
import { gridFromRows, gridToRows, type Grid, type Rows } from '../grid.ts';
import type { Ranked, TeacherResult } from '../propose/teacher.ts';
import { programHash, type Program } from '../rules/program.ts';
import type { Attempts } from '../scoring.ts';
import type { Task } from '../task.ts';
import { verify } from '../verify.ts';

/** A candidate of `arc.md`, with its verdict. */
interface Candidate {
  readonly candidate_id: string;
  readonly source: 'teacher';
  readonly parent_id: null;
  readonly directive: null;
  readonly program: Program;
  readonly by: string;
  readonly verifier_score: number;
  readonly feature_vec: FeatureVector;
  readonly error_type: ErrorType;
}

/** What a run says about one task: no times, so equal runs give equal bytes. */
export interface Row {
  readonly task_id: string;
  readonly comparator: string;
  readonly fits: boolean;
  readonly nodes: number;
  readonly candidates: readonly Candidate[];
  /** One entry a test input: rows of the two attempts, null where there is none. */
  readonly attempts: readonly (readonly [Rows | null, Rows | null])[];
}

const attemptCount = 2;

export function rowFor(task: Task, result: TeacherResult): Row {
  const chosen = result.ranked.slice(0, attemptCount);
  const candidates = chosen.map((ranked) => candidateOf(task, ranked));
  return {
    task_id: task.id,
    comparator: comparatorVersion,
    fits: candidates.some(({ verifier_score }) => verifier_score === 1),
    nodes: result.nodes,
    candidates,
    attempts: task.test.map((_, i) => [attemptRows(chosen[0], i), attemptRows(chosen[1], i)]),
  };
}

function candidateOf(task: Task, { program, by }: Ranked): Candidate {
  const verdict = verify(program, task);
  const { feature_vec, verifier_score } = compare(program, task, verdict);
  const candidate_id = programHash(program);
  return {
    candidate_id,
    source: 'teacher',
    parent_id: null,
    directive: null,
    program,
    by,
    verifier_score,
    feature_vec,
    error_type: errorType(task.train, verdict, feature_vec),
  };
}

function attemptRows(ranked: Ranked | undefined, test: number): Rows | null {
  const grid = ranked?.answers[test] ?? null;
  return grid === null ? null : gridToRows(grid);
}

export function attemptsOf(row: Row): Attempts[] {
  return row.attempts.map(([first, second]) => [asGrid(first), asGrid(second)]);
}

function asGrid(rows: Rows | null): Grid | null {
  return rows === null ? null : gridFromRows(rows);
}
