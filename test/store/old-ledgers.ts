import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import pg from 'pg';
import type { RunEvent } from '../../src/shared/events.ts';

/** Unchanged ledgers of earlier versions: two runs each, the second one killed with open goals. */
function recorded(version: string, name: string): Buffer {
  return gunzipSync(readFileSync(new URL(`../fixtures/ledgers-${version}/${name}.gz`, import.meta.url)));
}

/** The events as that version exported them. */
export function oldEvents(version: string, database: 'sqlite' | 'postgres'): RunEvent[] {
  const lines = recorded(version, `${database}-events.jsonl`).toString().trim().split('\n');
  return lines.map((line) => JSON.parse(line) as RunEvent);
}

export function oldSqlite(version: string, folder: string): string {
  const file = path.join(folder, 'ledger.db');
  writeFileSync(file, recorded(version, 'sqlite.db'));
  return file;
}

/** Into an empty database. Goals of the killed run still wait in its queue, and some were answered. */
export async function oldPostgres(version: string, url: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    await client.query(recorded(version, 'postgres.sql').toString());
  } finally {
    await client.end();
  }
}
