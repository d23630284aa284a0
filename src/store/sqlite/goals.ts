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
import { decode, type Database } from './database.ts';

const columns = `run, goal, statement, topic, label, difficulty, priority, source, requester, goals.goal_hash, fingerprint, status,
  until, ticket, attempts, goal_status.cpu_seconds, latest_error, refuted, reason`;

/** In the order in which they were added. */
export function selectGoals(database: Database, run: string): GoalRow[] {
  return decode(
    database.all(
      `SELECT ${columns} FROM goals JOIN goal_status USING (run, goal) WHERE run = ? ORDER BY seq`,
      run,
    ),
  );
}

export function selectUncheckedGoals(database: Database, judge: string): Pick<GoalRow, 'run' | 'goal'>[] {
  return database.all(
    `SELECT run, goal FROM proofs GROUP BY run, goal
     HAVING NOT max(judge IS ? AND assurance IN ('replayed', 'second-kernel'))`,
    judge,
  );
}

/** With the time of its latest attempt. Nothing in a row has to be decoded: of 20,000 goals that is half of the time. */
export function selectGoalList(database: Database, run: string, goals?: readonly string[]): GoalListRow[] {
  const select = `SELECT ${columns}, ${latest} AS latest FROM goals JOIN goal_status USING (run, goal) WHERE run = ?`;
  if (goals === undefined) return database.all<GoalListRow>(`${select} ORDER BY seq`, run);
  return database.all<GoalListRow>(
    `${select} AND goal IN (SELECT value FROM json_each(?)) ORDER BY seq`,
    run,
    JSON.stringify(goals),
  );
}

/** Without the long texts. */
export function selectGoalStates(database: Database, run: string): GoalStanding[] {
  return database.all<GoalStanding>(
    `SELECT goal, status, label, difficulty, goal_status.cpu_seconds
     FROM goals JOIN goal_status USING (run, goal) WHERE run = ? ORDER BY seq`,
    run,
  );
}

const latest = `(SELECT at FROM finished_attempts AS its
  WHERE its.run = goals.run AND its.goal = goals.goal ORDER BY its.seq DESC LIMIT 1)`;

type GoalItself = Omit<GoalDetail, 'slates' | 'attempt_rows' | 'verdicts' | 'proofs'>;

export function selectGoal(database: Database, run: string, goal: string): GoalItself | undefined {
  const [row] = decode<GoalItself>(
    database.all(
      `SELECT ${columns}, preamble, features, (SELECT body -> 'task' FROM events WHERE events.seq = goals.seq) AS task
       FROM goals JOIN goal_status USING (run, goal) WHERE run = ? AND goal = ?`,
      run,
      goal,
    ),
    'features',
    'task',
  );
  return row;
}

export function selectSlatesOf(database: Database, run: string, goal: string): SlateRow[] {
  return decode(
    database.all(
      'SELECT seq, at, slot, round, limits, arms, reason FROM slates WHERE run = ? AND goal = ? ORDER BY seq',
      run,
      goal,
    ),
    'limits',
    'arms',
  );
}

export function selectAttemptsOf(database: Database, run: string, goal: string): AttemptRow[] {
  return decode(
    database.all(
      `SELECT seq, attempt, strategy, arm, signature, params, started, outcome, tactics, next_goals, premises, cache_hits,
         cpu_seconds, wall_seconds, peak_bytes, gpu_seconds, cloud_seconds, input_tokens, output_tokens, microdollars, error,
         parent, reward,
         (SELECT body -> 'model' FROM events WHERE events.seq = finished_attempts.seq) AS model
       FROM finished_attempts WHERE run = ? AND goal = ? ORDER BY seq`,
      run,
      goal,
    ),
    'params',
    'tactics',
    'next_goals',
    'premises',
    'model',
  );
}

export function selectVerdictsOf(database: Database, run: string, goal: string): VerdictRow[] {
  return decode(
    database.all(
      `SELECT seq, at, attempt, strategy, arm, proof, verdict, kind, message, cpu_seconds
       FROM verdicts WHERE run = ? AND goal = ? ORDER BY seq`,
      run,
      goal,
    ),
  );
}

export function selectProofsOf(database: Database, run: string, goal: string): ProofRow[] {
  return decode(
    database.all(
      `SELECT seq, at, attempt, strategy, arm, proof, premises, assurance, axioms, assumes, toolchain, judge, fingerprint
       FROM proofs WHERE run = ? AND goal = ? ORDER BY seq`,
      run,
      goal,
    ),
    'premises',
    'axioms',
    'assumes',
  );
}
