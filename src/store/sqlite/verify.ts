import { findSourceFaults, findWrongRows } from '../ledger/reads/faults.ts';
import type { SqliteDatabase } from './database.ts';
import { derivedTables } from '../ledger/derived-tables.ts';
import { sqliteReader } from './reader.ts';
import { inACopy, rebuildDerived } from './rebuild.ts';

/** Problems of a ledger as sentences; empty if there are none. Other writers are not blocked. */
export async function findSqliteFaults(database: SqliteDatabase): Promise<string[]> {
  const damage = findDamage(database);
  if (damage.length > 0) return damage; // further findings would only be consequences
  return [
    ...findBrokenReferences(database),
    ...(await findSourceFaults(sqliteReader(database))),
    ...(await findWrongDerivations(database)),
  ];
}

function findDamage(database: SqliteDatabase): string[] {
  return database
    .all<{ integrity_check: string }>('PRAGMA integrity_check(20)')
    .map(({ integrity_check }) => integrity_check)
    .filter((line) => line !== 'ok')
    .map((line) => `the file is damaged: ${line}`);
}

function findBrokenReferences(database: SqliteDatabase): string[] {
  return database
    .all<{ table: string; rowid: number | null; parent: string }>('PRAGMA foreign_key_check')
    .map(
      ({ table, rowid, parent }) =>
        `row ${rowid ?? '?'} of ${table} refers to a row of ${parent} that does not exist`,
    );
}

/** Rebuilds a copy and compares both. */
async function findWrongDerivations(database: SqliteDatabase): Promise<string[]> {
  return await inACopy(database, async (copy) => {
    for (const table of derivedTables)
      copy.execute(`CREATE TEMP TABLE before_${table} AS ${contentOf(table)}`);
    rebuildDerived(copy);
    const reader = sqliteReader(copy);
    const faults: string[] = [];
    for (const table of derivedTables)
      faults.push(...(await findWrongRows(reader, table, `SELECT * FROM before_${table}`, contentOf(table))));
    return faults;
  });
}

/** The rows of a text index keep their number separately. */
export function contentOf(table: string): string {
  return table === 'ticket_text' ? 'SELECT rowid AS seq, goal FROM ticket_text' : `SELECT * FROM ${table}`;
}
