import { UserError } from '../../core/errors.ts';
import { searchMemoryBounds } from '../ledger/search-memory.ts';
import type { Ledger, LedgerOptions } from '../ledger/ledger.ts';
import { PostgresDatabase } from './database.ts';
import { PostgresLedger } from './ledger.ts';
import { inspectPostgres, migratePostgres } from './migrations.ts';
import { teachPostgresBandit } from './rebuild.ts';

/** Opens the ledger of a database, and creates its tables if there are none. */
export async function openPostgres(url: string, options: LedgerOptions): Promise<Ledger> {
  const database = new PostgresDatabase(url, { readOnly: options.readOnly === true, onWait: options.onWait });
  try {
    await prepare(database, options);
    return new PostgresLedger(database, options.clock, options.searchMemory ?? searchMemoryBounds);
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Whether the database can be reached and may contain a ledger. */
export async function refuseImpossibleServer(url: string, onWait: LedgerOptions['onWait']): Promise<void> {
  const database = new PostgresDatabase(url, { readOnly: true, onWait });
  try {
    await inspectPostgres(database);
  } finally {
    await database.close();
  }
}

async function prepare(
  database: PostgresDatabase,
  { readOnly, create, patienceMs }: LedgerOptions,
): Promise<void> {
  const found = await inspectPostgres(database, patienceMs);
  if (found === 'none' && (readOnly || create === false))
    throw new UserError(
      'no-ledger',
      `there is no ledger in ${database.name}: nothing has been run yet`,
      'A run creates one; --ledger or ORCH_LEDGER selects another.',
    );
  if (found === 'older' && readOnly)
    throw new UserError(
      'ledger-older',
      `the ledger ${database.name} was written by an older orch`,
      'The next run, or `orch ledger rebuild`, upgrades it.',
    );
  if (readOnly) return;
  await migratePostgres(database);
  await teachPostgresBandit(database);
}
