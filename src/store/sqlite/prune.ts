import { renameSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { UserError } from '../../core/errors.ts';
import type { Pruning } from '../ledger/ledger.ts';
import { keptSamples } from '../ledger/samples.ts';
import { connect, type SqliteDatabase } from './database.ts';
import { syncFolder } from './sync-folder.ts';
import { findSqliteFaults } from './verify.ts';

/**
 * Writes a new file without old samples and replaces the old one. No other process may have the file open, or its later writes
 * to the old file would be lost.
 */
export async function pruneInto(database: SqliteDatabase, now: number): Promise<Pruning> {
  const { file } = database;
  lockOut(database);
  const fresh = `${file}.${process.pid}.tmp`;
  rmSync(fresh, { force: true });
  try {
    database.run('VACUUM INTO ?', fresh);
    const removed = await thinOut(fresh, now);
    const bytes = { before: statSync(file).size, after: statSync(fresh).size };
    renameSync(fresh, file); // a waiting writer cannot write to the old file, because SQLite notices that it was replaced
    syncFolder(path.dirname(file));
    return { removed, bytes };
  } finally {
    rmSync(fresh, { force: true });
  }
}

/**
 * A file leaves WAL mode only for a connection that is alone with it; from then on no other process can open
 * it.
 */
function lockOut(database: SqliteDatabase): void {
  try {
    database.execute(
      'PRAGMA journal_mode = DELETE; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT',
    );
  } catch (error) {
    if (!(error instanceof UserError) || error.code !== 'ledger-busy') throw error;
    throw new UserError(
      'ledger-busy',
      `the ledger ${database.file} is in use`,
      'Stop the runs and dashboards that use it, then try again.',
      { cause: error },
    );
  }
}

async function thinOut(fresh: string, now: number): Promise<number> {
  using copy = connect(fresh, false);
  const [guard] = copy.all<{ sql: string }>(
    "SELECT sql FROM sqlite_schema WHERE name = 'events_only_grow_delete'",
  );
  const removed = copy.transaction(() => {
    copy.execute('DROP TRIGGER events_only_grow_delete');
    copy.run(`DELETE FROM events WHERE type = 'sample' AND seq NOT IN (${keptSamples('?1')})`, now);
    const [changes] = copy.all<{ count: number }>('SELECT changes() AS count');
    const count = changes?.count ?? 0;
    copy.execute(guard?.sql ?? '');
    copy.run(
      "INSERT INTO events (run, at, type, body) VALUES ('ledger', ?, 'pruned', json_object('removed', ?))",
      now,
      count,
    );
    return count;
  });
  copy.execute('VACUUM');
  const faults = await findSqliteFaults(copy);
  if (faults.length > 0) throw new Error(`the pruned ledger has errors: ${faults.join('; ')}`);
  return removed;
}
