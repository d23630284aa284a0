import type { InFlight, OpenGoal, RunRecord } from '../../core/memory.ts';
import type { InFlightAttempt } from '../../shared/api.ts';
import type { RunRow } from '../../shared/ledger.ts';
import { decode, type Database, type Row } from './database.ts';

const record = 'run, command, seed, toolchain, started, reason, sources';

export function selectLastRun(database: Database): RunRecord | undefined {
  const row = database.get(`SELECT ${record} FROM runs ORDER BY seq DESC LIMIT 1`);
  return row && decode(row, 'sources');
}

export function selectInterruptedRun(database: Database): RunRecord | undefined {
  const row = database.get(
    `SELECT ${record} FROM runs
     WHERE (reason IS NULL OR reason IN ('drained', 'failed'))
       AND NOT EXISTS (SELECT 1 FROM runs AS later WHERE later.resumes = runs.run)
       AND EXISTS (SELECT 1 FROM goal_status
         WHERE goal_status.run = runs.run AND status IN ('queued', 'racing', 'parked'))
     ORDER BY seq DESC LIMIT 1`,
  );
  return row && decode(row, 'sources');
}

export function selectOpenGoals(database: Database, run: string): OpenGoal[] {
  return database
    .all(
      `SELECT goal, statement, preamble, topic, label, difficulty, priority, source, allow_axioms AS allowAxioms,
         body -> 'task' AS task
       FROM goals JOIN goal_status USING (run, goal) JOIN events USING (seq)
       WHERE goals.run = ? AND status IN ('queued', 'racing', 'parked') AND body ->> 'requester' IS NULL
       ORDER BY seq`,
      run,
    )
    .map((row) => decode(row, 'allowAxioms', 'task'));
}

export function selectInFlight(database: Database, run: string): InFlight[] {
  return database
    .all('SELECT attempt, goal, strategy, arm FROM in_flight WHERE run = ? ORDER BY started, attempt', run)
    .map((row) => decode(row));
}

/** The attempts of a run that have started and not ended. */
export function selectRunning(database: Database, run: string): InFlightAttempt[] {
  return database.all<InFlightAttempt>(
    'SELECT attempt, goal, strategy, arm, started FROM in_flight WHERE run = ? ORDER BY started, attempt',
    run,
  );
}

/** Newest first. The goals of a run that goes on are counted; one that has finished said how many there were. */
export function selectRuns(database: Database, limit: number): RunRow[] {
  return database.all(`${runRows} ORDER BY seq DESC LIMIT ?`, limit).map(runFrom);
}

export function selectRun(database: Database, run: string): RunRow | undefined {
  const row = database.get(`${runRows} WHERE run = ?`, run);
  return row && runFrom(row);
}

const runRows = `SELECT run, started, command, resumes, seed, toolchain, version, sources, config, strategies, finished,
    reason, message,
    coalesce(goals_total, (SELECT count(*) FROM goal_status WHERE goal_status.run = runs.run)) AS goals_total,
    coalesce(goals_solved, (SELECT count(*) FROM goal_status
      WHERE goal_status.run = runs.run AND status = 'solved')) AS goals_solved,
    cpu_seconds, wall_seconds, utilisation
  FROM runs`;

const runFrom = (row: Row): RunRow => decode(row, 'sources', 'config', 'strategies');

export function selectCpuSeconds(database: Database): number {
  const row = database.get<{ seconds: number }>(
    `SELECT total(coalesce(cpu_seconds, (SELECT body ->> 'cpu_seconds' FROM events
       WHERE type = 'sample' AND events.run = runs.run ORDER BY seq DESC LIMIT 1))) AS seconds FROM runs`,
  );
  return row?.seconds ?? 0;
}
