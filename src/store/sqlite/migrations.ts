import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { UserError } from '../../core/errors.ts';
import type { SqliteDatabase } from './database.ts';

/** `sql/` is next to `src/` in a clone and next to `dist/` in a tarball. */
const folder = fileURLToPath(new URL('../../../sql/ledger/', import.meta.url));

/** Written into every ledger, so that another program's database is not taken for one: "orch". */
export const applicationId = 0x6f726368;

interface Migration {
  readonly version: number;
  readonly sql: string;
}

/** 0001_name.sql, 0002_name.sql, …: only ever added to, each number once. */
function migrations(): Migration[] {
  const all = readdirSync(folder)
    .filter((name) => /^\d{4}_\w+\.sql$/.test(name))
    .sort()
    .map((name) => ({
      version: Number(name.slice(0, 4)),
      sql: readFileSync(path.join(folder, name), 'utf8'),
    }));
  if (all.some(({ version }, index) => version !== index + 1))
    throw new Error(`the migrations in ${folder} are not numbered one after the other`);
  return all;
}

/** Brings a file to the newest schema. Two processes that start together do it once. */
export function migrateSqlite(database: SqliteDatabase): void {
  const all = migrations();
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
  const newest = migrations().at(-1)?.version ?? 0;
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
  return schemaVersion(database) === (migrations().at(-1)?.version ?? 0);
}

function schemaVersion(database: SqliteDatabase): number {
  const [row] = database.all<{ user_version: number }>('PRAGMA user_version');
  return row?.user_version ?? 0;
}
