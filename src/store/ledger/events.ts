import type { EventOf, RunEvent } from '../../shared/events.ts';
import type { Database } from './database.ts';

export interface EventRow {
  readonly seq: number;
  readonly run: string;
  readonly at: number;
  readonly type: string;
  readonly body: string;
}

/** The one statement that writes. Triggers (sql/ledger) do the rest within it: it happens whole or not at all. */
export function insertEvent(database: Database, event: RunEvent): number {
  const { seq: _, run, at, type, ...body } = event;
  return database.run(
    'INSERT INTO events (run, at, type, body) VALUES (?, ?, ?, ?)',
    run,
    Math.trunc(at),
    type,
    JSON.stringify(body),
  );
}

export function selectEventsSince(database: Database, seq: number, limit: number): RunEvent[] {
  return database
    .all<EventRow>('SELECT * FROM events WHERE seq > ? ORDER BY seq LIMIT ?', seq, limit)
    .map(eventFrom);
}

export function selectSamples(database: Database, limit: number): EventOf<'sample'>[] {
  return database
    .all<EventRow>("SELECT * FROM events WHERE type = 'sample' ORDER BY seq DESC LIMIT ?", limit)
    .map((row) => eventFrom(row) as EventOf<'sample'>);
}

export function selectLastSeq(database: Database): number {
  const [row] = database.all<{ seq: number }>('SELECT coalesce(max(seq), 0) AS seq FROM events');
  return row?.seq ?? 0;
}

export function eventFrom({ seq, run, at, type, body }: EventRow): RunEvent {
  return { type, run, at, seq, ...(JSON.parse(body) as object) } as RunEvent;
}
