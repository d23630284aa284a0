import { comparatorVersion, type FeatureVector } from '../verify/comparator.ts';
import { errorType, type ErrorType } from '../verify/error-type.ts';
import { gridToRows, type GridRows } from '../grid/grid.ts';
import { attemptRows } from '../search/choose.ts';
import type { JudgedProposal, TeacherResult } from '../search/teacher.ts';
import type { Program } from '../language/program.ts';
import { reasonFor, sentenceOf, stepsOf } from '../render/explain.ts';
import { attemptsIn, type AttemptRows, type Attempts } from '../verify/scoring.ts';
import type { Task } from '../grid/task.ts';
import { verify } from '../verify/verify.ts';

/** A candidate of a row, with its verdict. */
interface Candidate {
  readonly candidate_id: string;
  readonly source: 'teacher';
  readonly parent_id: null;
  readonly directive: null;
  readonly program: Program;
  readonly by: string;
  readonly price: number;
  readonly verifier_score: number;
  readonly feature_vec: FeatureVector;
  readonly error_type: ErrorType;
}

/** The result of a run for one task, without times, so that equal runs give equal bytes. */
export interface TaskRow {
  readonly task_id: string;
  readonly comparator: string;
  /** Whether some attempt's rule fits every training pair. */
  readonly fits: boolean;
  /** Whether the first attempt is confident; otherwise the attempts are guesses. */
  readonly confident: boolean;
  readonly nodes: number;
  /** Best first by the comparator, near misses too; the rules of the attempts are among them. */
  readonly candidates: readonly Candidate[];
  /** The rules of the attempts, with their confidence and their description. */
  readonly chosen: readonly {
    readonly candidate_id: string;
    readonly belief: number;
    readonly sentence: string;
  }[];
  /** The result of each step of the first attempt's rule on the first training input. */
  readonly steps: readonly { readonly text: string; readonly images: readonly GridRows[] }[];
  /** Why the second attempt came second; null without one. */
  readonly second_because: string | null;
  /** One entry per test input: rows of the two attempts, null if there is none. */
  readonly attempts: readonly AttemptRows[];
}

export function rowFor(task: Task, { candidates, attempts, nodes }: TeacherResult): TaskRow {
  const [first, second] = attempts;
  const chosen = attempts.map(({ candidate }) => candidate);
  const shown = [...candidates, ...chosen.filter((one) => !candidates.some(({ id }) => id === one.id))];
  return {
    task_id: task.id,
    comparator: comparatorVersion,
    fits: chosen.some(({ verifier_score }) => verifier_score === 1),
    confident: attempts[0]?.confident ?? false,
    nodes,
    candidates: shown.map((one) => candidateOf(task, one)),
    chosen: attempts.map(({ candidate, belief }) => ({
      candidate_id: candidate.id,
      belief: Math.round(belief * 1000) / 1000,
      sentence: sentenceOf(candidate.program),
    })),
    steps: first ? picturesOf(first.candidate.program, task) : [],
    second_because: first && second ? reasonFor(first, second) : null,
    attempts: attemptRows(task, attempts),
  };
}

function candidateOf(task: Task, one: JudgedProposal): Candidate {
  const { id, program, by, price, verifier_score, feature_vec } = one;
  return {
    candidate_id: id,
    source: 'teacher',
    parent_id: null,
    directive: null,
    program,
    by,
    price,
    verifier_score,
    feature_vec,
    error_type: errorType(task.train, verify(program, task), feature_vec),
  };
}

function picturesOf(program: Program, { train: [pair] }: Task): TaskRow['steps'] {
  if (pair === undefined) return [];
  return stepsOf(program, pair.input).map(({ text, grids }) => ({ text, images: grids.map(gridToRows) }));
}

export function attemptsOf({ attempts }: TaskRow): Attempts[] {
  return attemptsIn(attempts);
}
