import type { Shelf } from '../ledger/blob-store.ts';
import type { PostgresDatabase } from './database.ts';

export class PostgresShelf implements Shelf {
  readonly #database: PostgresDatabase;

  constructor(database: PostgresDatabase) {
    this.#database = database;
  }

  async get(name: string): Promise<Buffer | undefined> {
    const [row] = await this.#database.all<{ bytes: Buffer }>(
      'SELECT bytes FROM shelf WHERE name = $1',
      name,
    );
    return row?.bytes;
  }

  async put(name: string, bytes: Buffer): Promise<void> {
    await this.#database.all(
      'INSERT INTO shelf (name, bytes) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING',
      name,
      bytes,
    );
  }
}
