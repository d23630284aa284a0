import { messageOf } from '../../core/errors.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { withoutPassword } from '../ledger/place.ts';
import { withPostgresErrors, isLostConnection } from './failures.ts';
import { sha256 } from '../../core/sha256.ts';

/** A run writes through one connection at a time; dashboard views and the search memory use others. */
const connections = 4;
/** How long to wait for a server that restarts. After that the run ends, as on a full disk. */
const patienceMs = 120_000;
/** A starting command waits less, because the URL may be wrong. */
export const startPatienceMs = 30_000;
const firstPauseMs = 100;
const longestPauseMs = 3000;

export interface Connecting {
  /** Every session is read-only. */
  readonly readOnly: boolean;
  /** Called once each time the server has to be waited for. */
  readonly onWait?: ((message: string) => void) | undefined;
}

/** Types of statement parameters. */
type Value = string | number | boolean | null | Buffer | readonly (string | number | null)[];

/** A single connection, for transactions and temporary tables. */
export interface PostgresSession {
  all<Result>(sql: string, ...values: readonly Value[]): Promise<Result[]>;
  /** Several statements without parameters. */
  script(sql: string): Promise<void>;
}

/** Runs statements, alone or in a transaction. */
export type Asked = Pick<PostgresSession, 'all'>;

/**
 * Connections with statements prepared once and errors translated. Statements run through `all` must be repeatable: if a
 * connection is lost, it is replaced and the statement sent again.
 */
export class PostgresDatabase {
  readonly name: string;
  readonly #settings: pg.ClientConfig;
  readonly #pool: pg.Pool;
  readonly #onWait: (message: string) => void;
  #isClosed = false;

  constructor(url: string, { readOnly, onWait = () => undefined }: Connecting) {
    this.name = withoutPassword(url);
    this.#onWait = onWait;
    this.#settings = {
      connectionString: url,
      application_name: 'orch',
      connectionTimeoutMillis: 10_000,
      keepAlive: true,
      types: { getTypeParser },
    };
    this.#pool = new pg.Pool({
      ...this.#settings,
      max: connections,
      ...(readOnly && { verify: refuseWriting }),
    });
    // a broken idle connection is replaced for the next statement
    this.#pool.on('error', () => undefined);
  }

  /** The caller keeps the row's type equal to what the statement selects. */
  async all<Result>(sql: string, ...values: readonly Value[]): Promise<Result[]> {
    return await this.patiently(async () => await ask<Result>(this.#pool, sql, values));
  }

  /** Repeats idempotent work until the server has answered, and translates its errors. */
  async patiently<Result>(work: () => Promise<Result>, forMs = patienceMs): Promise<Result> {
    const until = Date.now() + forMs;
    for (let pause = firstPauseMs; ; pause = Math.min(2 * pause, longestPauseMs)) {
      try {
        return await withPostgresErrors(this.name, work);
      } catch (error) {
        if (this.#isClosed || !isLostConnection(error) || Date.now() + pause > until) throw error;
        if (pause === firstPauseMs)
          this.#onWait(`${messageOf(error)}; waiting up to ${forMs / 1000} s for it`);
        await sleep(pause);
      }
    }
  }

  /** Queries once, without waiting for a server that is down. */
  async once<Result>(sql: string, ...values: readonly Value[]): Promise<Result[]> {
    return await withPostgresErrors(this.name, async () => await ask<Result>(this.#pool, sql, values));
  }

  /** A new connection, closed afterwards. */
  async alone<Result>(work: (session: PostgresSession) => Promise<Result>): Promise<Result> {
    return await withPostgresErrors(this.name, async () => {
      const client = new pg.Client(this.#settings);
      client.on('error', () => undefined); // the pending query reports it
      try {
        await client.connect();
        return await work({
          all: async (sql, ...values) => await ask(client, sql, values),
          script: async (sql) => void (await client.query(sql)),
        });
      } finally {
        await client.end();
      }
    });
  }

  /** Runs a transaction on one connection. */
  async transaction<Result>(
    work: (session: PostgresSession) => Promise<Result>,
    level = '',
  ): Promise<Result> {
    return await this.alone(async (session) => {
      await session.script(`BEGIN ${level}`);
      const result = await work(session); // a failure ends the connection, and with it the transaction
      await session.script('COMMIT');
      return result;
    });
  }

  /** Listens on a channel until the returned function is called. A lost connection is reopened, and then `heard` is called. */
  async listen(channel: string, heard: () => void): Promise<() => Promise<void>> {
    let isOver = false;
    let client: pg.Client;
    const connect = async (): Promise<void> => {
      client = new pg.Client(this.#settings);
      client.on('notification', heard);
      client.on('error', () => undefined);
      client.on('end', () => void again());
      await client.connect();
      await client.query(`LISTEN ${channel}`);
    };
    const again = async (): Promise<void> => {
      await sleep(longestPauseMs, undefined, { ref: false });
      if (isOver) return;
      await connect().then(heard, () => undefined); // a failed connection attempt ends the client too and calls this again
    };
    await this.patiently(connect);
    return async () => {
      isOver = true;
      await client.end();
    };
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.#pool.end();
  }
}

/** `options` of the URL may name a schema, which our session settings must not replace. */
function refuseWriting(client: pg.PoolClient, done: (error?: Error) => void): void {
  client.query('SET default_transaction_read_only = on', (error) => done(error ?? undefined));
}

const names = new Map<string, string>();

/** Statements are prepared under a name, once per connection. */
async function ask<Result>(
  client: pg.Pool | pg.Client,
  sql: string,
  values: readonly Value[],
): Promise<Result[]> {
  let name = names.get(sql);
  if (name === undefined) {
    name = sha256(sql).slice(0, 32);
    names.set(sql, name);
  }
  const { rows } = await client.query({ name, text: sql, values: values.map(storable) });
  return rows as Result[];
}

/** PostgreSQL text cannot contain U+0000. */
function storable(value: Value): Value {
  return typeof value === 'string' ? value.replaceAll('\0', '\ufffd') : value;
}

/** Numbers as numbers: what is counted here stays far below 2^53. */
const numeric = new Set<number>([pg.types.builtins.INT8, pg.types.builtins.NUMERIC]);

const getTypeParser: typeof pg.types.getTypeParser = (oid: number, format?: unknown) =>
  numeric.has(oid) ? Number : pg.types.getTypeParser(oid, format as 'text');

/** JSON that PostgreSQL can read completely: without U+0000 and without unpaired surrogates. */
export function asJsonText(value: unknown): string {
  const text = JSON.stringify(value);
  if (!/\\u(0000|d[89a-f])/i.test(text)) return text;
  return JSON.stringify(value, (_, each: unknown) =>
    typeof each === 'string' ? each.replaceAll('\0', '\ufffd').toWellFormed() : each,
  );
}
