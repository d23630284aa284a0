import { closeSync, openSync, statSync } from 'node:fs';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { UserError } from '../../core/errors.ts';
import { withSqliteErrors } from './failures.ts';

/** How long a writer waits for another. Our transactions take under a millisecond, a rebuild seconds. */
const busyMs = 10_000;

export function connect(file: string, readOnly: boolean): SqliteDatabase {
  const options = { readOnly, timeout: busyMs, enableForeignKeyConstraints: true };
  // SQLite's name for a temporary database is the empty text
  const isInMemory = file === ':memory:' || file === '';
  const found = isInMemory ? undefined : statSync(file, { throwIfNoEntry: false });
  // a checkout may contain a pipe, and SQLite would wait for its writer
  if (found?.isFile() === false)
    throw new UserError('not-a-file', `${file} is not a plain file`, 'Name another file, or remove it.');
  // SQLite gives the files beside it (-wal, -shm) the same permissions
  if (!readOnly && !isInMemory && found === undefined)
    withSqliteErrors(file, () => closeSync(openSync(file, 'a', 0o600)));
  return withSqliteErrors(file, () => new SqliteDatabase(file, new DatabaseSync(file, options)));
}

export type Row = Record<string, string | number | null>;

/** A connection with statements prepared once and errors translated. */
export class SqliteDatabase {
  readonly file: string;
  readonly #connection: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  constructor(file: string, connection: DatabaseSync) {
    this.file = file;
    this.#connection = connection;
  }

  /** The id of the last inserted row. */
  run(sql: string, ...values: SQLInputValue[]): number {
    return withSqliteErrors(this.file, () => Number(this.#prepared(sql).run(...values).lastInsertRowid));
  }

  /** The caller keeps the row's type equal to what the statement selects. */
  all<Result = Row>(sql: string, ...values: SQLInputValue[]): Result[] {
    return withSqliteErrors(this.file, () => this.#prepared(sql).all(...values) as Result[]);
  }

  execute(sql: string): void {
    withSqliteErrors(this.file, () => this.#connection.exec(sql));
  }

  /** Runs a transaction. It takes the write lock at once, because one that starts by reading might fail to get it later. */
  transaction<Result>(work: () => Result): Result {
    this.execute('BEGIN IMMEDIATE');
    try {
      const result = work();
      this.execute('COMMIT');
      return result;
    } catch (error) {
      if (this.#connection.isTransaction) this.execute('ROLLBACK'); // a full disk has already rolled back
      throw error;
    }
  }

  close(): void {
    this.#statements.clear();
    if (this.#connection.isOpen) this.#connection.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  #prepared(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.#connection.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }
}

/** Rows with the columns in `json` parsed from JSON text. */
export function decode<Result>(rows: readonly Row[], ...json: readonly string[]): Result[] {
  return rows.map((row) => {
    const decoded: Record<string, unknown> = { ...row };
    for (const column of json) {
      const text = decoded[column];
      if (typeof text === 'string') decoded[column] = JSON.parse(text);
    }
    return decoded as Result;
  });
}
