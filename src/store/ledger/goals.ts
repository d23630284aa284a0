import type { GoalListRow } from '../../shared/api.ts';
import type { AttemptRow, GoalDetail, GoalRow, ProofRow, SlateRow, VerdictRow } from '../../shared/ledger.ts';
import { decode, type Database } from './database.ts';

const columns = `run, goal, statement, topic, label, difficulty, priority, source, goal_hash, fingerprint, status, until,
  ticket, attempts, goal_status.cpu_seconds, latest_error, reason`;

/** In the order in which they were added. */
export function selectGoals(database: Database, run: string): GoalRow[] {
  return database
    .all(`SELECT ${columns} FROM goals JOIN goal_status USING (run, goal) WHERE run = ? ORDER BY seq`, run)
    .map((row) => decode(row));
}

/** With the time of its latest attempt; statement and error are cut to `length` characters and one more, as a sign. */
export function selectGoalList(database: Database, run: string, length: number): GoalListRow[] {
  return database.all<GoalListRow>(
    `SELECT run, goal, substr(statement, 1, ?2 + 1) AS statement, topic, label, difficulty, priority, source, goal_hash,
       fingerprint, status, until, ticket, attempts, goal_status.cpu_seconds,
       substr(latest_error, 1, ?2 + 1) AS latest_error, reason, ${latest} AS latest
     FROM goals JOIN goal_status USING (run, goal) WHERE run = ?1 ORDER BY seq`,
    run,
    length,
  );
}

const latest = `(SELECT at FROM finished_attempts AS its
  WHERE its.run = goals.run AND its.goal = goals.goal ORDER BY its.seq DESC LIMIT 1)`;

type GoalItself = Omit<GoalDetail, 'slates' | 'attempt_rows' | 'verdicts' | 'proofs'>;

export function selectGoal(database: Database, run: string, goal: string): GoalItself | undefined {
  const row = database.get(
    `SELECT ${columns}, preamble, features FROM goals JOIN goal_status USING (run, goal) WHERE run = ? AND goal = ?`,
    run,
    goal,
  );
  return row && decode(row, 'features');
}

export function selectSlatesOf(database: Database, run: string, goal: string): SlateRow[] {
  return database
    .all(
      'SELECT seq, at, slot, round, limits, arms, reason FROM slates WHERE run = ? AND goal = ? ORDER BY seq',
      run,
      goal,
    )
    .map((row) => decode(row, 'limits', 'arms'));
}

export function selectAttemptsOf(database: Database, run: string, goal: string): AttemptRow[] {
  return database
    .all(
      `SELECT seq, attempt, strategy, arm, signature, params, started, outcome, tactics, next_goals, premises, cache_hits,
         cpu_seconds, wall_seconds, peak_bytes, gpu_seconds, cloud_seconds, error, parent, reward
       FROM finished_attempts WHERE run = ? AND goal = ? ORDER BY seq`,
      run,
      goal,
    )
    .map((row) => decode(row, 'params', 'tactics', 'next_goals', 'premises'));
}

export function selectVerdictsOf(database: Database, run: string, goal: string): VerdictRow[] {
  return database
    .all(
      `SELECT seq, at, attempt, strategy, arm, proof, verdict, kind, message, cpu_seconds
       FROM verdicts WHERE run = ? AND goal = ? ORDER BY seq`,
      run,
      goal,
    )
    .map((row) => decode(row));
}

export function selectProofsOf(database: Database, run: string, goal: string): ProofRow[] {
  return database
    .all(
      `SELECT seq, at, attempt, strategy, arm, proof, premises, assurance, axioms, assumes, toolchain, fingerprint
       FROM proofs WHERE run = ? AND goal = ? ORDER BY seq`,
      run,
      goal,
    )
    .map((row) => decode(row, 'premises', 'axioms', 'assumes'));
}
