import type { GoalListRow } from '../../shared/api.ts';
import type {
  AttemptRow,
  GoalDetail,
  GoalRow,
  GoalStanding,
  ProofRow,
  SlateRow,
  VerdictRow,
} from '../../shared/ledger.ts';
import type { Database } from './database.ts';

const columns = `run, goal, statement, topic, label, difficulty, priority, source, requester, goals.goal_hash, fingerprint, status,
  until, ticket, attempts, goal_status.cpu_seconds, latest_error, refuted, reason`;

/** In the order in which they were added. */
export async function selectGoals(database: Database, run: string): Promise<GoalRow[]> {
  return await database.all(
    `SELECT ${columns} FROM goals JOIN goal_status USING (run, goal) WHERE run = $1 ORDER BY seq`,
    run,
  );
}

export async function selectUncheckedGoals(
  database: Database,
  judge: string,
): Promise<Pick<GoalRow, 'run' | 'goal'>[]> {
  return await database.all(
    `SELECT run, goal FROM proofs GROUP BY run, goal
     HAVING NOT bool_or(judge IS NOT DISTINCT FROM $1 AND assurance IN ('replayed', 'second-kernel'))`,
    judge,
  );
}

/** With the time of its latest attempt; of all goals, or of these. */
export async function selectGoalList(
  database: Database,
  run: string,
  goals?: readonly string[],
): Promise<GoalListRow[]> {
  return await database.all(
    `SELECT ${columns}, (SELECT at FROM finished_attempts AS its WHERE its.run = goals.run AND its.goal = goals.goal
       ORDER BY its.seq DESC LIMIT 1) AS latest
     FROM goals JOIN goal_status USING (run, goal)
     WHERE run = $1 AND ($2::text[] IS NULL OR goal = ANY ($2::text[])) ORDER BY seq`,
    run,
    goals ?? null,
  );
}

/** Without the long texts. */
export async function selectGoalStates(database: Database, run: string): Promise<GoalStanding[]> {
  return await database.all(
    `SELECT goal, status, label, difficulty, goal_status.cpu_seconds
     FROM goals JOIN goal_status USING (run, goal) WHERE run = $1 ORDER BY seq`,
    run,
  );
}

type GoalItself = Omit<GoalDetail, 'slates' | 'attempt_rows' | 'verdicts' | 'proofs'>;

export async function selectGoal(
  database: Database,
  run: string,
  goal: string,
): Promise<GoalItself | undefined> {
  const [row] = await database.all<GoalItself>(
    `SELECT ${columns}, preamble, features, (SELECT body -> 'task' FROM events WHERE events.seq = goals.seq) AS task
     FROM goals JOIN goal_status USING (run, goal) WHERE run = $1 AND goal = $2`,
    run,
    goal,
  );
  return row;
}

export async function selectSlatesOf(database: Database, run: string, goal: string): Promise<SlateRow[]> {
  return await database.all(
    'SELECT seq, at, slot, round, limits, arms, reason FROM slates WHERE run = $1 AND goal = $2 ORDER BY seq',
    run,
    goal,
  );
}

export async function selectAttemptsOf(database: Database, run: string, goal: string): Promise<AttemptRow[]> {
  return await database.all(
    `SELECT seq, attempt, strategy, arm, signature, params, started, outcome, tactics, next_goals, premises, cache_hits,
       cpu_seconds, wall_seconds, peak_bytes, gpu_seconds, cloud_seconds, input_tokens, output_tokens, microdollars, error,
       parent, reward,
       (SELECT body -> 'model' FROM events WHERE events.seq = finished_attempts.seq) AS model
     FROM finished_attempts WHERE run = $1 AND goal = $2 ORDER BY seq`,
    run,
    goal,
  );
}

export async function selectVerdictsOf(database: Database, run: string, goal: string): Promise<VerdictRow[]> {
  return await database.all(
    `SELECT seq, at, attempt, strategy, arm, proof, verdict, kind, message, cpu_seconds
     FROM verdicts WHERE run = $1 AND goal = $2 ORDER BY seq`,
    run,
    goal,
  );
}

export async function selectProofsOf(database: Database, run: string, goal: string): Promise<ProofRow[]> {
  return await database.all(
    `SELECT seq, at, attempt, strategy, arm, proof, premises, assurance, axioms, assumes, toolchain, judge, fingerprint
     FROM proofs WHERE run = $1 AND goal = $2 ORDER BY seq`,
    run,
    goal,
  );
}
