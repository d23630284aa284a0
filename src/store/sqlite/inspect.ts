import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs';
import { UserError } from '../../core/errors.ts';
import { connect, type SqliteDatabase } from './database.ts';
import { applicationId, refuseForeign, refuseForeignSchema } from './migrations.ts';

/** Files up to this size are checked completely when opened (under 0.1 s); `verify` checks larger ones. */
const checkedBytes = 32 * 2 ** 20;

/** Inspects an existing file through a read-only connection; throws if it cannot be used. */
export function inspectSqlite(file: string): void {
  const { size } = statSync(file);
  if (size === 0) return; // as left by `touch` or by a process killed at once
  const header = readHeader(file);
  if (!header.isSqlite) throw notALedger(`${file} is not a ledger (not even a SQLite file)`);
  if (existsSync(`${file}-journal`)) finishInterruptedStart(file, header.applicationId);
  using database = connect(file, true);
  refuseForeign(database);
  if (size <= checkedBytes) refuseDamaged(database);
  refuseForeignSchema(database);
}

/**
 * A new file uses a rollback journal until it becomes a WAL file. If its process is killed then, SQLite must roll back first,
 * which a read-only connection cannot do.
 */
function finishInterruptedStart(file: string, owner: number): void {
  if (owner !== 0 && owner !== applicationId) throw notALedger(`${file} is a database of another program`);
  using database = connect(file, false);
  database.all('SELECT 1 FROM sqlite_schema LIMIT 1');
}

function refuseDamaged(database: SqliteDatabase): void {
  const [first] = database.all<{ quick_check: string }>('PRAGMA quick_check(1)');
  if (first?.quick_check === 'ok') return;
  throw new UserError(
    'ledger-corrupt',
    `the ledger ${database.file} is damaged (${first?.quick_check ?? 'it cannot be checked'})`,
    'Restore a copy, or move it away and start with an empty one; orch has not changed it.',
  );
}

/** SQLite's file format: magic text at offset 0, application id at offset 68. */
function readHeader(file: string): { readonly isSqlite: boolean; readonly applicationId: number } {
  const head = Buffer.alloc(100);
  const descriptor = openSync(file, 'r');
  try {
    readSync(descriptor, head, 0, head.length, 0);
  } finally {
    closeSync(descriptor);
  }
  return {
    isSqlite: head.toString('latin1', 0, 16) === 'SQLite format 3\0',
    applicationId: head.readUInt32BE(68),
  };
}

function notALedger(message: string): UserError {
  const hint = 'Name another file with --ledger or ORCH_LEDGER; orch has not changed it.';
  return new UserError('not-a-ledger', message, hint);
}
