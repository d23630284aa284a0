import { PgBoss } from 'pg-boss';
import { asJsonText, PostgresDatabase } from '../postgres/database.ts';
import { sha256 } from '../../core/sha256.ts';

/** The environment that a worker needs to open a goal. */
export interface Ground {
  /** Version of orch. */
  readonly version: string;
  readonly toolchain: string;
  readonly imports: readonly string[];
  readonly options: object;
  /** Hash of the project's modules and manifest; empty if only Lean's library is used. */
  readonly closure: string;
  /** The coordinator's folder, for display. */
  readonly project: string | null;
  /** Where workers can clone it: a repository and the commit of that folder. */
  readonly origin: string | null;
  readonly revision: string | null;
}

export interface OfferedGround extends Ground {
  readonly queue: string;
  /** A coordinator has requested work on it in the last minute. */
  readonly isWanted: boolean;
}

/** The coordinator's decision on an answer; `not-found`: it cannot be judged. */
export type Settled = 'accepted' | 'refused' | 'not-found';

export interface WorkerAnswer {
  readonly number: number;
  readonly question: string;
  readonly job: string;
  readonly worker: string;
  readonly body: unknown;
  /** Null: not settled yet. */
  readonly verdict: Settled | null;
}

export interface Sending {
  readonly priority?: number;
  /** Delay before it can be claimed. */
  readonly afterSeconds?: number;
  /** How long a worker may hold it, even if it is alive. */
  readonly holdSeconds?: number;
}

/** A holder that is silent for this long loses its jobs; pg-boss requires at least ten seconds. */
export const leaseSeconds = 15;
/** No limit on how often a lost or returned job is queued again. */
const retries = 1_000_000_000;
/** pg-boss allows less than a day. */
export const longestHoldSeconds = 86_000;
/** A worker or run that has been silent for this long counts as gone. */
const silence = "interval '1 minute'";
/** How long workers keep working on goals of a silent run: it may be resumed. */
const afterwards = "interval '1 hour'";

/**
 * The coordinator's side of the queue: goals as jobs of pg-boss, in the database of the ledger.
 *
 *     waiting ──claim──▶ held ──answer──▶ done
 *        ▲                 ├─ give back ─┐
 *        └─────────────────┴─ silence ───┘
 *
 * A question (a goal of a run) has one job at a time. Its answers are settled by the coordinator: the first accepted one wins, by a unique
 * key; after a refusal the question is asked again, as another job. It waits for a server that restarts, as the ledger does.
 */
export class GoalQueue {
  readonly #database: PostgresDatabase;
  readonly #pgBoss: PgBoss;
  readonly #made = new Set<string>();

  /** The ledger of the URL must have been opened before: it brings the tables up to date. */
  static async open(
    url: string,
    onFailure: (error: Error) => void,
    onWait?: (message: string) => void,
  ): Promise<GoalQueue> {
    const database = new PostgresDatabase(url, { readOnly: false, onWait });
    try {
      const [row] = await database.all<{ schema: string }>('SELECT queue_schema() AS schema');
      const boss = await database.patiently(
        async () => await startBoss(url, row?.schema ?? 'pgboss', onFailure),
      );
      return new GoalQueue(database, boss);
    } catch (error) {
      await database.close();
      throw error;
    }
  }

  private constructor(database: PostgresDatabase, boss: PgBoss) {
    this.#database = database;
    this.#pgBoss = boss;
  }

  /** Announces goals for this environment, for the next minute. */
  async want(ground: Ground): Promise<string> {
    const { version, toolchain, imports, options, closure, project, origin, revision } = ground;
    const queue = queueOf(ground);
    await this.#make(queue);
    await this.#database.all(
      `INSERT INTO grounds (queue, version, toolchain, imports, options, closure, project, origin, revision)
       VALUES ($1, $2, $3, $4::json, $5::json, $6, $7, $8, $9)
       ON CONFLICT (queue) DO UPDATE SET heard = now(), origin = $8, revision = $9`,
      queue,
      version,
      toolchain,
      asJsonText(imports),
      asJsonText(options),
      closure,
      project,
      origin,
      revision,
    );
    await this.#database.all(`DELETE FROM offers WHERE heard < now() - ${afterwards}`);
    return queue;
  }

  /** Workers that currently serve a queue. */
  async offering(queue: string): Promise<string[]> {
    const rows = await this.#database.all<{ worker: string }>(
      `SELECT worker FROM offers WHERE queue = $1 AND heard > now() - ${silence} ORDER BY worker`,
      queue,
    );
    return rows.map(({ worker }) => worker);
  }

  /** Sends a job once per name, even if called repeatedly; a withdrawn one is queued again. */
  async send(
    queue: string,
    job: string,
    task: object,
    { priority = 0, afterSeconds = 0, holdSeconds = longestHoldSeconds }: Sending = {},
  ): Promise<void> {
    const id = uuidOf(job);
    await this.#boss(async (boss) => {
      const options = { id, priority, startAfter: afterSeconds, expireInSeconds: holdSeconds };
      const sent = await boss.send(queue, { job, task }, options);
      if (sent === null) await boss.resume(queue, id);
    });
  }

  /** The answer is no longer needed. */
  async withdraw(queue: string, job: string): Promise<void> {
    await this.#boss(async (boss) => await boss.cancel(queue, uuidOf(job)));
  }

  /** Keeps these jobs: one that another process withdrew, assuming that the run was dead, is queued again. */
  async keep(queue: string, jobs: readonly string[]): Promise<void> {
    if (jobs.length > 0) await this.#boss(async (boss) => await boss.resume(queue, jobs.map(uuidOf)));
  }

  /** Unsettled answers to the questions of a scope; those that are known come without body. */
  async unsettled(scope: string, known: Iterable<number> = []): Promise<WorkerAnswer[]> {
    return await this.#database.all(
      `${answerRows} WHERE scope = $2 AND verdict IS NULL ORDER BY number`,
      [...known],
      scope,
    );
  }

  /** All answers to the questions; those that are known or were refused come without body. */
  async answersTo(questions: readonly string[], known: Iterable<number> = []): Promise<WorkerAnswer[]> {
    return await this.#database.all(
      `${answerRows} WHERE question = ANY ($2::text[]) ORDER BY number`,
      [...known],
      questions,
    );
  }

  /** Whether this answer closes its question. */
  async settle({ number }: WorkerAnswer, verdict: Settled): Promise<boolean> {
    const [row] = await this.#database.all<{ wins: boolean }>(
      'SELECT settle_answer($1, $2) AS wins',
      number,
      verdict,
    );
    return row?.wins ?? false;
  }

  /** Calls back when an answer arrives, until the returned function is called. */
  async follow(news: () => void): Promise<() => Promise<void>> {
    return await this.#database.listen('orch_answers', news);
  }

  async close(): Promise<void> {
    await this.#pgBoss.stop({ graceful: false });
    await this.#database.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #make(queue: string): Promise<void> {
    if (this.#made.has(queue)) return;
    const options = {
      heartbeatSeconds: leaseSeconds,
      expireInSeconds: longestHoldSeconds,
      retryLimit: retries,
      retryDelay: 0,
    };
    await this.#boss(async (boss) => await boss.createQueue(queue, options));
    this.#made.add(queue);
  }

  /** All calls of pg-boss here can be repeated. */
  async #boss<Result>(ask: (boss: PgBoss) => Promise<Result>): Promise<Result> {
    return await this.#database.patiently(async () => await ask(this.#pgBoss));
  }
}

/** A pg-boss that failed to start cannot be reused, so each attempt creates a new one. */
async function startBoss(url: string, schema: string, onFailure: (error: Error) => void): Promise<PgBoss> {
  const boss = new PgBoss({
    connectionString: url,
    application_name: 'orch queue',
    schema,
    max: 3,
    schedule: false,
    superviseIntervalSeconds: 5,
    monitorIntervalSeconds: 5,
  });
  boss.on('error', onFailure); // it recovers by itself when the server is back
  try {
    return await boss.start();
  } catch (error) {
    await boss.stop({ graceful: false });
    throw error;
  }
}

/**
 * Names of workers become names of arms, so they are bounded: a role, a slash and 200 bytes. Bodies can be large, and
 * the rows are read again and again.
 */
const answerRows = `SELECT number, question, job, left(worker, 264) AS worker, verdict,
  CASE WHEN verdict = 'refused' OR number = ANY ($1::bigint[]) THEN NULL ELSE body END AS body FROM answers`;

/** Equivalent base environments have the same queue. */
function queueOf({ version, toolchain, imports, options, closure }: Ground): string {
  const text = JSON.stringify([version, toolchain, closure === '' ? [] : [imports, options, closure]]);
  return `orch-${sha256(text).slice(0, 24)}`;
}

/** pg-boss identifies jobs by UUID, so the UUID is computed from the name. */
function uuidOf(job: string): string {
  const hex = sha256(job);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `5${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}
