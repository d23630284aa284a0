import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

interface Migration {
  readonly version: number;
  readonly sql: string;
}

/**
 * 0001_name.sql, 0002_name.sql, …: each number once, never changed later. `sql/` is next to `src/` in a clone and next to `dist/`
 * in a tarball.
 */
export function migrationsOf(kind: 'ledger' | 'postgres'): Migration[] {
  const folder = fileURLToPath(new URL(`../../../sql/${kind}/`, import.meta.url));
  const all = readdirSync(folder)
    .filter((name) => /^\d{4}_\w+\.sql$/.test(name))
    .sort()
    .map((name) => ({
      version: Number(name.slice(0, 4)),
      sql: readFileSync(path.join(folder, name), 'utf8'),
    }));
  if (all.some(({ version }, index) => version !== index + 1))
    throw new Error(`the migrations in ${folder} are not numbered one after the other`);
  return all;
}
