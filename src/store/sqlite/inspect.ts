import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs';
import { UserError } from '../../core/errors.ts';
import { connect, type SqliteDatabase } from './database.ts';
import { applicationId, refuseForeign, refuseForeignSchema } from './migrations.ts';

/** Up to here the whole file is looked at when it is opened (under 0.1 s); `verify` looks at larger ones. */
const checkedBytes = 32 * 2 ** 20;

/** Looks at an existing file through a connection that cannot write; throws what keeps us from using it. */
export function inspectSqlite(file: string): void {
  const { size } = statSync(file);
  if (size === 0) return; // as `touch` or a process that was killed at once leaves it
  const header = readHeader(file);
  if (!header.isSqlite) throw notALedger(`${file} is not a ledger (not even a SQLite file)`);
  if (existsSync(`${file}-journal`)) finishInterruptedStart(file, header.applicationId);
  using database = connect(file, true);
  refuseForeign(database);
  if (size <= checkedBytes) refuseDamaged(database);
  refuseForeignSchema(database);
}

/**
 * Only the first moments of a file use a journal of this kind, before it becomes a WAL file. A process that was killed then
 * leaves something that SQLite must put right first, which a connection that cannot write may not do.
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

/** SQLite's file format: a magic text at 0, the application's number at 68. */
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
