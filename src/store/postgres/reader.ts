import type { Dialect, Reader } from '../ledger/reads/reader.ts';
import type { Database } from './database.ts';

const dialect: Dialect = {
  bytewise: ' COLLATE "C"',
  object: (fields) =>
    `json_build_object(${Object.entries(fields)
      .map(([name, value]) => `'${name}', ${value}`)
      .join(', ')})`,
  objectOf: (key, value) => `json_object_agg(${key}, ${value} ORDER BY ${key} COLLATE "C")`,
  isOneOf: (column, parameter) => `${column} = ANY (CAST(${parameter} AS text[]))`,
};

/** Columns of JSON come decoded. */
export function postgresReader(database: Database): Reader {
  return {
    dialect,
    rows: async (sql, values = []) => await database.all(sql, ...values),
  };
}
