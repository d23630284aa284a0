import { randomBytes } from 'node:crypto';
import type { Clock } from '../../core/clock.ts';
import type { Journal } from '../../core/journal.ts';
import type { Owner } from '../../core/owner.ts';
import type { RunEvent } from '../../shared/events.ts';
import { refuseLongNames } from '../ledger/names.ts';
import { asJsonText, type Asked, type PostgresDatabase } from './database.ts';

/** A writer that has been silent for this long will not retry its last batch. */
const forgotten = '1 day';

export class PostgresJournal implements Journal {
  readonly #database: PostgresDatabase;
  readonly #clock: Clock;
  readonly #writer = randomBytes(12).toString('hex');
  #turn = 0;
  /** Batches of one writer are written in sequence, even from several callers, and numbered. */
  #before: Promise<unknown> = Promise.resolve();

  constructor(database: PostgresDatabase, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  async append(events: readonly RunEvent[]): Promise<number> {
    refuseLongNames(events);
    if (events.length === 0) return await selectLastSeq(this.#database);
    const appended = this.#before.then(
      async () => await appendEvents(this.#database, this.#writer, ++this.#turn, events),
    );
    this.#before = appended.catch(() => undefined); // the caller of that batch gets the error
    return await appended;
  }

  async lastSeq(): Promise<number> {
    return await selectLastSeq(this.#database);
  }

  async eventsSince(seq: number, limit: number): Promise<RunEvent[]> {
    const rows = await this.#database.all<EventRow>(
      'SELECT * FROM events WHERE seq > $1 ORDER BY seq LIMIT $2',
      seq,
      limit,
    );
    return rows.map(eventFrom);
  }

  async eventsOf(run: string): Promise<RunEvent[]> {
    const rows = await this.#database.all<EventRow>(
      "SELECT * FROM events WHERE run = $1 AND type <> 'sample' ORDER BY seq",
      run,
    );
    return rows.map(eventFrom);
  }

  async beat(run: string, owner: Owner): Promise<void> {
    await upsertPresence(this.#database, run, owner, this.#clock.date().getTime());
  }

  async follow(news: () => void): Promise<() => Promise<void>> {
    return await this.#database.listen('orch_events', news);
  }

  /** This writer's last batch will not be retried. */
  async leave(): Promise<void> {
    if (this.#turn > 0)
      await this.#database.once(
        'DELETE FROM writers WHERE writer = $1 OR at < now() - $2::interval',
        this.#writer,
        forgotten,
      );
  }
}

interface EventRow {
  readonly seq: number;
  readonly run: string;
  readonly at: number;
  readonly type: string;
  readonly body: object;
}

/** One statement and one round trip per batch of any size; the trigger on events does the rest. */
async function appendEvents(
  database: PostgresDatabase,
  writer: string,
  turn: number,
  events: readonly RunEvent[],
): Promise<number> {
  const [row] = await database.all<{ last: number }>(
    'SELECT append_events($1, $2, $3, $4, $5, $6) AS last',
    writer,
    turn,
    ...columnsOf(events),
  );
  return row?.last ?? 0;
}

/** With their numbers from the other ledger. */
export async function insertNumberedEvents(asked: Asked, events: readonly RunEvent[]): Promise<void> {
  await asked.all(
    `INSERT INTO events (seq, run, at, type, body)
     SELECT seq, run, at, type, body::json FROM unnest($1::bigint[], $2::text[], $3::bigint[], $4::text[], $5::text[])
       AS batch (seq, run, at, type, body) ORDER BY seq`,
    events.map(({ seq }) => seq ?? null),
    ...columnsOf(events),
  );
}

function columnsOf(events: readonly RunEvent[]): [string[], number[], string[], string[]] {
  return [
    events.map(({ run }) => run),
    events.map(({ at }) => Math.trunc(at)),
    events.map(({ type }) => type),
    events.map(bodyOf),
  ];
}

async function selectLastSeq(asked: Asked): Promise<number> {
  const [row] = await asked.all<{ seq: number }>('SELECT coalesce(max(seq), 0) AS seq FROM events');
  return row?.seq ?? 0;
}

/** All fields without a separate column. */
function bodyOf(event: RunEvent): string {
  const { seq: _seq, run: _run, at: _at, type: _type, ...body } = event;
  return asJsonText(body);
}

async function upsertPresence(
  database: PostgresDatabase,
  run: string,
  { place, pid, started }: Owner,
  heard: number,
): Promise<void> {
  await database.all(
    `INSERT INTO presence (run, place, pid, started, heard) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (run) DO UPDATE SET place = $2, pid = $3, started = $4, heard = $5`,
    run,
    place,
    pid,
    started,
    heard,
  );
}

function eventFrom({ seq, run, at, type, body }: EventRow): RunEvent {
  return { type, run, at, seq, ...body } as RunEvent;
}
