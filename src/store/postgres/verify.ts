import { gapsIn, sourceConditions, strayRows, wrongRows, type Numbers } from '../ledger/sources.ts';
import type { Asked, PostgresDatabase } from './database.ts';
import { derivedTables } from '../ledger/derived-tables.ts';
import { derivedAside, type Derived } from './rebuild.ts';

/** Inconsistencies of a ledger at one moment, as sentences. PostgreSQL itself enforces references. */
export async function findPostgresFaults(database: PostgresDatabase): Promise<string[]> {
  return await derivedAside(
    database,
    async (derived) => [
      ...(await findGaps(derived.session)),
      ...(await findMissingRows(derived.session)),
      ...(await findWeakProofs(derived.session)),
      ...(await findWrongDerivations(derived)),
    ],
    'REPEATABLE READ',
  );
}

async function findGaps(asked: Asked): Promise<string[]> {
  const [row] = await asked.all<Numbers>(
    `SELECT count(*) + coalesce(sum((body ->> 'removed')::bigint) FILTER (WHERE type = 'pruned'), 0) AS count,
       coalesce(min(seq), 1) AS first, coalesce(max(seq), 0) AS last FROM events`,
  );
  return row ? gapsIn(row) : [];
}

async function findMissingRows(asked: Asked): Promise<string[]> {
  const faults: string[] = [];
  for (const [table, condition] of Object.entries(sourceConditions)) {
    const [row] = await asked.all<{ lost: number; invented: number }>(
      `SELECT
         (SELECT count(*) FROM events WHERE ${condition} AND NOT EXISTS
           (SELECT 1 FROM ${table} WHERE ${table}.seq = events.seq)) AS lost,
         (SELECT count(*) FROM ${table} WHERE NOT EXISTS
           (SELECT 1 FROM events WHERE ${condition} AND events.seq = ${table}.seq)) AS invented`,
    );
    if (row) faults.push(...strayRows(table, row));
  }
  return faults;
}

/** Solved means accepted at `replayed` or better. */
async function findWeakProofs(asked: Asked): Promise<string[]> {
  const rows = await asked.all<{ what: string; assurance: string }>(
    `SELECT 'proof ' || seq || ' of ' || goal AS what, assurance FROM proofs
     WHERE assurance NOT IN ('replayed', 'second-kernel', 'refused')
     UNION ALL
     SELECT 'ticket ' || ticket_id, assurance FROM ticket_completions
     WHERE assurance NOT IN ('replayed', 'second-kernel')`,
  );
  return rows.map(({ what, assurance }) => `${what} was accepted, but checked only as far as ${assurance}`);
}

async function findWrongDerivations({ session, schema }: Derived): Promise<string[]> {
  const faults: string[] = [];
  for (const table of derivedTables) {
    const [held, right] = [`SELECT * FROM ${schema}.${table}`, `SELECT * FROM pg_temp.${table}`];
    const [row] = await session.all<{ wrong: number; missing: number }>(
      `SELECT (SELECT count(*) FROM (${held} EXCEPT ${right}) AS wrong) AS wrong,
         (SELECT count(*) FROM (${right} EXCEPT ${held}) AS missing) AS missing`,
    );
    if (row) faults.push(...wrongRows(table, row));
  }
  return faults;
}
