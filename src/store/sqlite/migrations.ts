import { UserError } from '../../core/errors.ts';
import { migrationsOf } from '../ledger/migrations.ts';
import { connect, type SqliteDatabase } from './database.ts';
import { sha256 } from '../../core/sha256.ts';

/** Application id written into every ledger, to recognise other programs' databases: "orch". */
export const applicationId = 0x6f726368;

/** Migrates a file to the newest schema. Two processes that start together do it once. */
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

/** Throws if this version of orch may not write to the file. Changes nothing. */
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

/** Digest of the complete schema, so that an ordinary file is recognised without creating a second database. */
export const newestSchema = '08c454e54e792a7396060672a99cf062f275fea9ad77ebffb559d0d61e713751';

/**
 * A foreign file could contain triggers and views that would run with our statements. So tables, views and triggers must be
 * those of the migrations; additional tables and indexes are harmless.
 */
export function refuseForeignSchema(database: SqliteDatabase): void {
  // read both at one moment, because another process may be migrating the file
  database.execute('BEGIN');
  const [version, found] = [schemaVersion(database), schemaOf(database)];
  database.execute('COMMIT');
  if (version !== 0 && digestOf(found) === newestSchema) return;
  const own = schemaAt(version);
  const different = [...own].filter(([name, sql]) => found.get(name) !== sql);
  const foreign = [...found].filter(
    ([name, sql]) => (version === 0 || runsByItself(name, sql)) && !own.has(name),
  );
  const [first] = [...different, ...foreign];
  if (first === undefined) return;
  throw new UserError(
    'ledger-foreign',
    `${database.file} is not a ledger that orch created: its ${first[0]} differs`,
    'Move it away and start with an empty one; orch has not changed it.',
  );
}

/** The schema that the migrations create. */
export function schemaAt(version: number): Map<string, string> {
  using own = connect(':memory:', false);
  for (const migration of migrationsOf('ledger'))
    if (migration.version <= version) own.execute(migration.sql);
  return schemaOf(own);
}

export function digestOf(schema: ReadonlyMap<string, string>): string {
  return sha256(JSON.stringify([...schema]));
}

/** By kind and name, without comments, because comments of older migrations were reworded. */
function schemaOf(database: SqliteDatabase): Map<string, string> {
  const rows = database.all<{ type: string; name: string; sql: string }>(
    `SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY type, name`,
  );
  return new Map(rows.map(({ type, name, sql }) => [`${type} ${name}`, withoutComments(sql)]));
}

/** Quoted text is unchanged. */
function withoutComments(sql: string): string {
  const part = /'(?:[^']|'')*'|"(?:[^"]|"")*"|(?:--[^\n]*|\/\*[\s\S]*?\*\/|\s)+/g;
  return sql.replaceAll(part, (text) => (/^['"]/.test(text) ? text : ' ')).trim();
}

function runsByItself(name: string, sql: string): boolean {
  return /^(?:trigger|view) /.test(name) || /^CREATE VIRTUAL/i.test(sql);
}

/** Whether a reader finds the tables that it expects. */
export function isCurrent(database: SqliteDatabase): boolean {
  return schemaVersion(database) === (migrationsOf('ledger').at(-1)?.version ?? 0);
}

function schemaVersion(database: SqliteDatabase): number {
  const [row] = database.all<{ user_version: number }>('PRAGMA user_version');
  return row?.user_version ?? 0;
}
