import { findSourceFaults, findWrongRows } from '../ledger/reads/faults.ts';
import type { PostgresDatabase } from './database.ts';
import { derivedTables } from '../ledger/derived-tables.ts';
import type { Reader } from '../ledger/reads/reader.ts';
import { derivedAside } from './rebuild.ts';

/** Inconsistencies of a ledger at one moment, as sentences. PostgreSQL itself enforces references. */
export async function findPostgresFaults(database: PostgresDatabase): Promise<string[]> {
  return await derivedAside(
    database,
    async ({ session, schema }) => {
      const reader: Pick<Reader, 'rows'> = {
        rows: async (sql, values = []) => await session.all(sql, ...values),
      };
      const faults = await findSourceFaults(reader);
      for (const table of derivedTables) {
        const [held, right] = [`SELECT * FROM ${schema}.${table}`, `SELECT * FROM pg_temp.${table}`];
        faults.push(...(await findWrongRows(reader, table, held, right)));
      }
      return faults;
    },
    'REPEATABLE READ',
  );
}
