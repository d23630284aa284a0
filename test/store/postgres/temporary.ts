import pg from 'pg';
import { onTestFinished } from 'vitest';
import type { SearchMemoryBounds } from '../../../src/store/ledger/search-memory.ts';
import type { RunEvent } from '../../../src/shared/events.ts';
import { openLedger } from '../../../src/store/open.ts';
import { sharedPostgres } from '../../helpers/postgres.ts';
import { HandClock, type Temporary } from '../ledger/temporary.ts';

/** Databases with the tables of a ledger, emptied: ten times faster than making one. */
const free: string[] = [];

/** A database with an empty ledger, for one test. */
export async function emptyDatabase(): Promise<string> {
  const server = await sharedPostgres();
  const url = free.pop() ?? (await server.database());
  onTestFinished(async () => {
    await emptied(url);
    free.push(url);
  });
  return url;
}

async function emptied(url: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  await client.query(`DO $$ BEGIN
    EXECUTE (SELECT 'TRUNCATE ' || string_agg(quote_ident(tablename), ', ') || ' RESTART IDENTITY'
      FROM pg_tables WHERE schemaname = 'public' AND tablename NOT IN ('ledger', 'bandit'));
  END $$`);
  await client.end();
}

/** A real ledger in PostgreSQL. */
export async function temporaryPostgres(
  events: readonly RunEvent[] = [],
  searchMemory?: SearchMemoryBounds,
): Promise<Temporary> {
  const file = await emptyDatabase();
  const clock = new HandClock();
  const ledger = await openLedger(file, { clock, ...(searchMemory && { searchMemory }) });
  onTestFinished(async () => await ledger.close());
  if (events.length > 0) await ledger.journal.append(events);
  return { file, clock, ledger };
}
