import type { Dialect, Reader } from '../ledger/reads/reader.ts';
import { decode, type Database, type Row } from './database.ts';

const dialect: Dialect = {
  bytewise: '',
  object: (fields) => `json_object(${pairs(fields)})`,
  objectOf: (key, value) => `json_group_object(${key}, ${value})`,
  isOneOf: (column, parameter) => `${column} IN (SELECT value FROM json_each(${parameter}))`,
};

const pairs = (fields: Readonly<Record<string, string>>): string =>
  Object.entries(fields)
    .map(([name, value]) => `'${name}', ${value}`)
    .join(', ');

/** Each statement is over when its call returns: what is asked for together is of one moment. */
export function sqliteReader(database: Database): Reader {
  const statements = new Map<string, string>();
  return {
    dialect,
    async rows<Result>(sql: string, values = [], json: readonly string[] = []): Promise<Result[]> {
      const statement = statements.get(sql) ?? sql.replaceAll(/\$(\d)/g, '?$1');
      statements.set(sql, statement);
      const given = values.map((value) => (typeof value === 'object' ? JSON.stringify(value) : value));
      // decoding the rows of 20,000 goals would take as long as reading them
      if (json.length === 0) return database.all<Result>(statement, ...given);
      return decode<Result>(database.all<Row>(statement, ...given), ...json);
    },
  };
}
