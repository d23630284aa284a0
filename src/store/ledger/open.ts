import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Clock } from '../../core/clock.ts';
import { UserError } from '../../core/errors.ts';
import { connect, type Database } from './database.ts';
import { inspect } from './inspect.ts';
import type { Ledger } from './ledger.ts';
import { teachBandit } from './bandit.ts';
import { isCurrent, migrate } from './migrations.ts';
import { searchMemoryBounds, type SearchMemoryBounds } from './search-memory.ts';
import { SqliteLedger } from './sqlite-ledger.ts';

export interface LedgerOptions {
  readonly clock: Clock;
  /** Only looks; the file must be there. */
  readonly readOnly?: boolean;
  /** False: the file must be there, although it may be written to. */
  readonly create?: boolean;
  /** The file may not grow beyond this many pages of 4096 bytes. */
  readonly maxPages?: number;
  /** How much searches may remember. */
  readonly searchMemory?: SearchMemoryBounds;
}

/**
 * Opens a ledger, and makes it if there is none. Whatever is wrong with a file is found before the first byte is written:
 * one that is damaged, that belongs to another program, or that a newer orch wrote is left as it is.
 */
export function openLedger(file: string, options: LedgerOptions): Ledger {
  const isThere = existsSync(file);
  if (!isThere && (options.readOnly || options.create === false))
    throw new UserError(
      'no-ledger',
      `there is no ledger at ${file}: nothing has been run yet`,
      'A run makes one; --ledger and ORCH_LEDGER name another file.',
    );
  if (isThere) readable(file, () => inspect(file));
  else readable(file, () => mkdirSync(path.dirname(file), { recursive: true }));
  const database = connect(file, options.readOnly === true);
  try {
    if (options.readOnly !== true) prepareToWrite(database, options.maxPages);
    else if (!isCurrent(database))
      throw new UserError(
        'ledger-older',
        `the ledger ${file} was written by an older orch`,
        'The next run, or `orch ledger rebuild`, brings it up to date.',
      );
    return new SqliteLedger(database, options.clock, options.searchMemory ?? searchMemoryBounds);
  } catch (error) {
    database.close();
    throw error;
  }
}

function prepareToWrite(database: Database, maxPages: number | undefined): void {
  database.execute('PRAGMA journal_mode = WAL');
  database.execute('PRAGMA synchronous = NORMAL');
  migrate(database);
  teachBandit(database);
  if (maxPages !== undefined) database.execute(`PRAGMA max_page_count = ${Math.floor(maxPages)}`);
}

/** What the file system refuses: a folder in the place of the file, a path through a file, permissions. */
function readable(file: string, work: () => unknown): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof Error) || !('syscall' in error)) throw error;
    throw new UserError(
      'ledger-unreadable',
      `the ledger ${file} cannot be opened (${error.message})`,
      'Name another file with --ledger or ORCH_LEDGER.',
      { cause: error },
    );
  }
}
