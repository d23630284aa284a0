import { gapsIn, sourceConditions, strayRows, wrongRows, type Numbers } from '../ledger/sources.ts';
import type { SqliteDatabase } from './database.ts';
import { derivedTables } from '../ledger/derived-tables.ts';
import { inACopy, rebuildDerived } from './rebuild.ts';

/** Problems of a ledger as sentences; empty if there are none. Other writers are not blocked. */
export async function findSqliteFaults(database: SqliteDatabase): Promise<string[]> {
  const damage = findDamage(database);
  if (damage.length > 0) return damage; // further findings would only be consequences
  return [
    ...findBrokenReferences(database),
    ...findGaps(database),
    ...findMissingRows(database),
    ...findWeakProofs(database),
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

function findGaps(database: SqliteDatabase): string[] {
  const [row] = database.all<Numbers>(
    `SELECT count(*) + total(iif(type = 'pruned', body ->> 'removed', 0)) AS count, coalesce(min(seq), 1) AS first,
       coalesce(max(seq), 0) AS last FROM events`,
  );
  return row ? gapsIn(row) : [];
}

function findMissingRows(database: SqliteDatabase): string[] {
  return Object.entries(sourceConditions).flatMap(([table, condition]) => {
    const [row] = database.all<{ lost: number; invented: number }>(
      `SELECT
         (SELECT count(*) FROM events WHERE ${condition} AND seq NOT IN (SELECT seq FROM ${table})) AS lost,
         (SELECT count(*) FROM ${table} WHERE seq NOT IN (SELECT seq FROM events WHERE ${condition})) AS invented`,
    );
    return row ? strayRows(table, row) : [];
  });
}

/** Solved means accepted at `replayed` or better. */
function findWeakProofs(database: SqliteDatabase): string[] {
  return database
    .all<{ what: string; assurance: string }>(
      `SELECT 'proof ' || seq || ' of ' || goal AS what, assurance FROM proofs
       WHERE assurance NOT IN ('replayed', 'second-kernel', 'refused')
       UNION ALL
       SELECT 'ticket ' || ticket_id, assurance FROM ticket_completions
       WHERE assurance NOT IN ('replayed', 'second-kernel')`,
    )
    .map(({ what, assurance }) => `${what} was accepted, but checked only as far as ${assurance}`);
}

/** Rebuilds a copy and compares both. */
async function findWrongDerivations(database: SqliteDatabase): Promise<string[]> {
  return await inACopy(database, async (copy) => {
    for (const table of derivedTables)
      copy.execute(`CREATE TEMP TABLE before_${table} AS ${contentOf(table)}`);
    rebuildDerived(copy);
    return derivedTables.flatMap((table) => differences(copy, table));
  });
}

function differences(copy: SqliteDatabase, table: string): string[] {
  const before = `SELECT * FROM before_${table}`;
  const [row] = copy.all<{ wrong: number; missing: number }>(
    `SELECT (SELECT count(*) FROM (${before} EXCEPT ${contentOf(table)})) AS wrong,
       (SELECT count(*) FROM (${contentOf(table)} EXCEPT ${before})) AS missing`,
  );
  return row ? wrongRows(table, row) : [];
}

/** The rows of a text index keep their number separately. */
export function contentOf(table: string): string {
  return table === 'ticket_text' ? 'SELECT rowid AS seq, goal FROM ticket_text' : `SELECT * FROM ${table}`;
}
