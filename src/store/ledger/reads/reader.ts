/** Where the two databases spell the same thing differently. */
export interface Dialect {
  /** After a text in ORDER BY: sort by bytes. SQLite always does. */
  readonly bytewise: string;
  /** A JSON object with these fields. */
  object(fields: Readonly<Record<string, string>>): string;
  /** Aggregate: one JSON object out of a key and a value per row. */
  objectOf(key: string, value: string): string;
  /** Whether a column is in a list that is given as a parameter. */
  isOneOf(column: string, parameter: string): string;
}

type Value = string | number | null | readonly string[];

/** Runs reading statements, which are the same for both databases. Parameters are written `$1`, `$2`, …. */
export interface Reader {
  readonly dialect: Dialect;
  /** The caller keeps the row's type equal to what the statement selects. `json` names the columns that hold JSON. */
  rows<Row>(sql: string, values?: readonly Value[], json?: readonly string[]): Promise<Row[]>;
}
