import type { RunRow } from '../../../shared/ledger.ts';
import type { Experience } from '../experience.ts';
import type { Views } from '../ledger.ts';
import type { Reader } from './reader.ts';

/** Number of runs searched for one whose process is gone. */
const unfinishedLooked = 50;

const openGoals = `FROM goals JOIN goal_status USING (run, goal)
  WHERE run = runs.run AND requester IS NULL AND status IN ('queued', 'racing', 'parked', 'stopped')`;

/** Runs that can be continued, and their goals. */
export const resuming = (reader: Reader): Pick<Experience, 'unfinishedRuns' | 'openGoals' | 'inFlight'> => ({
  async unfinishedRuns() {
    const owner = reader.dialect.object({
      place: 'place',
      pid: 'pid',
      started: 'presence.started',
      heard: 'heard',
    });
    return await reader.rows(
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
  },
  openGoals: async (run) =>
    await reader.rows(
      `SELECT goal, statement, preamble, topic, label, difficulty, priority, source, allow_axioms AS "allowAxioms",
         body -> 'task' AS task
       FROM goals JOIN goal_status USING (run, goal) JOIN events USING (seq)
       WHERE goals.run = $1 AND status IN ('queued', 'racing', 'parked', 'stopped') AND requester IS NULL
       ORDER BY seq`,
      [run],
      ['allowAxioms', 'task'],
    ),
  inFlight: async (run) => await selectRunning(reader, run),
});

async function selectRunning({ rows, dialect }: Reader, run: string): ReturnType<Views['running']> {
  return await rows(
    `SELECT attempt, goal, strategy, arm, started FROM in_flight WHERE run = $1
     ORDER BY started, attempt${dialect.byBytes}`,
    [run],
  );
}

const runRows = `SELECT run, started, command, (SELECT body ->> 'label' FROM events WHERE events.seq = runs.seq) AS label,
    resumes, seed, toolchain, version, sources, config, strategies, finished, reason, message,
    coalesce(goals_total, (SELECT count(*) FROM goals WHERE goals.run = runs.run AND requester IS NULL)) AS goals_total,
    coalesce(goals_solved, (SELECT count(*) FROM goals JOIN goal_status USING (run, goal)
      WHERE run = runs.run AND requester IS NULL AND status = 'solved')) AS goals_solved,
    cpu_seconds, wall_seconds, utilisation
  FROM runs`;
const runJson = ['sources', 'config', 'strategies'] as const;

/** Goals of an active run are counted; a finished run has recorded its number. */
export const runViews = (
  reader: Reader,
): Pick<Views, 'runs' | 'run' | 'running' | 'heard' | 'cpuSeconds'> => ({
  runs: async (limit) => await reader.rows(`${runRows} ORDER BY seq DESC LIMIT $1`, [limit], runJson),
  run: async (run) => (await reader.rows<RunRow>(`${runRows} WHERE run = $1`, [run], runJson))[0],
  running: async (run) => await selectRunning(reader, run),
  async heard(run) {
    const sql = 'SELECT heard FROM presence WHERE run = $1';
    return (await reader.rows<{ heard: number }>(sql, [run]))[0]?.heard;
  },
  async cpuSeconds() {
    const [row] = await reader.rows<{ seconds: number }>(
      `SELECT coalesce(sum(coalesce(cpu_seconds, (SELECT CAST(body ->> 'cpu_seconds' AS double precision) FROM events
         WHERE type = 'sample' AND events.run = runs.run ORDER BY seq DESC LIMIT 1))), 0) AS seconds FROM runs`,
    );
    return row?.seconds ?? 0;
  },
});
