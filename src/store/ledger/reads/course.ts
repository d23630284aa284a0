import type { EventOf, RunEvent } from '../../../shared/events.ts';
import type { Views } from '../ledger.ts';
import { progressFrom } from '../progress.ts';
import type { Reader } from './reader.ts';

type CourseViews = Pick<Views, 'samplesOf' | 'lastSampleOf' | 'scoresOf' | 'progressOf' | 'notesOf'>;

/** At most this many rows, evenly spaced. Rows are counted in the index, and only the chosen ones are read. */
const spread = (table: string, which: string): string => `seq IN (
    SELECT seq FROM (
      SELECT seq, row_number() OVER (ORDER BY seq DESC) - 1 AS age, count(*) OVER () AS total
      FROM ${table} WHERE ${which}) AS aged
    WHERE age % ((total + CAST($2 AS bigint) - 1) / CAST($2 AS bigint)) = 0)
  ORDER BY seq`;

/** Figures of a run over time. */
export function courseViews({ rows }: Reader): CourseViews {
  const events = async <Type extends RunEvent['type']>(
    which: string,
    values: readonly (string | number)[],
  ): Promise<EventOf<Type>[]> => {
    const found = await rows<EventRow>(`SELECT * FROM events WHERE ${which}`, values, ['body']);
    return found.map(({ seq, run, at, type, body }) => ({ type, run, at, seq, ...body }) as EventOf<Type>);
  };
  const [samples, notes] = ["type = 'sample' AND run = $1", "type = 'note' AND run = $1"];
  return {
    samplesOf: async (run, points) => await events<'sample'>(spread('events', samples), [run, points]),
    lastSampleOf: async (run) => (await events<'sample'>(`${samples} ORDER BY seq DESC LIMIT 1`, [run]))[0],
    notesOf: async (run, limit) => await events<'note'>(`${notes} ORDER BY seq DESC LIMIT $2`, [run, limit]),
    scoresOf: async (run, points) =>
      await rows(
        `SELECT at, arms FROM slates WHERE ${spread('slates', 'run = $1')}`,
        [run, points],
        ['arms'],
      ),
    async progressOf(run, points) {
      const closed = await rows<{ at: number; goal: string; solved: string }>(
        `SELECT at, body ->> 'goal' AS goal, CAST(body ->> 'solved' AS text) AS solved FROM events
         WHERE type = 'goal-closed' AND run = $1
           AND body ->> 'goal' NOT IN (SELECT goal FROM goals WHERE run = $1 AND requester IS NOT NULL) ORDER BY seq`,
        [run],
      );
      // SQLite stores true as 1
      const isTrue = new Set(['true', '1']);
      return progressFrom(
        closed.map((row) => ({ ...row, solved: isTrue.has(row.solved) })),
        points,
      );
    },
  };
}

interface EventRow extends Pick<RunEvent, 'seq' | 'run' | 'at' | 'type'> {
  readonly body: object;
}
