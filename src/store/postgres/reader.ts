import type { Dialect, Reader } from '../ledger/reads/reader.ts';
import type { PostgresDatabase } from './database.ts';

const dialect: Dialect = {
  byBytes: ' COLLATE "C"',
  object: (fields) =>
    `json_build_object(${Object.entries(fields)
      .map(([name, value]) => `'${name}', ${value}`)
      .join(', ')})`,
  objectOf: (key, value) => `json_object_agg(${key}, ${value} ORDER BY ${key} COLLATE "C")`,
  isOneOf: (column, parameter) => `${column} = ANY (CAST(${parameter} AS text[]))`,
  isOneOfHex: (column, parameter) =>
    `${column} = ANY (SELECT decode(unnest(CAST(${parameter} AS text[])), 'hex'))`,
  hex: (column) => `encode(${column}, 'hex')`,
  texts: (array, name) => ({ source: `json_array_elements_text(${array}) AS ${name}`, text: name }),
};

/** JSON columns arrive decoded. */
export function postgresReader(database: PostgresDatabase): Reader {
  return {
    dialect,
    rows: async (sql, values = []) => await database.all(sql, ...values),
  };
}
