import type { ProgressPoint, ScorePoint } from '../../shared/api.ts';
import type { EventOf } from '../../shared/events.ts';
import { progressFrom } from '../ledger/progress.ts';
import { decode, type Database } from './database.ts';
import { eventFrom, type EventRow } from './journal.ts';

/** A run over time. */

/** At most this many, evenly spread; the numbers are counted in the index, and only the chosen bodies are read. */
export function selectRunSamples(database: Database, run: string, points: number): EventOf<'sample'>[] {
  return database
    .all<EventRow>(
      `SELECT * FROM events WHERE seq IN (
         SELECT seq FROM (
           SELECT seq, row_number() OVER (ORDER BY seq DESC) - 1 AS age, count(*) OVER () AS total
           FROM events WHERE type = 'sample' AND run = ?1)
         WHERE age % ((total + ?2 - 1) / ?2) = 0)
       ORDER BY seq`,
      run,
      points,
    )
    .map((row) => eventFrom(row) as EventOf<'sample'>);
}

export function selectLastSample(database: Database, run: string): EventOf<'sample'> | undefined {
  const [row] = database.all<EventRow>(
    "SELECT * FROM events WHERE type = 'sample' AND run = ? ORDER BY seq DESC LIMIT 1",
    run,
  );
  return row && (eventFrom(row) as EventOf<'sample'>);
}

export function selectScores(database: Database, run: string, points: number): ScorePoint[] {
  return decode(
    database.all(
      `SELECT at, arms FROM slates WHERE seq IN (
         SELECT seq FROM (
           SELECT seq, row_number() OVER (ORDER BY seq DESC) - 1 AS age, count(*) OVER () AS total
           FROM slates WHERE run = ?1)
         WHERE age % ((total + ?2 - 1) / ?2) = 0)
       ORDER BY seq`,
      run,
      points,
    ),
    'arms',
  );
}

export function selectProgress(database: Database, run: string, points: number): ProgressPoint[] {
  const rows = database.all<{ at: number; goal: string; solved: number }>(
    `SELECT at, body ->> 'goal' AS goal, body ->> 'solved' AS solved FROM events
     WHERE type = 'goal-closed' AND run = ? ORDER BY seq`,
    run,
  );
  return progressFrom(
    rows.map(({ at, goal, solved }) => ({ at, goal, solved: solved === 1 })),
    points,
  );
}

export function selectNotes(database: Database, run: string, limit: number): EventOf<'note'>[] {
  return database
    .all<EventRow>(
      "SELECT * FROM events WHERE type = 'note' AND run = ? ORDER BY seq DESC LIMIT ?",
      run,
      limit,
    )
    .map((row) => eventFrom(row) as EventOf<'note'>);
}
