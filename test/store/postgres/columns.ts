import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';

type Columns = Record<string, readonly string[]>;

/** What only one of them needs: how far its schema is, who appended what, the queue, what machines share, and the number of a row of a text index. */
const ownTables =
  /^(ledger|writers|grounds|answers|offers|holders|claimants|shelf|ticket_text.*|sqlite_.*|derivation)$/;

export function sqliteColumns(file: string): Columns {
  const database = new DatabaseSync(file, { readOnly: true });
  const rows = database
    .prepare(
      `SELECT tables.name AS "table", columns.name AS "column" FROM sqlite_schema AS tables, pragma_table_xinfo(tables.name) AS columns
       WHERE tables.type IN ('table', 'view')`,
    )
    .all() as unknown as Row[];
  database.close();
  return grouped(rows);
}

export async function postgresColumns(url: string): Promise<Columns> {
  const client = new pg.Client(url);
  await client.connect();
  const { rows } = await client.query<Row>(
    `SELECT table_name AS "table", column_name AS "column" FROM information_schema.columns WHERE table_schema = 'public'`,
  );
  await client.end();
  return grouped(rows);
}

interface Row {
  readonly table: string;
  readonly column: string;
}

function grouped(rows: readonly Row[]): Columns {
  const ours = rows.filter(({ table }) => !ownTables.test(table));
  const tables = Map.groupBy(ours, ({ table }) => table);
  return Object.fromEntries(
    [...tables].map(([table, its]) => [table, its.map(({ column }) => column).sort()]),
  );
}
