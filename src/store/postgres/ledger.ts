import { rmSync } from 'node:fs';
import type { Clock } from '../../core/clock.ts';
import type { SearchMemoryBounds } from '../ledger/search-memory.ts';
import type { RunEvent } from '../../shared/events.ts';
import { copyLedger, digestsOf } from '../ledger/copy.ts';
import type { Experience } from '../ledger/experience.ts';
import type { Ledger, Pruning, Tickets, Views } from '../ledger/ledger.ts';
import { ledgerExperience } from '../ledger/reads/experience.ts';
import { ledgerTickets } from '../ledger/reads/tickets.ts';
import { ledgerViews } from '../ledger/reads/views.ts';
import { openSqlite } from '../sqlite/open.ts';
import type { PostgresDatabase } from './database.ts';
import { insertNumberedEvents, PostgresJournal } from './journal.ts';
import { pruneSamples } from './prune.ts';
import { derivedTables } from '../ledger/derived-tables.ts';
import { rebuildPostgres } from './rebuild.ts';
import { PostgresShelf } from './blob-store.ts';
import { postgresSearchWriter } from './search-writer.ts';
import { postgresTicketSearch } from './ticket-search.ts';
import { findPostgresFaults } from './verify.ts';
import { postgresReader } from './reader.ts';

/**
 * The ledger in a PostgreSQL database. Its parts share a few connections; each statement is a separate
 * transaction.
 */
export class PostgresLedger implements Ledger {
  readonly journal: PostgresJournal;
  readonly experience: Experience;
  readonly views: Views;
  readonly tickets: Tickets;
  readonly shelf: PostgresShelf;
  readonly #database: PostgresDatabase;
  readonly #clock: Clock;

  constructor(database: PostgresDatabase, clock: Clock, bounds: SearchMemoryBounds) {
    this.#database = database;
    this.#clock = clock;
    this.journal = new PostgresJournal(database, clock);
    const reader = postgresReader(database);
    this.experience = ledgerExperience(reader, postgresSearchWriter(database, bounds), clock);
    this.views = ledgerViews(reader, clock);
    this.tickets = ledgerTickets(reader, postgresTicketSearch, clock);
    this.shelf = new PostgresShelf(database);
  }

  async rebuild(): Promise<void> {
    await rebuildPostgres(this.#database);
  }

  async verify(): Promise<string[]> {
    return await findPostgresFaults(this.#database);
  }

  async copyTo(file: string): Promise<void> {
    rmSync(file, { force: true });
    await using copy = await openSqlite(file, { clock: this.#clock });
    await copyLedger(this, copy);
  }

  async takeOver(events: readonly RunEvent[]): Promise<void> {
    await this.#database.transaction(async (session) => await insertNumberedEvents(session, events));
  }

  async digests(): Promise<Readonly<Record<string, string>>> {
    return await digestsOf(
      this.journal,
      derivedTables,
      async (table) => await this.#database.all<object>(`SELECT * FROM ${table}`),
    );
  }

  async prune(): Promise<Pruning> {
    try {
      return await pruneSamples(this.#database, this.#clock.date().getTime());
    } finally {
      await this.close();
    }
  }

  async close(): Promise<void> {
    await this.journal.leave().catch(() => undefined); // otherwise it expires after a day
    await this.#database.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}
