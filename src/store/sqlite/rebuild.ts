import type { Database } from './database.ts';
import { selectLastSeq } from './journal.ts';

/** What sql/ledger/0003_derived.sql fills. A test compares this list with the tables that triggers write. */
export const derivedTables = [
  'goal_status',
  'in_flight',
  'statistics',
  'arm_records',
  'tactic_cache',
  'goal_history',
  'counters',
  'ticket_text',
] as const;

/** SQLite copies what it inserts through a trigger first: in batches, so that the copy stays small. */
const batch = 20_000;

/** Derives everything again, in the order of the events; other processes see the old tables until it is done. */
export function rebuildDerived(database: Database): void {
  database.transaction(() => {
    for (const table of derivedTables) database.execute(`DELETE FROM ${table}`);
    const last = selectLastSeq(database);
    for (let from = 1; from <= last; from += batch) deriveRange(database, from, from + batch - 1);
  });
}

function deriveRange(database: Database, from: number, to: number): void {
  database.run(
    'INSERT INTO derivation SELECT seq, run, at, type, body FROM events WHERE seq BETWEEN ? AND ? ORDER BY seq',
    from,
    to,
  );
}
