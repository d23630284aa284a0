import { comparatorVersion } from '../verify/comparator.ts';
import { emptyMemory, type TaskMemory } from '../learning/memory/bundle.ts';
import { attemptRows, chooseAttempts } from '../search/choose.ts';
import type { JudgedProposal } from '../search/teacher.ts';
import type { LoopRow, TaskTrace } from '../learning/schemas.ts';
import type { Task } from '../grid/task.ts';
import { isSolved, type LoopCandidate } from './candidate.ts';

type Head = Pick<TaskTrace, 'comparator' | 'seed' | 'run_key' | 'task_id' | 'iter_idx'>;

export function rowHead(taskId: string, seed: number, runKey: string, iter: number): Head {
  return {
    comparator: comparatorVersion,
    seed,
    run_key: runKey,
    task_id: taskId,
    iter_idx: Math.max(0, iter),
  };
}

interface Ending extends Head {
  readonly stop: LoopRow['stop'];
  readonly nodes: number;
  readonly nodesToBest: number;
  readonly scores: number[];
  readonly best: LoopCandidate | null;
  readonly pool: readonly JudgedProposal[];
  readonly memory: TaskMemory;
}

/** The result of a run for one task. The attempts are chosen from every judged program. */
export function rowOf(task: Task, ending: Ending): LoopRow {
  const { stop, nodes, nodesToBest, scores, best, pool, memory, ...head } = ending;
  const attempts = chooseAttempts(task, pool);
  const record = best?.record;
  return {
    schema: 'arc-row-2',
    ...head,
    failure: null,
    solved: record !== undefined && isSolved(record),
    fits: attempts.some(({ candidate }) => candidate.verifier_score === 1),
    confident: attempts[0]?.confident ?? false,
    stop,
    nodes,
    nodes_to_best: nodesToBest,
    scores,
    best:
      record === undefined || record.program === null
        ? null
        : {
            candidate_id: record.candidate_id,
            source: record.source,
            program: record.program,
            verifier_score: record.verifier_score,
            feature_vec: record.feature_vec,
            error_type: record.error_type,
            price: record.price,
          },
    attempts: attemptRows(task, attempts),
    memory: countsOf(memory),
  };
}

/** The row of a task that could not be searched: malformed, or its worker broke. */
export function failedRow(head: Head, failure: { kind: string; message: string }, tests: number): LoopRow {
  return {
    schema: 'arc-row-2',
    ...head,
    failure,
    solved: false,
    fits: false,
    confident: false,
    stop: 'failed',
    nodes: 0,
    nodes_to_best: 0,
    scores: [],
    best: null,
    attempts: Array.from({ length: tests }, () => [null, null]),
    memory: countsOf(emptyMemory),
  };
}

function countsOf({ ruler, critic }: TaskMemory): LoopRow['memory'] {
  return {
    solved_examples: ruler.solved_examples.length,
    repair_cases: ruler.repair_cases.length,
    fragments: ruler.fragments.length,
    episodes: ruler.episodes.length,
    summary: ruler.summary.length,
    critic_episodes: critic.episodes.length,
    critic_cases: critic.cases.length,
    left_out: ruler.left_out + critic.left_out,
  };
}
