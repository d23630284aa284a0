import type { ProgressPoint, ScorePoint } from '../../shared/api.ts';
import type { EventOf } from '../../shared/events.ts';
import { progressFrom } from '../ledger/progress.ts';
import type { Database } from './database.ts';
import { eventFrom, type EventRow } from './journal.ts';

/** A run over time. */

export async function selectRunSamples(
  database: Database,
  run: string,
  points: number,
): Promise<EventOf<'sample'>[]> {
  const rows = await database.all<EventRow>(
    `SELECT * FROM events WHERE seq IN (
       SELECT seq FROM (
         SELECT seq, row_number() OVER (ORDER BY seq DESC) - 1 AS age, count(*) OVER () AS total
         FROM events WHERE type = 'sample' AND run = $1) AS aged
       WHERE age % ((total + $2::bigint - 1) / $2::bigint) = 0)
     ORDER BY seq`,
    run,
    points,
  );
  return rows.map((row) => eventFrom(row) as EventOf<'sample'>);
}

export async function selectLastSample(
  database: Database,
  run: string,
): Promise<EventOf<'sample'> | undefined> {
  const [row] = await database.all<EventRow>(
    "SELECT * FROM events WHERE type = 'sample' AND run = $1 ORDER BY seq DESC LIMIT 1",
    run,
  );
  return row && (eventFrom(row) as EventOf<'sample'>);
}

export async function selectScores(database: Database, run: string, points: number): Promise<ScorePoint[]> {
  return await database.all(
    `SELECT at, arms FROM slates WHERE seq IN (
       SELECT seq FROM (
         SELECT seq, row_number() OVER (ORDER BY seq DESC) - 1 AS age, count(*) OVER () AS total
         FROM slates WHERE run = $1) AS aged
       WHERE age % ((total + $2::bigint - 1) / $2::bigint) = 0)
     ORDER BY seq`,
    run,
    points,
  );
}

export async function selectProgress(
  database: Database,
  run: string,
  points: number,
): Promise<ProgressPoint[]> {
  const rows = await database.all<{ at: number; goal: string; solved: boolean }>(
    `SELECT at, body ->> 'goal' AS goal, (body ->> 'solved')::boolean AS solved FROM events
     WHERE type = 'goal-closed' AND run = $1 ORDER BY seq`,
    run,
  );
  return progressFrom(rows, points);
}

export async function selectNotes(
  database: Database,
  run: string,
  limit: number,
): Promise<EventOf<'note'>[]> {
  const rows = await database.all<EventRow>(
    "SELECT * FROM events WHERE type = 'note' AND run = $1 ORDER BY seq DESC LIMIT $2",
    run,
    limit,
  );
  return rows.map((row) => eventFrom(row) as EventOf<'note'>);
}
