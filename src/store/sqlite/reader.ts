import type { Dialect, Reader, ReadValue } from '../ledger/reads/reader.ts';
import { decode, type SqliteDatabase } from './database.ts';

const dialect: Dialect = {
  byBytes: '',
  object: (fields) => `json_object(${pairs(fields)})`,
  objectOf: (key, value) => `json_group_object(${key}, ${value})`,
  isOneOf: (column, parameter) => `${column} IN (SELECT value FROM json_each(${parameter}))`,
  isOneOfHex: (column, parameter) => `${column} IN (SELECT unhex(value) FROM json_each(${parameter}))`,
  hex: (column) => `lower(hex(${column}))`,
  texts: (array, name) => ({ source: `json_each(${array}) AS ${name}`, text: `${name}.value` }),
};

const pairs = (fields: Readonly<Record<string, string>>): string =>
  Object.entries(fields)
    .map(([name, value]) => `'${name}', ${value}`)
    .join(', ');

/** Each statement is complete when its call returns, so results requested together are consistent. */
export function sqliteReader(database: SqliteDatabase): Reader {
  const statements = new Map<string, string>();
  return {
    dialect,
    rows: async <Result>(sql: string, values: readonly ReadValue[] = [], json: readonly string[] = []) => {
      const statement = statements.get(sql) ?? sql.replaceAll(/\$(\d)/g, '?$1');
      statements.set(sql, statement);
      const given = values.map((value) => (typeof value === 'object' ? JSON.stringify(value) : value));
      // decoding the rows of 20,000 goals would take as long as reading them
      if (json.length === 0) return database.all<Result>(statement, ...given);
      return decode<Result>(database.all(statement, ...given), ...json);
    },
  };
}
