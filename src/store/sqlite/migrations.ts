import { UserError } from '../../core/errors.ts';
import { migrationsOf } from '../ledger/migrations.ts';
import type { SqliteDatabase } from './database.ts';

/** Written into every ledger, so that another program's database is not taken for one: "orch". */
export const applicationId = 0x6f726368;

/** Brings a file to the newest schema. Two processes that start together do it once. */
export function migrateSqlite(database: SqliteDatabase): void {
  const all = migrationsOf('ledger');
  if (schemaVersion(database) === all.at(-1)?.version) return;
  database.transaction(() => {
    const reached = schemaVersion(database);
    for (const { version, sql } of all.filter((migration) => migration.version > reached)) {
      database.execute(sql);
      database.execute(`PRAGMA user_version = ${version}`);
    }
    database.execute(`PRAGMA application_id = ${applicationId}`);
  });
}

/** Whether this version of orch may write to the file. Says why not, and changes nothing. */
export function refuseForeign(database: SqliteDatabase): void {
  const version = schemaVersion(database);
  const newest = migrationsOf('ledger').at(-1)?.version ?? 0;
  const [owner] = database.all<{ application_id: number }>('PRAGMA application_id');
  const isEmpty = database.all('SELECT 1 FROM sqlite_schema LIMIT 1').length === 0;
  if (owner?.application_id !== applicationId && !(isEmpty && version === 0))
    throw new UserError(
      'not-a-ledger',
      `${database.file} is a database of another program`,
      'Name another file with --ledger or ORCH_LEDGER; orch has not changed it.',
    );
  if (version > newest)
    throw new UserError(
      'ledger-newer',
      `the ledger ${database.file} was written by a newer orch (its schema is ${version}, this one knows ${newest})`,
      'Use that version, or name another file with --ledger; orch has not changed it.',
    );
}

/** Whether a reader finds the tables that it expects. */
export function isCurrent(database: SqliteDatabase): boolean {
  return schemaVersion(database) === (migrationsOf('ledger').at(-1)?.version ?? 0);
}

function schemaVersion(database: SqliteDatabase): number {
  const [row] = database.all<{ user_version: number }>('PRAGMA user_version');
  return row?.user_version ?? 0;
}
