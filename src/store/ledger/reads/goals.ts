import type { GoalListRow } from '../../../shared/api.ts';
import type {
  AttemptRow,
  GoalDetail,
  GoalInRun,
  GoalRow,
  GoalStanding,
  ProofRow,
  SlateRow,
  VerdictRow,
} from '../../../shared/ledger.ts';
import type { Reader } from './reader.ts';

const columns = `run, goal, statement, topic, label, difficulty, priority, source, requester, goals.goal_hash, fingerprint, status,
  until, ticket, attempts, goal_status.cpu_seconds, latest_error, refuted, reason`;

/** In the order in which they were added. */
export async function selectGoals({ rows }: Reader, run: string): Promise<GoalRow[]> {
  return await rows(
    `SELECT ${columns} FROM goals JOIN goal_status USING (run, goal) WHERE run = $1 ORDER BY seq`,
    [run],
  );
}

export async function selectUncheckedGoals(
  { rows }: Reader,
  judge: string,
): Promise<Pick<GoalRow, 'run' | 'goal'>[]> {
  return await rows(
    `SELECT run, goal FROM proofs GROUP BY run, goal
     HAVING max(CASE WHEN judge = $1 AND assurance IN ('replayed', 'second-kernel') THEN 1 ELSE 0 END) = 0`,
    [judge],
  );
}

/** With the time of its latest attempt; of all goals, or of these. */
export async function selectGoalList(
  { rows, dialect }: Reader,
  run: string,
  goals?: readonly string[],
): Promise<GoalListRow[]> {
  const select = `SELECT ${columns}, ${latest} AS latest FROM goals JOIN goal_status USING (run, goal) WHERE run = $1`;
  if (goals === undefined) return await rows(`${select} ORDER BY seq`, [run]);
  return await rows(`${select} AND ${dialect.isOneOf('goal', '$2')} ORDER BY seq`, [run, goals]);
}

const latest = `(SELECT at FROM finished_attempts AS its
  WHERE its.run = goals.run AND its.goal = goals.goal ORDER BY its.seq DESC LIMIT 1)`;

/** Without the long texts. */
export async function selectGoalStates({ rows }: Reader, run: string): Promise<GoalStanding[]> {
  return await rows(
    `SELECT goal, requester, status, label, difficulty, goal_status.cpu_seconds
     FROM goals JOIN goal_status USING (run, goal) WHERE run = $1 ORDER BY seq`,
    [run],
  );
}

/** A goal with everything that happened to it. */
export async function selectGoalDetail(
  reader: Reader,
  run: string,
  goal: string,
): Promise<GoalDetail | undefined> {
  const [itself, slates, attempts, verdicts, proofs] = await Promise.all([
    selectGoal(reader, run, goal),
    selectSlatesOf(reader, run, goal),
    selectAttemptsOf(reader, run, goal),
    selectVerdictsOf(reader, run, goal),
    selectProofsOf(reader, run, goal),
  ]);
  if (itself === undefined) return undefined;
  const runs = await selectRunsOf(reader, itself);
  return { ...itself, slates, attempt_rows: attempts, verdicts, proofs, runs };
}

type GoalItself = Omit<GoalDetail, 'slates' | 'attempt_rows' | 'verdicts' | 'proofs' | 'runs'>;

/** By its identity, or by its name if it was never opened. */
async function selectRunsOf({ rows }: Reader, { goal, goal_hash }: GoalItself): Promise<GoalInRun[]> {
  const [which, value] = goal_hash === null ? ['goals.goal', goal] : ['goals.goal_hash', goal_hash];
  return await rows(
    `SELECT run, goal, runs.started, (SELECT body ->> 'label' FROM events WHERE events.seq = runs.seq) AS label,
       command, status, attempts, goal_status.cpu_seconds
     FROM goals JOIN goal_status USING (run, goal) JOIN runs USING (run)
     WHERE ${which} = $1 ORDER BY runs.seq DESC LIMIT ${runsListed}`,
    [value],
  );
}
const runsListed = 50;

async function selectGoal({ rows }: Reader, run: string, goal: string): Promise<GoalItself | undefined> {
  const [row] = await rows<GoalItself>(
    `SELECT ${columns}, preamble, features, (SELECT body -> 'task' FROM events WHERE events.seq = goals.seq) AS task
     FROM goals JOIN goal_status USING (run, goal) WHERE run = $1 AND goal = $2`,
    [run, goal],
    ['features', 'task'],
  );
  return row;
}

async function selectSlatesOf({ rows }: Reader, run: string, goal: string): Promise<SlateRow[]> {
  return await rows(
    'SELECT seq, at, slot, round, limits, arms, reason FROM slates WHERE run = $1 AND goal = $2 ORDER BY seq',
    [run, goal],
    ['limits', 'arms'],
  );
}

async function selectAttemptsOf({ rows }: Reader, run: string, goal: string): Promise<AttemptRow[]> {
  return await rows(
    `SELECT seq, attempt, strategy, arm, signature, params, started, outcome, tactics, next_goals, premises, cache_hits,
       cpu_seconds, wall_seconds, peak_bytes, gpu_seconds, cloud_seconds, input_tokens, output_tokens, microdollars, error,
       parent, reward,
       (SELECT body -> 'model' FROM events WHERE events.seq = finished_attempts.seq) AS model
     FROM finished_attempts WHERE run = $1 AND goal = $2 ORDER BY seq`,
    [run, goal],
    ['params', 'tactics', 'next_goals', 'premises', 'model'],
  );
}

async function selectVerdictsOf({ rows }: Reader, run: string, goal: string): Promise<VerdictRow[]> {
  return await rows(
    `SELECT seq, at, attempt, strategy, arm, proof, verdict, kind, message, cpu_seconds
     FROM verdicts WHERE run = $1 AND goal = $2 ORDER BY seq`,
    [run, goal],
  );
}

async function selectProofsOf({ rows }: Reader, run: string, goal: string): Promise<ProofRow[]> {
  return await rows(
    `SELECT seq, at, attempt, strategy, arm, proof, premises, assurance, axioms, assumes, toolchain, judge, fingerprint
     FROM proofs WHERE run = $1 AND goal = $2 ORDER BY seq`,
    [run, goal],
    ['premises', 'axioms', 'assumes'],
  );
}
