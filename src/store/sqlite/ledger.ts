import { rmSync } from 'node:fs';
import type { Clock } from '../../core/clock.ts';
import type { SearchMemoryBounds } from '../ledger/search-memory.ts';
import type { RunEvent } from '../../shared/events.ts';
import { digestsOf } from '../ledger/copy.ts';
import type { Experience } from '../ledger/experience.ts';
import type { Ledger, Pruning, Tickets, Views } from '../ledger/ledger.ts';
import { ledgerExperience } from '../ledger/reads/experience.ts';
import { ledgerTickets } from '../ledger/reads/tickets.ts';
import { ledgerViews } from '../ledger/reads/views.ts';
import type { SqliteDatabase } from './database.ts';
import { insertNumbered, SqliteJournal } from './journal.ts';
import { pruneInto } from './prune.ts';
import { derivedTables } from '../ledger/derived-tables.ts';
import { rebuildAside } from './rebuild.ts';
import { sqliteSearchWriter } from './search-writer.ts';
import { sqliteTicketSearch } from './ticket-search.ts';
import { contentOf, findSqliteFaults } from './verify.ts';
import { sqliteReader } from './reader.ts';

/** The ledger in a SQLite file. Its parts share one connection, and each statement is complete when its call returns. */
export class SqliteLedger implements Ledger {
  readonly journal: SqliteJournal;
  readonly experience: Experience;
  readonly views: Views;
  readonly tickets: Tickets;
  readonly #database: SqliteDatabase;
  readonly #clock: Clock;

  constructor(database: SqliteDatabase, clock: Clock, bounds: SearchMemoryBounds) {
    this.#database = database;
    this.#clock = clock;
    this.journal = new SqliteJournal(database, clock);
    const reader = sqliteReader(database);
    this.experience = ledgerExperience(reader, sqliteSearchWriter(database, bounds), clock);
    this.views = ledgerViews(reader, clock);
    this.tickets = ledgerTickets(reader, sqliteTicketSearch, clock);
  }

  async rebuild(): Promise<void> {
    await rebuildAside(this.#database);
  }

  async verify(): Promise<string[]> {
    return await findSqliteFaults(this.#database);
  }

  async copyTo(file: string): Promise<void> {
    // SQLite refuses an existing file, and a partial copy must not look like a complete one
    rmSync(file, { force: true });
    this.#database.run('VACUUM INTO ?', file);
  }

  async takeOver(events: readonly RunEvent[]): Promise<void> {
    this.#database.transaction(() => insertNumbered(this.#database, events));
  }

  async digests(): Promise<Readonly<Record<string, string>>> {
    return await digestsOf(this.journal, derivedTables, async (table) =>
      this.#database.all<object>(contentOf(table)),
    );
  }

  async prune(): Promise<Pruning> {
    try {
      return await pruneInto(this.#database, this.#clock.date().getTime());
    } finally {
      this.#database.close();
    }
  }

  async close(): Promise<void> {
    this.#database.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}
