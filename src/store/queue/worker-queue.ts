import { UserError } from '../../core/errors.ts';
import { PostgresDatabase, asJsonText, startPatienceMs } from '../postgres/database.ts';
import { leaseSeconds, type OfferedGround } from './queue.ts';

/** A job that this process holds until it is done or returned, or its lease is lost. */
export interface HeldJob {
  readonly queue: string;
  /** The job's id and number of claims: the holder of an earlier claim has lost it. */
  readonly claim: string;
  readonly job: string;
  readonly task: unknown;
}

/** Interval between heartbeats of a holder. */
export const beatMs = (leaseSeconds * 1000) / 5;

/**
 * The worker's side of the queue. It only calls database functions (`sql/postgres/0011_workers.sql`), so a role with execute
 * permission on these is enough. It waits for a server that restarts, as the ledger does.
 */
export class WorkerQueue {
  readonly #database: PostgresDatabase;
  /** In answers, the name of a worker follows its role, unless that owns the ledger. */
  readonly role: string;

  static async open(url: string, onWait?: (message: string) => void): Promise<WorkerQueue> {
    const database = new PostgresDatabase(url, { readOnly: false, onWait });
    try {
      const ask = async () => await database.once<{ role: string }>('SELECT session_user AS role');
      const [row] = await database.patiently(ask, startPatienceMs);
      const queue = new WorkerQueue(database, row?.role ?? '');
      await queue.grounds();
      return queue;
    } catch (error) {
      await database.close();
      throw isUndefined(error) ? noQueue(database.name, error) : error;
    }
  }

  private constructor(database: PostgresDatabase, role: string) {
    this.#database = database;
    this.role = role;
  }

  async grounds(): Promise<OfferedGround[]> {
    return await this.#database.all(
      `SELECT queue, version, toolchain, imports, options, closure, project, origin, revision, is_wanted AS "isWanted"
       FROM work_grounds()`,
    );
  }

  /** Reports that a worker is alive and serves these queues. */
  async offer(worker: string, queues: readonly string[]): Promise<void> {
    await this.#database.all('SELECT offer_work($1, $2::text[])', worker, queues);
  }

  async claim(queue: string, most: number): Promise<HeldJob[]> {
    const rows = await this.#database.all<ClaimedRow>(
      'SELECT id, retry_count, data FROM claim_jobs($1, $2)',
      queue,
      most,
    );
    return rows.map(({ id, retry_count, data: { job, task } }) => ({
      queue,
      claim: `${id}:${retry_count}`,
      job,
      task,
    }));
  }

  /** Reports that the holder is alive. Returns the jobs that it still holds. */
  async beat(jobs: readonly HeldJob[]): Promise<HeldJob[]> {
    const kept: HeldJob[] = [];
    for (const [queue, held] of Map.groupBy(jobs, (job) => job.queue)) {
      const claims = held.map(({ claim }) => claim);
      const rows = await this.#database.once<{ id: string }>(
        'SELECT keep_jobs($1, $2::text[]) AS id',
        queue,
        claims,
      );
      const ours = new Set(rows.map(({ id }) => id));
      kept.push(...held.filter(({ claim }) => ours.has(claim.split(':')[0] ?? '')));
    }
    return kept;
  }

  async giveBack({ queue, claim }: HeldJob): Promise<void> {
    await this.#database.all('SELECT give_back_job($1, $2)', queue, claim);
  }

  /** Every answer is stored; the coordinator judges it. */
  async answer({ queue, claim }: HeldJob, worker: string, body: object): Promise<void> {
    await this.#database.all(
      'SELECT leave_answer($1, $2, $3, $4::json)',
      queue,
      claim,
      worker,
      asJsonText(body),
    );
  }

  async close(): Promise<void> {
    await this.#database.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

interface ClaimedRow {
  readonly id: string;
  readonly retry_count: number;
  readonly data: { readonly job: string; readonly task: unknown };
}

/** PostgreSQL's code for a function that does not exist. */
function isUndefined(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '42883';
}

function noQueue(name: string, cause: unknown): UserError {
  return new UserError(
    'no-queue',
    `${name} has no queue of this orch version`,
    'Start a run of the same orch version with --workers remote on that ledger first; it creates the tables and functions that workers need.',
    { cause },
  );
}
