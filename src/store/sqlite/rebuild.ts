import { mkdtempDisposable } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { derivedTables } from '../ledger/derived-tables.ts';
import { connect, type SqliteDatabase } from './database.ts';
import { selectLastSeq } from './journal.ts';

/** Batched, because SQLite first copies all rows that it inserts through a trigger. */
const batch = 20_000;

/** Derives all tables again from the events in order; other processes see the old tables until it has finished. */
export function rebuildDerived(database: SqliteDatabase): void {
  database.transaction(() => {
    for (const table of derivedTables) database.execute(`DELETE FROM ${table}`);
    deriveRange(database, 1, selectLastSeq(database));
  });
}

/**
 * The same while a run is writing: deriving 250,000 events takes longer than a writer waits for the lock. So it
 * works on a copy, and takes the lock only to write the result and the events added meanwhile.
 */
export async function rebuildAside(database: SqliteDatabase): Promise<void> {
  await inACopy(database, async (copy) => {
    rebuildDerived(copy);
    const derived = selectLastSeq(copy);
    copy.close();
    database.run('ATTACH ? AS rebuilt', copy.file);
    try {
      database.transaction(() => {
        for (const table of derivedTables) replaceTable(database, table);
        deriveRange(database, derived + 1, selectLastSeq(database));
      });
    } finally {
      database.execute('DETACH rebuilt');
    }
  });
}

/** A consistent copy of the file, which blocks no other process. */
export async function inACopy<Result>(
  database: SqliteDatabase,
  work: (copy: SqliteDatabase) => Promise<Result>,
): Promise<Result> {
  await using folder = await mkdtempDisposable(path.join(os.tmpdir(), 'orch-ledger-'));
  const file = path.join(folder.path, 'copy.db');
  database.run('VACUUM INTO ?', file);
  using copy = connect(file, false);
  return await work(copy);
}

function replaceTable(database: SqliteDatabase, table: (typeof derivedTables)[number]): void {
  database.execute(`DELETE FROM ${table}`);
  const columns = columnsOf(database, table).join(', ');
  database.execute(`INSERT INTO ${table} (${columns}) SELECT ${columns} FROM rebuilt.${table}`);
}

/** Stored columns; the rows of a text index keep their number separately. */
function columnsOf(database: SqliteDatabase, table: (typeof derivedTables)[number]): string[] {
  if (table === 'ticket_text') return ['rowid', 'goal'];
  return database.all<{ name: string }>(`PRAGMA main.table_info(${table})`).map(({ name }) => name);
}

function deriveRange(database: SqliteDatabase, first: number, last: number): void {
  for (let from = first; from <= last; from += batch)
    database.run(
      'INSERT INTO derivation SELECT seq, run, at, type, body FROM events WHERE seq BETWEEN ? AND ? ORDER BY seq',
      from,
      Math.min(last, from + batch - 1),
    );
}
