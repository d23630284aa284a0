import { learningRate, startingMean } from '../../core/bandit.ts';
import { derivedTables } from '../ledger/derived-tables.ts';
import type { Asked, PostgresDatabase, PostgresSession } from './database.ts';

/** The tables with counting triggers, and the trigger functions. */
const counting = { goal_history: 'count_goal', tactic_cache: 'count_cached' } as const;

export interface Derived {
  readonly session: PostgresSession;
  /** The schema of the ledger itself. */
  readonly schema: string;
  /** The last event that was derived. */
  readonly seq: number;
}

/**
 * Recomputes everything in a transaction into temporary tables. PostgreSQL resolves table names to these first, so the ledger's
 * functions fill them unchanged. Writers do not wait.
 */
export async function derivedAside<Result>(
  database: PostgresDatabase,
  work: (derived: Derived) => Promise<Result>,
  level = 'READ COMMITTED',
): Promise<Result> {
  return await database.transaction(async (session) => {
    const [place] = await session.all<{ schema: string }>('SELECT quote_ident(current_schema()) AS schema');
    for (const table of derivedTables)
      await session.script(`CREATE TEMP TABLE ${table} (LIKE ${table} INCLUDING ALL) ON COMMIT DROP`);
    for (const [table, counts] of Object.entries(counting))
      await session.script(
        `CREATE TRIGGER ${counts} AFTER INSERT OR UPDATE ON pg_temp.${table} FOR EACH ROW EXECUTE FUNCTION ${counts}()`,
      );
    return await work({ session, schema: place?.schema ?? 'public', seq: await deriveAfter(session, 0) });
  }, `ISOLATION LEVEL ${level} READ WRITE`);
}

/**
 * Recomputes all derived tables. Writers wait only while the result, with everything written in the meantime, is swapped in.
 */
export async function rebuildPostgres(database: PostgresDatabase): Promise<void> {
  await derivedAside(database, async ({ session, schema, seq }) => {
    await session.all('SELECT lock_events()');
    // the counters first: rows that are swapped in are counted again, in the temporary counters
    for (const table of derivedTables.toReversed()) {
      const columns = (await storedColumns(session, table)).join(', ');
      await session.script(
        `DELETE FROM ${schema}.${table}; INSERT INTO ${schema}.${table} (${columns}) SELECT ${columns} FROM pg_temp.${table}`,
      );
    }
    await session.script(derivedTables.map((table) => `DROP TABLE pg_temp.${table}`).join(';'));
    await deriveAfter(session, seq);
  });
}

async function deriveAfter(asked: Asked, seq: number): Promise<number> {
  const [row] = await asked.all<{ last: number }>('SELECT derive_after($1) AS last', seq);
  return row?.last ?? seq;
}

async function storedColumns(asked: Asked, table: string): Promise<string[]> {
  const rows = await asked.all<{ name: string }>(
    `SELECT attname AS name FROM pg_attribute
     WHERE attrelid = $1::text::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''`,
    `pg_temp.${table}`,
  );
  return rows.map(({ name }) => name);
}

/** Passes the bandit's constants to the functions. If they have changed, the ledger recomputes its averages from the events. */
export async function teachPostgresBandit(database: PostgresDatabase): Promise<void> {
  const [known] = await database.all<{ starting_mean: number; learning_rate: number }>(
    'SELECT starting_mean, learning_rate FROM bandit',
  );
  if (known?.starting_mean === startingMean && known.learning_rate === learningRate) return;
  await database.all(
    `INSERT INTO bandit (one, starting_mean, learning_rate) VALUES (1, $1, $2)
     ON CONFLICT (one) DO UPDATE SET starting_mean = $1, learning_rate = $2`,
    startingMean,
    learningRate,
  );
  if (known !== undefined) await rebuildPostgres(database);
}
