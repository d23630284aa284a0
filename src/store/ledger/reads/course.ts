import type { ProgressPoint, ScorePoint } from '../../../shared/api.ts';
import type { EventOf, RunEvent } from '../../../shared/events.ts';
import { progressFrom } from '../progress.ts';
import type { Reader } from './reader.ts';

/** Figures of a run over time. */

/** At most this many rows, evenly spaced. Rows are counted in the index, and only the chosen ones are read. */
const spread = (table: string, which: string): string => `seq IN (
    SELECT seq FROM (
      SELECT seq, row_number() OVER (ORDER BY seq DESC) - 1 AS age, count(*) OVER () AS total
      FROM ${table} WHERE ${which}) AS aged
    WHERE age % ((total + CAST($2 AS bigint) - 1) / CAST($2 AS bigint)) = 0)
  ORDER BY seq`;

export async function selectRunSamples(
  { rows }: Reader,
  run: string,
  points: number,
): Promise<EventOf<'sample'>[]> {
  const which = spread('events', "type = 'sample' AND run = $1");
  const found = await rows<EventRow>(`SELECT * FROM events WHERE ${which}`, [run, points], ['body']);
  return found.map(eventFrom<'sample'>);
}

export async function selectLastSample(
  { rows }: Reader,
  run: string,
): Promise<EventOf<'sample'> | undefined> {
  const [row] = await rows<EventRow>(
    "SELECT * FROM events WHERE type = 'sample' AND run = $1 ORDER BY seq DESC LIMIT 1",
    [run],
    ['body'],
  );
  return row && eventFrom<'sample'>(row);
}

export async function selectScores({ rows }: Reader, run: string, points: number): Promise<ScorePoint[]> {
  const which = spread('slates', 'run = $1');
  return await rows(`SELECT at, arms FROM slates WHERE ${which}`, [run, points], ['arms']);
}

export async function selectProgress(
  { rows }: Reader,
  run: string,
  points: number,
): Promise<ProgressPoint[]> {
  const closed = await rows<{ at: number; goal: string; solved: string }>(
    `SELECT at, body ->> 'goal' AS goal, CAST(body ->> 'solved' AS text) AS solved FROM events
     WHERE type = 'goal-closed' AND run = $1
       AND body ->> 'goal' NOT IN (SELECT goal FROM goals WHERE run = $1 AND requester IS NOT NULL) ORDER BY seq`,
    [run],
  );
  // SQLite stores true as 1
  const isTrue = new Set(['true', '1']);
  return progressFrom(
    closed.map(({ at, goal, solved }) => ({ at, goal, solved: isTrue.has(solved) })),
    points,
  );
}

export async function selectNotes({ rows }: Reader, run: string, limit: number): Promise<EventOf<'note'>[]> {
  const found = await rows<EventRow>(
    "SELECT * FROM events WHERE type = 'note' AND run = $1 ORDER BY seq DESC LIMIT $2",
    [run, limit],
    ['body'],
  );
  return found.map(eventFrom<'note'>);
}

interface EventRow extends Pick<RunEvent, 'seq' | 'run' | 'at' | 'type'> {
  readonly body: object;
}

function eventFrom<Type extends RunEvent['type']>({ seq, run, at, type, body }: EventRow): EventOf<Type> {
  return { type, run, at, seq, ...body } as EventOf<Type>;
}
