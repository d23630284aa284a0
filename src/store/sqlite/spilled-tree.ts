import { connect, type SqliteDatabase } from './database.ts';

interface Row {
  readonly parent: number | null;
  readonly uses: number;
  readonly body: string;
}

/**
 * Texts that build on one another. SQLite keeps the latest in memory and moves the rest to a temporary file without a name, which
 * ends with the process. A text is deleted once it is released and nothing builds on it.
 */
export class SpilledTree {
  readonly #database: SqliteDatabase = connect('', false);

  constructor() {
    this.#database.execute(
      `PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;
       CREATE TABLE texts (id INTEGER PRIMARY KEY, parent INTEGER, uses INTEGER NOT NULL, body TEXT NOT NULL)`,
    );
  }

  /** Adds a text that the caller holds. Returns its number, from 1. */
  add(body: string, parent?: number): number {
    if (parent !== undefined) this.#use(parent, 1);
    const sql = 'INSERT INTO texts (parent, uses, body) VALUES (?, 1, ?)';
    return this.#database.run(sql, parent ?? null, body);
  }

  read(id: number): string {
    return this.#row(id).body;
  }

  /** The caller no longer holds a text. */
  release(id: number): void {
    for (let at: number | null = id; at !== null;) {
      const { parent, uses }: Row = this.#row(at);
      if (uses > 1) return this.#use(at, -1);
      this.#database.run('DELETE FROM texts WHERE id = ?', at);
      at = parent;
    }
  }

  /** Number of texts. */
  get size(): number {
    return this.#database.all<{ size: number }>('SELECT count(*) AS size FROM texts')[0]?.size ?? 0;
  }

  close(): void {
    this.#database.close();
  }

  #use(id: number, change: number): void {
    this.#database.run('UPDATE texts SET uses = uses + ? WHERE id = ?', change, id);
  }

  #row(id: number): Row {
    const [row] = this.#database.all<Row>('SELECT parent, uses, body FROM texts WHERE id = ?', id);
    if (!row) throw new Error(`there is no text ${id}`);
    return row;
  }
}
