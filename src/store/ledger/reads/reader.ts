/** The differences in SQL between the two databases. */
export interface Dialect {
  /** After a text in ORDER BY: sort by bytes. SQLite always does. */
  readonly byBytes: string;
  /** A JSON object with these fields. */
  readonly object: (fields: Readonly<Record<string, string>>) => string;
  /** Aggregate: one JSON object from a key and a value per row. */
  readonly objectOf: (key: string, value: string) => string;
  /** Whether a column is in a list that is given as a parameter. */
  readonly isOneOf: (column: string, parameter: string) => string;
  /** The same for bytes, given as hexadecimal digits. */
  readonly isOneOfHex: (column: string, parameter: string) => string;
  /** Bytes as hexadecimal digits. */
  readonly hex: (column: string) => string;
  /** One row per text of a JSON array: the source for FROM, and the expression for the text. */
  readonly texts: (array: string, name: string) => { readonly source: string; readonly text: string };
}

export type ReadValue = string | number | null | readonly string[];

/** Runs reading statements, which are the same for both databases. Parameters are written `$1`, `$2`, …. */
export interface Reader {
  readonly dialect: Dialect;
  /** The caller keeps the row's type equal to what the statement selects. `json` names the columns that hold JSON. */
  readonly rows: <Row>(
    sql: string,
    values?: readonly ReadValue[],
    json?: readonly string[],
  ) => Promise<Row[]>;
}
