import type { Clock } from '../../core/clock.ts';
import type { Journal } from '../../core/journal.ts';
import type { Owner } from '../../core/owner.ts';
import type { RunEvent } from '../../shared/events.ts';
import { refuseLongNames } from '../ledger/names.ts';
import type { SqliteDatabase } from './database.ts';

export class SqliteJournal implements Journal {
  readonly #database: SqliteDatabase;
  readonly #clock: Clock;

  constructor(database: SqliteDatabase, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  async append(events: readonly RunEvent[]): Promise<number> {
    refuseLongNames(events);
    // a single statement is a transaction by itself
    if (events.length === 1 && events[0]) return insertEvent(this.#database, events[0]);
    return this.#database.transaction(() => {
      let last = 0;
      for (const event of events) last = insertEvent(this.#database, event);
      return last || selectLastSeq(this.#database);
    });
  }

  async lastSeq(): Promise<number> {
    return selectLastSeq(this.#database);
  }

  async eventsSince(seq: number, limit: number): Promise<RunEvent[]> {
    return selectEventsSince(this.#database, seq, limit);
  }

  async eventsOf(run: string): Promise<RunEvent[]> {
    return selectEventsOf(this.#database, run);
  }

  async beat(run: string, owner: Owner): Promise<void> {
    upsertPresence(this.#database, run, owner, this.#clock.date().getTime());
  }
}

interface EventRow {
  readonly seq: number;
  readonly run: string;
  readonly at: number;
  readonly type: string;
  readonly body: string;
}

/** The only statement that writes. Triggers (sql/ledger) do the rest in the same transaction. */
function insertEvent(database: SqliteDatabase, event: RunEvent): number {
  const { seq: _, run, at, type, ...body } = event;
  return database.run(
    'INSERT INTO events (run, at, type, body) VALUES (?, ?, ?, ?)',
    run,
    Math.trunc(at),
    type,
    JSON.stringify(body),
  );
}

/** With their numbers from the other ledger. */
export function insertNumbered(database: SqliteDatabase, events: readonly RunEvent[]): void {
  for (const { seq = null, run, at, type, ...body } of events)
    database.run(
      'INSERT INTO events (seq, run, at, type, body) VALUES (?, ?, ?, ?, ?)',
      seq,
      run,
      Math.trunc(at),
      type,
      JSON.stringify(body),
    );
}

function selectEventsSince(database: SqliteDatabase, seq: number, limit: number): RunEvent[] {
  return database
    .all<EventRow>('SELECT * FROM events WHERE seq > ? ORDER BY seq LIMIT ?', seq, limit)
    .map(eventFrom);
}

/** Not indexed: only a resumed run needs it. */
function selectEventsOf(database: SqliteDatabase, run: string): RunEvent[] {
  return database
    .all<EventRow>("SELECT * FROM events WHERE run = ? AND type <> 'sample' ORDER BY seq", run)
    .map(eventFrom);
}

export function selectLastSeq(database: SqliteDatabase): number {
  const [row] = database.all<{ seq: number }>('SELECT coalesce(max(seq), 0) AS seq FROM events');
  return row?.seq ?? 0;
}

function upsertPresence(
  database: SqliteDatabase,
  run: string,
  { place, pid, started }: Owner,
  heard: number,
): void {
  database.run(
    'INSERT OR REPLACE INTO presence (run, place, pid, started, heard) VALUES (?, ?, ?, ?, ?)',
    run,
    place,
    pid,
    started,
    heard,
  );
}

function eventFrom({ seq, run, at, type, body }: EventRow): RunEvent {
  return { type, run, at, seq, ...(JSON.parse(body) as object) } as RunEvent;
}
