import { existsSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { load } from 'sqlite-vec';
import { makeFolders } from '../../core/folders.ts';
import type { Ranked } from './premise.ts';
import { SqliteDatabase } from '../sqlite/database.ts';

/** A premise and its vector, of length one. */
export interface NamedVector {
  readonly name: string;
  readonly vector: readonly number[];
}

/** The vectors of an environment's premises. Built once, then only read. */
export interface VectorIndex {
  readonly size: number;
  /** The premises with the highest cosine similarity, at most 1. */
  nearest(vector: readonly number[], limit: number): Ranked[];
  close(): void;
}

/** The vectors in a file; undefined if there is none. */
export function openVectors(file: string): VectorIndex | undefined {
  return existsSync(file) ? new SqliteVectors(connectWithVectors(file, true)) : undefined;
}

/** Written to a temporary name first, so that an existing file is complete. */
export async function writeVectors(
  file: string,
  pages: AsyncIterable<readonly NamedVector[]>,
): Promise<number> {
  makeFolders(path.dirname(file));
  const draft = `${file}.${process.pid}`;
  rmSync(draft, { force: true });
  let count = 0;
  try {
    using database = connectWithVectors(draft, false);
    database.execute(
      'PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; CREATE TABLE premises (id INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT',
    );
    for await (const page of pages) {
      const width = page[0]?.vector.length ?? 0;
      if (count === 0 && width > 0)
        database.execute(
          `CREATE VIRTUAL TABLE vectors USING vec0 (vector float[${width}] distance_metric=cosine)`,
        );
      database.transaction(() => {
        for (const { name, vector } of page) {
          const id = BigInt(database.run('INSERT INTO premises (name) VALUES (?)', name));
          database.run('INSERT INTO vectors (rowid, vector) VALUES (?, ?)', id, floats(vector));
        }
      });
      count += page.length;
    }
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
  renameSync(draft, file);
  return count;
}

class SqliteVectors implements VectorIndex {
  readonly size: number;
  readonly #database: SqliteDatabase;

  constructor(database: SqliteDatabase) {
    this.#database = database;
    const [row] = database.all<{ size: number }>('SELECT count(*) AS size FROM premises');
    this.size = row?.size ?? 0;
  }

  nearest(vector: readonly number[], limit: number): Ranked[] {
    if (this.size === 0) return [];
    return this.#database.all<{ name: string; score: number }>(
      `SELECT premises.name, 1 - distance AS score
       FROM (SELECT rowid AS id, distance FROM vectors WHERE vector MATCH ? AND k = ?) JOIN premises USING (id)
       ORDER BY distance, premises.name`,
      floats(vector),
      limit,
    );
  }

  close(): void {
    this.#database.close();
  }
}

function floats(vector: readonly number[]): Uint8Array {
  return new Uint8Array(Float32Array.from(vector).buffer);
}

function connectWithVectors(file: string, readOnly: boolean): SqliteDatabase {
  const connection = new DatabaseSync(file, { readOnly, allowExtension: true });
  load(connection);
  connection.enableLoadExtension(false);
  return new SqliteDatabase(file, connection);
}
