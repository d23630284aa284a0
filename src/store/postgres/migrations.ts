import { UserError } from '../../core/errors.ts';
import { migrationsOf } from '../ledger/migrations.ts';
import { startPatienceMs, type Asked, type PostgresDatabase, type PostgresSession } from './database.ts';

/** The lock under which processes create a ledger one at a time: "orch". */
const creating = 0x6f726368;

/** Migrates the schema to the newest version. Two processes that start together do it once. */
export async function migratePostgres(database: PostgresDatabase): Promise<void> {
  const all = migrationsOf('postgres');
  if ((await standing(database)).version === all.length) return;
  const bringUpToDate = async (session: PostgresSession): Promise<void> => {
    const { version } = await standing(session);
    // there is no table to lock yet, and no worker role that could delay its creation
    if (version === 0) await session.all('SELECT pg_advisory_xact_lock($1)', creating);
    else await session.all('LOCK TABLE ledger IN EXCLUSIVE MODE');
    const { version: reached } = await standing(session);
    for (const migration of all.filter((one) => one.version > reached)) {
      await session.script(migration.sql);
      await session.all(
        'INSERT INTO ledger (one, version) VALUES (1, $1) ON CONFLICT (one) DO UPDATE SET version = $1',
        migration.version,
      );
    }
  };
  await database.patiently(async () => await database.transaction(bringUpToDate));
}

interface Standing {
  /** The server's version: 150018 is PostgreSQL 15.18. */
  readonly server: number;
  /** 0: there is no ledger. */
  readonly version: number;
  readonly isEmpty: boolean;
}

async function standing(asked: Asked): Promise<Standing> {
  const [found] = await asked.all<{ server: number; tables: number; ours: boolean }>(
    `SELECT current_setting('server_version_num')::int AS server, count(*) AS tables, to_regclass('ledger') IS NOT NULL AND to_regclass('events') IS NOT NULL AS ours
     FROM pg_tables WHERE schemaname = current_schema()`,
  );
  const server = found?.server ?? 0;
  if (!found?.ours) return { server, version: 0, isEmpty: (found?.tables ?? 0) === 0 };
  const [row] = await asked.all<{ version: number }>('SELECT version FROM ledger');
  return { server, version: row?.version ?? 0, isEmpty: false };
}

const oldestServer = 130_000;

type Found = 'none' | 'older' | 'current';

/** The state of the database. Throws if this version of orch cannot use it, and changes nothing. */
export async function inspectPostgres(
  database: PostgresDatabase,
  patienceMs = startPatienceMs,
): Promise<Found> {
  // a command may start while the server restarts
  const { server, version, isEmpty } = await database.patiently(
    async () => await standing({ all: async (sql, ...values) => await database.once(sql, ...values) }),
    patienceMs,
  );
  if (server < oldestServer)
    throw new UserError(
      'old-server',
      `the server of ${database.name} is PostgreSQL ${Math.floor(server / 10_000)}; a ledger needs PostgreSQL 13 or newer`,
      'Upgrade the server, or name another ledger with --ledger.',
    );
  const newest = migrationsOf('postgres').length;
  if (version === 0 && !isEmpty)
    throw new UserError(
      'not-a-ledger',
      `${database.name} is a database of another program`,
      'Name an empty database or a separate schema (?options=-csearch_path=orch); orch has not changed it.',
    );
  if (version > newest)
    throw new UserError(
      'ledger-newer',
      `the ledger ${database.name} was written by a newer orch (its schema is ${version}, this one knows ${newest})`,
      'Use that version, or name another ledger with --ledger; orch has not changed it.',
    );
  if (version === 0) return 'none';
  return version === newest ? 'current' : 'older';
}
