import { createHash } from 'node:crypto';
import { PgBoss } from 'pg-boss';
import { jsonText, Database } from '../postgres/database.ts';

/** What a goal needs where it is opened. */
export interface Ground {
  /** Of orch. */
  readonly version: string;
  readonly toolchain: string;
  readonly imports: readonly string[];
  readonly options: object;
  /** Hash of the project's modules and manifest; empty where all comes with Lean. */
  readonly closure: string;
  /** The folder at the coordinator's, for people. */
  readonly project: string | null;
}

export interface OfferedGround extends Ground {
  readonly queue: string;
  /** A coordinator has asked for work on it in the last minute. */
  readonly isWanted: boolean;
}

/** A job that this process holds, until it is done, given back, or the lease is lost. */
export interface HeldJob {
  readonly queue: string;
  /** As pg-boss knows it. */
  readonly id: string;
  readonly job: string;
  readonly task: unknown;
}

export interface Answer {
  readonly job: string;
  readonly worker: string;
  readonly body: unknown;
}

/** A holder that is silent for so long has lost its jobs; pg-boss allows no less than ten seconds. */
const leaseSeconds = 15;
/** As often as a lost machine may lose a job; then it counts as failed. */
const retries = 1000;
const activeSeconds = 86_000;

/**
 * Goals as jobs of pg-boss, in the database of the ledger.
 *
 *     waiting ──claim──▶ held ──answer──▶ done
 *        ▲                 ├─ give back ─┐
 *        └─────────────────┴─ silence ───┘
 */
export class GoalQueue {
  readonly #database: Database;
  readonly #boss: PgBoss;
  readonly #made = new Set<string>();

  static async open(url: string, onFailure: (error: Error) => void): Promise<GoalQueue> {
    const boss = new PgBoss({
      connectionString: url,
      application_name: 'orch queue',
      max: 3,
      schedule: false,
      superviseIntervalSeconds: 5,
      monitorIntervalSeconds: 5,
    });
    boss.on('error', onFailure); // it goes on by itself when the server is back
    await boss.start();
    return new GoalQueue(new Database(url, { readOnly: false }), boss);
  }

  private constructor(database: Database, boss: PgBoss) {
    this.#database = database;
    this.#boss = boss;
  }

  /** Goals on this ground are wanted, for the next minute. */
  async want(ground: Ground): Promise<string> {
    const { version, toolchain, imports, options, closure, project } = ground;
    const queue = queueOf(ground);
    await this.#make(queue);
    await this.#database.all(
      `INSERT INTO grounds (queue, version, toolchain, imports, options, closure, project)
       VALUES ($1, $2, $3, $4::json, $5::json, $6, $7) ON CONFLICT (queue) DO UPDATE SET heard = now()`,
      queue,
      version,
      toolchain,
      jsonText(imports),
      jsonText(options),
      closure,
      project,
    );
    return queue;
  }

  async grounds(): Promise<OfferedGround[]> {
    return await this.#database.all(
      `SELECT queue, version, toolchain, imports, options, closure, project,
         heard > now() - interval '1 minute' AS "isWanted" FROM grounds ORDER BY heard DESC`,
    );
  }

  /** A job of this name is there once, however often it is sent. */
  async send(queue: string, job: string, task: object, priority: number): Promise<void> {
    await this.#boss.send(queue, { job, task }, { id: uuidOf(job), priority });
  }

  async claim(queue: string, most: number): Promise<HeldJob[]> {
    await this.#make(queue);
    const jobs = await this.#boss.fetch<{ job: string; task: unknown }>(queue, { batchSize: most });
    return jobs.map(({ id, data: { job, task } }) => ({ queue, id, job, task }));
  }

  /** The holder lives. False: the job is no longer its own. */
  async beat({ queue, id }: HeldJob): Promise<boolean> {
    await this.#boss.touch(queue, id);
    const held = await this.#database.once("SELECT 1 FROM pgboss.job WHERE id = $1 AND state = 'active'", id);
    return held.length > 0;
  }

  async giveBack({ queue, id }: HeldJob): Promise<void> {
    await this.#boss.fail(queue, id);
  }

  /** Nobody needs an answer any more. */
  async withdraw(queue: string, job: string): Promise<void> {
    await this.#boss.cancel(queue, uuidOf(job));
  }

  /** Whether it was the first; a later one is kept, and changes nothing. */
  async answer({ queue, id, job }: HeldJob, worker: string, body: object): Promise<boolean> {
    const [row] = await this.#database.all<{ first: boolean }>(
      'SELECT take_answer($1, $2, $3::json) AS first',
      job,
      worker,
      jsonText(body),
    );
    await this.#boss.complete(queue, id);
    return row?.first ?? false;
  }

  /** The first answers to these jobs, as far as there are any. */
  async answers(jobs: readonly string[]): Promise<Answer[]> {
    return await this.#database.all(
      'SELECT job, worker, body FROM answers WHERE is_first AND job = ANY ($1::text[])',
      jobs,
    );
  }

  /** Calls back when an answer has come, until the answer to this is called. */
  async follow(news: () => void): Promise<() => Promise<void>> {
    return await this.#database.listen('orch_answers', news);
  }

  async close(): Promise<void> {
    await this.#boss.stop({ graceful: false });
    await this.#database.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #make(queue: string): Promise<void> {
    if (this.#made.has(queue)) return;
    await this.#boss.createQueue(queue, {
      heartbeatSeconds: leaseSeconds,
      expireInSeconds: activeSeconds,
      retryLimit: retries,
      retryDelay: 0,
    });
    this.#made.add(queue);
  }
}

/** How often a holder says that it lives. */
export const beatMs = (leaseSeconds * 1000) / 5;

/** Grounds that are alike in all that matters have the same queue. */
function queueOf({ version, toolchain, imports, options, closure }: Ground): string {
  const text = JSON.stringify([version, toolchain, closure === '' ? [] : [imports, options, closure]]);
  return `orch-${createHash('sha256').update(text).digest('hex').slice(0, 24)}`;
}

/** pg-boss names jobs by UUIDs: the same name, the same UUID. */
function uuidOf(job: string): string {
  const hex = createHash('sha256').update(job).digest('hex');
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `5${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}
