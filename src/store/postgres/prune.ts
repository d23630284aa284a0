import type { Pruning } from '../ledger/ledger.ts';
import { keptSamples } from '../ledger/samples.ts';
import type { PostgresDatabase } from './database.ts';

/** Removes old samples and records their number in an event. Then rewrites the table to free the space. */
export async function pruneSamples(database: PostgresDatabase, now: number): Promise<Pruning> {
  const before = await sizeOf(database);
  const removed = await database.transaction(async (session) => {
    await session.all('SELECT lock_events()');
    await session.script("SET LOCAL orch.prunes = 'samples'");
    const [row] = await session.all<{ count: number }>(
      `WITH removed AS (DELETE FROM events WHERE type = 'sample' AND seq NOT IN (${keptSamples('$1::bigint')}) RETURNING 1)
       SELECT count(*) AS count FROM removed`,
      now,
    );
    const count = row?.count ?? 0;
    await session.all(
      "INSERT INTO events (run, at, type, body) VALUES ('ledger', $1, 'pruned', json_build_object('removed', $2::bigint))",
      now,
      count,
    );
    return count;
  });
  await database.alone(async (session) => await session.script('VACUUM FULL events'));
  return { removed, bytes: { before, after: await sizeOf(database) } };
}

async function sizeOf(database: PostgresDatabase): Promise<number> {
  const [row] = await database.all<{ bytes: number }>('SELECT pg_database_size(current_database()) AS bytes');
  return row?.bytes ?? 0;
}
