import { closeSync, existsSync, mkdirSync, openSync, readSync, statSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Clock } from '../../core/clock.ts';
import { UserError } from '../../core/errors.ts';
import { Database } from './database.ts';
import { explained } from './failures.ts';
import type { Ledger } from './ledger.ts';
import { isCurrent, migrate, refuseForeign } from './migrations.ts';
import { SqliteLedger } from './sqlite-ledger.ts';

export interface LedgerOptions {
  readonly clock: Clock;
  /** Only looks; the file must be there. */
  readonly readOnly?: boolean;
  /** False: the file must be there, although it may be written to. */
  readonly create?: boolean;
  /** The file may not grow beyond this many pages of 4096 bytes. */
  readonly maxPages?: number;
}

/** How long a writer waits for another one; a transaction of ours takes under a millisecond, a rebuild seconds. */
const busyMs = 10_000;
/** Up to here the whole file is looked at when it is opened (under 0.1 s); `verify` looks at larger ones. */
const checkedBytes = 32 * 2 ** 20;

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
    return new SqliteLedger(database, options.clock);
  } catch (error) {
    database.close();
    throw error;
  }
}

function prepareToWrite(database: Database, maxPages: number | undefined): void {
  database.execute('PRAGMA journal_mode = WAL');
  database.execute('PRAGMA synchronous = NORMAL');
  migrate(database);
  if (maxPages !== undefined) database.execute(`PRAGMA max_page_count = ${Math.floor(maxPages)}`);
}

/** Looks at an existing file through a connection that cannot write. */
function inspect(file: string): void {
  const { size } = statSync(file);
  if (size === 0) return; // as `touch` or a process that was killed at once leaves it
  if (!hasSqliteHeader(file))
    throw new UserError(
      'not-a-ledger',
      `${file} is not a ledger (not even a SQLite file)`,
      'Name another file with --ledger or ORCH_LEDGER; orch has not changed it.',
    );
  const database = connect(file, true);
  try {
    refuseForeign(database);
    if (size <= checkedBytes) refuseDamaged(database);
  } finally {
    database.close();
  }
}

function refuseDamaged(database: Database): void {
  const [first] = database.all<{ quick_check: string }>('PRAGMA quick_check(1)');
  if (first?.quick_check === 'ok') return;
  throw new UserError(
    'ledger-corrupt',
    `the ledger ${database.file} is damaged (${first?.quick_check ?? 'it cannot be checked'})`,
    'Restore a copy, or move it away and start with an empty one; orch has not changed it.',
  );
}

function hasSqliteHeader(file: string): boolean {
  const head = Buffer.alloc(16);
  const descriptor = openSync(file, 'r');
  try {
    readSync(descriptor, head, 0, 16, 0);
  } finally {
    closeSync(descriptor);
  }
  return head.toString('latin1') === 'SQLite format 3\0';
}

function connect(file: string, readOnly: boolean): Database {
  return explained(
    file,
    () =>
      new Database(
        file,
        new DatabaseSync(file, { readOnly, timeout: busyMs, enableForeignKeyConstraints: true }),
      ),
  );
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
