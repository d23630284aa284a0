import type { OpenGoal, UnfinishedRun } from '../ledger/experience.ts';
import type { InFlightAttempt } from '../../shared/api.ts';
import type { RunRow } from '../../shared/ledger.ts';
import { decode, type Database } from './database.ts';

/** Number of runs searched for one whose process is gone. */
const unfinishedLooked = 50;

export function selectUnfinishedRuns(database: Database): UnfinishedRun[] {
  return decode(
    database.all(
      `SELECT run, command, seed, runs.started, reason, sources, config,
         coalesce((SELECT body -> 'settings' FROM events WHERE events.seq = runs.seq), '{}') AS settings,
         coalesce((SELECT body -> 'options' FROM events WHERE events.seq = runs.seq), '{}') AS options,
         (SELECT count(*) FROM goals JOIN goal_status USING (run, goal)
           WHERE run = runs.run AND requester IS NULL AND status IN ('queued', 'racing', 'parked')) AS openGoals,
         iif(presence.run IS NULL, NULL, json_object('place', place, 'pid', pid, 'started', presence.started,
           'heard', heard)) AS owner
       FROM runs LEFT JOIN presence USING (run)
       WHERE (reason IS NULL OR reason IN ('timeout', 'drained', 'failed')) AND openGoals > 0
         AND NOT EXISTS (SELECT 1 FROM runs AS later WHERE later.resumes = runs.run)
       ORDER BY seq DESC LIMIT ?`,
      unfinishedLooked,
    ),
    'sources',
    'config',
    'settings',
    'options',
    'owner',
  );
}

export function selectHeard(database: Database, run: string): number | undefined {
  const [row] = database.all<{ heard: number }>('SELECT heard FROM presence WHERE run = ?', run);
  return row?.heard;
}

export function selectOpenGoals(database: Database, run: string): OpenGoal[] {
  return decode(
    database.all(
      `SELECT goal, statement, preamble, topic, label, difficulty, priority, source, allow_axioms AS allowAxioms,
         body -> 'task' AS task
       FROM goals JOIN goal_status USING (run, goal) JOIN events USING (seq)
       WHERE goals.run = ? AND status IN ('queued', 'racing', 'parked') AND requester IS NULL
       ORDER BY seq`,
      run,
    ),
    'allowAxioms',
    'task',
  );
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
  return decode(database.all(`${runRows} ORDER BY seq DESC LIMIT ?`, limit), ...runJson);
}

export function selectRun(database: Database, run: string): RunRow | undefined {
  const [row] = decode<RunRow>(database.all(`${runRows} WHERE run = ?`, run), ...runJson);
  return row;
}

const runRows = `SELECT run, started, command, (SELECT body ->> 'label' FROM events WHERE events.seq = runs.seq) AS label, resumes, seed, toolchain, version, sources, config, strategies, finished,
    reason, message,
    coalesce(goals_total, (SELECT count(*) FROM goals WHERE goals.run = runs.run AND requester IS NULL)) AS goals_total,
    coalesce(goals_solved, (SELECT count(*) FROM goals JOIN goal_status USING (run, goal)
      WHERE run = runs.run AND requester IS NULL AND status = 'solved')) AS goals_solved,
    cpu_seconds, wall_seconds, utilisation
  FROM runs`;
const runJson = ['sources', 'config', 'strategies'] as const;

export function selectCpuSeconds(database: Database): number {
  const [row] = database.all<{ seconds: number }>(
    `SELECT total(coalesce(cpu_seconds, (SELECT body ->> 'cpu_seconds' FROM events
       WHERE type = 'sample' AND events.run = runs.run ORDER BY seq DESC LIMIT 1))) AS seconds FROM runs`,
  );
  return row?.seconds ?? 0;
}
