import { accessSync, constants, existsSync, mkdirSync, rmdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { UserError } from '../../core/errors.ts';
import { searchMemoryBounds } from '../ledger/search-memory.ts';
import type { Ledger, LedgerOptions } from '../ledger/ledger.ts';
import { teachSqliteBandit } from './bandit.ts';
import { connect, type SqliteDatabase } from './database.ts';
import { inspectSqlite } from './inspect.ts';
import { syncFolder } from './sync-folder.ts';
import { SqliteLedger } from './ledger.ts';
import { isCurrent, migrateSqlite } from './migrations.ts';

/**
 * Opens a ledger, or creates it. All checks come before the first write: a damaged file, one of another program and one of a
 * newer orch stay unchanged.
 */
export async function openSqlite(file: string, options: LedgerOptions): Promise<Ledger> {
  const isThere = existsSync(file);
  if (!isThere && (options.readOnly || options.create === false))
    throw new UserError(
      'no-ledger',
      `there is no ledger at ${file}: nothing has been run yet`,
      'A run creates one; --ledger or ORCH_LEDGER selects another file.',
    );
  if (isThere) readable(file, () => inspectSqlite(file));
  else readable(file, () => missingFolders(file).forEach(makeFolder));
  const database = connect(file, options.readOnly === true);
  try {
    if (options.readOnly !== true) await prepareToWrite(database, options.maxPages);
    else if (!isCurrent(database))
      throw new UserError(
        'ledger-older',
        `the ledger ${file} was written by an older orch`,
        'The next run, or `orch ledger rebuild`, upgrades it.',
      );
    return new SqliteLedger(database, options.clock, options.searchMemory ?? searchMemoryBounds);
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Refuses an impossible path at once, leaving nothing behind. */
export function refuseImpossibleFile(file: string): void {
  readable(file, () => {
    if (existsSync(file))
      return statSync(file).isFile() ? undefined : refuse(file, 'EISDIR: it is not a file');
    const [missing] = missingFolders(file);
    if (missing === undefined) return accessSync(path.dirname(file), constants.W_OK);
    mkdirSync(missing);
    return rmdirSync(missing);
  });
}

/** The missing folders, outermost first. Created one by one, because Node's recursive mkdir hangs below /proc. */
function missingFolders(file: string): string[] {
  const missing: string[] = [];
  for (let folder = path.dirname(file); !existsSync(folder); folder = path.dirname(folder))
    missing.unshift(folder);
  return missing;
}

/** SQLite syncs the folder of its files, but not the parent folder's entry for it; that is done here. */
function makeFolder(folder: string): void {
  mkdirSync(folder, { mode: 0o700 });
  syncFolder(path.dirname(folder));
}

async function prepareToWrite(database: SqliteDatabase, maxPages: number | undefined): Promise<void> {
  await becomeWal(database);
  // every commit reaches the disk before it is announced, so a power failure cannot undo an announced event
  database.execute('PRAGMA synchronous = FULL');
  migrateSqlite(database);
  teachSqliteBandit(database);
  if (maxPages !== undefined) database.execute(`PRAGMA max_page_count = ${Math.floor(maxPages)}`);
}

/** SQLite does not wait for other processes that open the same new file at once, so wait here. */
async function becomeWal(database: SqliteDatabase): Promise<void> {
  for (let tries = 1; ; tries++)
    try {
      database.execute('PRAGMA journal_mode = WAL');
      return;
    } catch (error) {
      if (!(error instanceof UserError) || error.code !== 'ledger-busy' || tries === 200) throw error;
      await sleep(50);
    }
}

/** Errors of the file system: a folder in the place of the file, a path through a file, permissions. */
function readable(file: string, work: () => unknown): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof Error) || !('syscall' in error)) throw error;
    refuse(file, error.message, error);
  }
}

function refuse(file: string, why: string, cause?: Error): never {
  throw new UserError(
    'ledger-unreadable',
    `the ledger ${file} cannot be opened (${why})`,
    'Name another file with --ledger or ORCH_LEDGER.',
    { cause },
  );
}
