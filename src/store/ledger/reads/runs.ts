import type { InFlightAttempt } from '../../../shared/api.ts';
import type { RunRow } from '../../../shared/ledger.ts';
import type { OpenGoal, UnfinishedRun } from '../experience.ts';
import type { Reader } from './reader.ts';

/** Number of runs searched for one whose process is gone. */
const unfinishedLooked = 50;

const openGoals = `FROM goals JOIN goal_status USING (run, goal)
  WHERE run = runs.run AND requester IS NULL AND status IN ('queued', 'racing', 'parked', 'stopped')`;

export async function selectUnfinishedRuns({ rows, dialect }: Reader): Promise<UnfinishedRun[]> {
  const owner = dialect.object({
    place: 'place',
    pid: 'pid',
    started: 'presence.started',
    heard: 'heard',
  });
  return await rows(
    `SELECT run, command, seed, runs.started, reason, sources, config,
       coalesce((SELECT body -> 'settings' FROM events WHERE events.seq = runs.seq), '{}') AS settings,
       coalesce((SELECT body -> 'options' FROM events WHERE events.seq = runs.seq), '{}') AS options,
       (SELECT count(*) ${openGoals}) AS "openGoals",
       CASE WHEN presence.run IS NOT NULL THEN ${owner} END AS owner
     FROM runs LEFT JOIN presence USING (run)
     WHERE (reason IS NULL OR reason IN ('timeout', 'drained', 'failed')) AND EXISTS (SELECT 1 ${openGoals})
       AND NOT EXISTS (SELECT 1 FROM runs AS later WHERE later.resumes = runs.run)
     ORDER BY seq DESC LIMIT $1`,
    [unfinishedLooked],
    ['sources', 'config', 'settings', 'options', 'owner'],
  );
}

export async function selectHeard({ rows }: Reader, run: string): Promise<number | undefined> {
  const [row] = await rows<{ heard: number }>('SELECT heard FROM presence WHERE run = $1', [run]);
  return row?.heard;
}

export async function selectOpenGoals({ rows }: Reader, run: string): Promise<OpenGoal[]> {
  return await rows(
    `SELECT goal, statement, preamble, topic, label, difficulty, priority, source, allow_axioms AS "allowAxioms",
       body -> 'task' AS task
     FROM goals JOIN goal_status USING (run, goal) JOIN events USING (seq)
     WHERE goals.run = $1 AND status IN ('queued', 'racing', 'parked', 'stopped') AND requester IS NULL
     ORDER BY seq`,
    [run],
    ['allowAxioms', 'task'],
  );
}

/** The attempts of a run that have started and not ended. */
export async function selectRunning({ rows, dialect }: Reader, run: string): Promise<InFlightAttempt[]> {
  return await rows(
    `SELECT attempt, goal, strategy, arm, started FROM in_flight WHERE run = $1
     ORDER BY started, attempt${dialect.byBytes}`,
    [run],
  );
}

/** Newest first. Goals of an active run are counted; a finished run has recorded its number. */
export async function selectRuns({ rows }: Reader, limit: number): Promise<RunRow[]> {
  return await rows(`${runRows} ORDER BY seq DESC LIMIT $1`, [limit], runJson);
}

export async function selectRun({ rows }: Reader, run: string): Promise<RunRow | undefined> {
  const [row] = await rows<RunRow>(`${runRows} WHERE run = $1`, [run], runJson);
  return row;
}

const runRows = `SELECT run, started, command, (SELECT body ->> 'label' FROM events WHERE events.seq = runs.seq) AS label,
    resumes, seed, toolchain, version, sources, config, strategies, finished, reason, message,
    coalesce(goals_total, (SELECT count(*) FROM goals WHERE goals.run = runs.run AND requester IS NULL)) AS goals_total,
    coalesce(goals_solved, (SELECT count(*) FROM goals JOIN goal_status USING (run, goal)
      WHERE run = runs.run AND requester IS NULL AND status = 'solved')) AS goals_solved,
    cpu_seconds, wall_seconds, utilisation
  FROM runs`;
const runJson = ['sources', 'config', 'strategies'] as const;

export async function selectCpuSeconds({ rows }: Reader): Promise<number> {
  const [row] = await rows<{ seconds: number }>(
    `SELECT coalesce(sum(coalesce(cpu_seconds, (SELECT CAST(body ->> 'cpu_seconds' AS double precision) FROM events
       WHERE type = 'sample' AND events.run = runs.run ORDER BY seq DESC LIMIT 1))), 0) AS seconds FROM runs`,
  );
  return row?.seconds ?? 0;
}
