import type { OpenGoal, UnfinishedRun } from '../ledger/experience.ts';
import type { InFlightAttempt } from '../../shared/api.ts';
import type { RunRow } from '../../shared/ledger.ts';
import type { Database } from './database.ts';

/** Number of runs searched for one whose process is gone. */
const unfinishedLooked = 50;

export async function selectUnfinishedRuns(database: Database): Promise<UnfinishedRun[]> {
  return await database.all(
    `SELECT * FROM (
       SELECT run, command, seed, runs.started, reason, sources, config,
         coalesce((SELECT body -> 'settings' FROM events WHERE events.seq = runs.seq), '{}') AS settings,
         coalesce((SELECT body -> 'options' FROM events WHERE events.seq = runs.seq), '{}') AS options,
         (SELECT count(*) FROM goals JOIN goal_status USING (run, goal)
           WHERE run = runs.run AND requester IS NULL AND status IN ('queued', 'racing', 'parked')) AS "openGoals",
         CASE WHEN presence.run IS NOT NULL THEN
           json_build_object('place', place, 'pid', pid, 'started', presence.started, 'heard', heard) END AS owner
       FROM runs LEFT JOIN presence USING (run)
       WHERE (reason IS NULL OR reason IN ('timeout', 'drained', 'failed'))
         AND NOT EXISTS (SELECT 1 FROM runs AS later WHERE later.resumes = runs.run)
       ORDER BY seq DESC) AS stopped
     WHERE "openGoals" > 0 LIMIT $1`,
    unfinishedLooked,
  );
}

export async function selectHeard(database: Database, run: string): Promise<number | undefined> {
  const [row] = await database.all<{ heard: number }>('SELECT heard FROM presence WHERE run = $1', run);
  return row?.heard;
}

export async function selectOpenGoals(database: Database, run: string): Promise<OpenGoal[]> {
  return await database.all(
    `SELECT goal, statement, preamble, topic, label, difficulty, priority, source, allow_axioms AS "allowAxioms",
       body -> 'task' AS task
     FROM goals JOIN goal_status USING (run, goal) JOIN events USING (seq)
     WHERE goals.run = $1 AND status IN ('queued', 'racing', 'parked') AND requester IS NULL
     ORDER BY seq`,
    run,
  );
}

/** The attempts of a run that have started and not ended. */
export async function selectRunning(database: Database, run: string): Promise<InFlightAttempt[]> {
  return await database.all(
    `SELECT attempt, goal, strategy, arm, started FROM in_flight WHERE run = $1 ORDER BY started, attempt COLLATE "C"`,
    run,
  );
}

/** Newest first. The goals of a run that goes on are counted; one that has finished said how many there were. */
export async function selectRuns(database: Database, limit: number): Promise<RunRow[]> {
  return await database.all(`${runRows} ORDER BY seq DESC LIMIT $1`, limit);
}

export async function selectRun(database: Database, run: string): Promise<RunRow | undefined> {
  const [row] = await database.all<RunRow>(`${runRows} WHERE run = $1`, run);
  return row;
}

const runRows = `SELECT run, started, command, (SELECT body ->> 'label' FROM events WHERE events.seq = runs.seq) AS label,
    resumes, seed, toolchain, version, sources, config, strategies, finished, reason, message,
    coalesce(goals_total, (SELECT count(*) FROM goals WHERE goals.run = runs.run AND requester IS NULL)) AS goals_total,
    coalesce(goals_solved, (SELECT count(*) FROM goals JOIN goal_status USING (run, goal)
      WHERE run = runs.run AND requester IS NULL AND status = 'solved')) AS goals_solved,
    cpu_seconds, wall_seconds, utilisation
  FROM runs`;

export async function selectCpuSeconds(database: Database): Promise<number> {
  const [row] = await database.all<{ seconds: number }>(
    `SELECT coalesce(sum(coalesce(cpu_seconds, (SELECT (body ->> 'cpu_seconds')::double precision FROM events
       WHERE type = 'sample' AND events.run = runs.run ORDER BY seq DESC LIMIT 1))), 0) AS seconds FROM runs`,
  );
  return row?.seconds ?? 0;
}
