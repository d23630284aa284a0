// Over 300 lines because it is one state machine: leases, waiting requests and idle workers change together.
import type { Clock } from '../../core/clock.ts';
import { UserError } from '../../core/errors.ts';
import { failed, success, type Result } from '../../core/result.ts';
import type { LeanEnvironment } from '../project/environment.ts';
import { Environments, type OpenEnvironment } from './environments.ts';
import type { KeptWorkers } from './kept.ts';
import { Lease, type WorkerSlot } from './lease.ts';
import { PreambleFamily } from './preambles.ts';
import { moduleNameParts } from '../base/module-names.ts';
import { failure, type Failure } from '../base/protocol.ts';
import type { Toolchain } from '../toolchain/toolchain.ts';
import { LeanWorker } from '../toolchain/worker.ts';

export interface PoolOptions {
  /** Number of workers that serve at the same time. */
  readonly slots: number;
  /** Keep one more worker ready, so that a crash or a recycling does not wait for a start. */
  readonly spare?: boolean;
  /** A worker above this resident size is replaced after its lease; 0 means never. */
  readonly recycleBytes?: number;
  /** A worker that served this many requests is replaced after its lease. */
  readonly recycleRequests?: number;
  /** Projects whose modules workers can import; none by default. */
  readonly environments?: Environments;
  /** Workers left by earlier pools, and where this one leaves its own; by default, none are shared. */
  readonly kept?: KeptWorkers;
}

/** Which worker a lease needs. */
export interface LeaseOptions {
  /** Prefer a worker that has this preamble loaded; the lease loads it on demand. */
  readonly preamble?: string;
  /** The environment of the text; by default, Lean's own library. */
  readonly environment?: LeanEnvironment | undefined;
  /** Use a new process, and end it after the lease. */
  readonly alone?: boolean;
  readonly signal?: AbortSignal;
}

/** A project file gets its own process, so that effects of its modules and options reach no other file. */
export function forFile(environment: LeanEnvironment | undefined): LeaseOptions {
  return { environment, alone: environment !== undefined && environment.project !== null };
}

/** Why the pool has no worker to lend: a tool fault, with Lean's last error output. */
export class PoolBroken extends UserError {
  constructor(message: string) {
    super('lean-broken', message, 'Run orch doctor to find the cause and a fix.');
  }
}

const defaults = { spare: true, recycleBytes: 1_400_000_000, recycleRequests: 20_000 };
/** This many failed starts in a row are a crash loop. */
const maxFailedStarts = 3;

/** A worker without a slot. */
interface Spare {
  readonly environment: string;
  readonly start: Promise<LeanWorker>;
  /** Once it has started. */
  worker?: LeanWorker;
}

interface Waiting {
  grant(slot: WorkerSlot): void;
  refuse(error: Error): void;
}

/**
 * Lean workers, one process per slot. A client leases a slot for a conversation (states and sessions live in one process)
 * and gives it back.
 *
 *     empty ──lease──▶ starting ──ready──▶ leased ──release──▶ idle ──lease──▶ leased
 *       ▲                 │ died before ready: repair, try again, at the third time the pool is broken
 *       └── died, ran code of a user, too large, too old ◀───── leased | idle
 *
 * A lease whose worker dies continues with a fresh one; its old states and sessions are unknown there. A lease prefers a
 * worker that has its preamble loaded already. The spare is a started worker without a slot; it fills the next empty one.
 */
export class LeanPool {
  readonly toolchain: Toolchain;
  readonly environments: Environments;
  /** Preambles of which one may begin another. */
  readonly preambles = new PreambleFamily();
  readonly #clock: Clock;
  readonly #options: Required<Omit<PoolOptions, 'environments' | 'kept'>>;
  readonly #kept: KeptWorkers | undefined;
  readonly #slots: WorkerSlot[];
  readonly #waiting: Waiting[] = [];
  readonly #workers = new Set<LeanWorker>();
  /** Command lines of the workers that may be kept. */
  readonly #startedWith = new WeakMap<LeanWorker, string>();
  readonly #starts = new Set<Promise<LeanWorker>>();
  #spare: Spare | undefined;
  #failedStarts = 0;
  #closed = false;

  constructor(toolchain: Toolchain, clock: Clock, options: PoolOptions) {
    this.toolchain = toolchain;
    this.environments = options.environments ?? new Environments(toolchain);
    this.#clock = clock;
    const { environments: _, kept, ...rest } = options;
    this.#kept = kept;
    this.#options = { ...defaults, ...rest };
    this.#slots = Array.from({ length: options.slots }, () => ({
      worker: undefined,
      environment: '',
      leased: false,
      sessions: new Map<string, number>(),
      ranCode: false,
      hasServed: false,
      isAlone: false,
    }));
  }

  /** Waits for a worker. If its environment cannot be opened, every request of the lease returns the reason. */
  async lease(options: LeaseOptions = {}): Promise<Lease> {
    if (this.#closed) throw new PoolBroken('the pool is closed');
    options.signal?.throwIfAborted();
    const opened = await this.environments.open(options.environment ?? plainEnvironment);
    // the pool may have closed while modules were compiled
    if (this.#closed) throw new PoolBroken('the pool is closed');
    options.signal?.throwIfAborted();
    const free = this.#bestFree(opened.ok ? opened.value.key : '', options.preamble);
    if (free) free.leased = true;
    const slot = free ?? (await this.#wait(options.signal));
    slot.isAlone = options.alone === true;
    if (slot.isAlone && slot.worker && slot.hasServed) this.#retire(slot, slot.worker);
    return new Lease(this, slot, opened);
  }

  /** Starts a worker for an expected lease unless one is ready: starting two processes in parallel takes half the time. */
  async prepare(): Promise<void> {
    const opened = await this.environments.open(plainEnvironment);
    const isReady = this.#slots.some(({ leased, worker }) => leased || worker?.alive === true);
    if (opened.ok && !this.#closed && !isReady) this.#fillSpare(opened.value);
  }

  /**
   * Leases up to N workers that are idle and not requested. The caller releases them when `isWanted` becomes
   * true.
   */
  async leaseIdle(most: number, { preamble, environment }: LeaseOptions = {}): Promise<Lease[]> {
    const opened = await this.environments.open(environment ?? plainEnvironment);
    const leases: Lease[] = [];
    if (!opened.ok) return leases;
    while (!this.#closed && !this.isWanted && leases.length < most) {
      const free = this.#bestFree(opened.value.key, preamble);
      if (!free) break;
      free.leased = true;
      leases.push(new Lease(this, free, opened));
    }
    return leases;
  }

  /** Whether a request waits for a worker. */
  get isWanted(): boolean {
    return this.#waiting.length > 0;
  }

  /** Runs one conversation on a leased worker. */
  async use<Value>(talk: (lease: Lease) => Promise<Value>, options?: LeaseOptions): Promise<Value> {
    const lease = await this.lease(options);
    try {
      return await talk(lease);
    } finally {
      lease.release();
    }
  }

  /** The worker of a leased slot, started if necessary. A worker of another environment is replaced. */
  async workerOf(slot: WorkerSlot, environment: OpenEnvironment): Promise<Result<LeanWorker, Failure>> {
    if (slot.worker?.alive && slot.environment === environment.key) return success(slot.worker);
    if (slot.worker) this.#retire(slot, slot.worker);
    forget(slot);
    try {
      const worker = await this.#takeWorker(environment, slot.isAlone);
      slot.worker = worker;
      slot.environment = environment.key;
      slot.ranCode = environment.code;
      return success(worker);
    } catch (error) {
      if (error instanceof NotImported) return failed(error.failure);
      throw error;
    }
  }

  giveBack(slot: WorkerSlot): void {
    const { worker } = slot;
    slot.hasServed = true;
    if (worker && (slot.ranCode || slot.isAlone || this.#isWorn(worker))) this.#retire(slot, worker);
    slot.isAlone = false;
    const next = this.#waiting.shift();
    // a slot handed to a waiting request stays leased, so that a concurrent request cannot get it too
    if (next) next.grant(slot);
    else slot.leased = false;
  }

  /** Ends every worker that is not kept; requests of leases still held fail with `crash`. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const slot of this.#slots) this.#leave(slot);
    if (this.#spare?.worker) this.#leaveWorker(this.#spare.worker);
    for (const waiting of this.#waiting.splice(0)) waiting.refuse(new PoolBroken('the pool is closed'));
    for (const worker of this.#workers) worker.kill();
    await Promise.allSettled(this.#starts);
    await Promise.all([...this.#workers].map(async (worker) => await worker.exited));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** State of each worker, for people and metrics. */
  status(): { leased: boolean; pid: number | undefined; residentBytes: number; requests: number }[] {
    return this.#slots.map(({ leased, worker }) => ({
      leased,
      pid: worker?.pid,
      residentBytes: worker?.residentBytes ?? 0,
      requests: worker?.requests ?? 0,
    }));
  }

  #bestFree(environment: string, preamble: string | undefined): WorkerSlot | undefined {
    const free = this.#slots.filter((slot) => !slot.leased);
    const fitting = free.filter((slot) => slot.environment === environment);
    return (
      (preamble === undefined ? undefined : fitting.find((slot) => slot.sessions.has(preamble))) ??
      fitting.find((slot) => slot.worker?.alive) ??
      free.find((slot) => !slot.worker?.alive) ??
      free[0]
    );
  }

  async #wait(signal: AbortSignal | undefined): Promise<WorkerSlot> {
    const { promise, resolve, reject } = Promise.withResolvers<WorkerSlot>();
    const waiting: Waiting = { grant: resolve, refuse: reject };
    this.#waiting.push(waiting);
    const onAbort = (): void => {
      const index = this.#waiting.indexOf(waiting);
      if (index >= 0) this.#waiting.splice(index, 1);
      if (index >= 0) reject(signal?.reason as Error);
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    try {
      return await promise;
    } finally {
      signal?.removeEventListener('abort', onAbort);
    }
  }

  #isWorn(worker: LeanWorker): boolean {
    const { recycleBytes, recycleRequests } = this.#options;
    return (recycleBytes > 0 && worker.residentBytes > recycleBytes) || worker.requests >= recycleRequests;
  }

  #retire(slot: WorkerSlot, worker: LeanWorker): void {
    slot.worker = undefined;
    forget(slot);
    worker.kill();
  }

  async #takeWorker(environment: OpenEnvironment, isAlone: boolean): Promise<LeanWorker> {
    const spare = this.#spare;
    this.#spare = undefined;
    const fits = spare?.environment === environment.key;
    if (spare && !fits)
      void spare.start.then(
        (worker) => worker.kill(),
        () => undefined,
      );
    const waiting = fits ? await spare.start.catch(() => undefined) : undefined;
    // a worker of an earlier pool has read other texts
    const isUsed = environment.key === '' && waiting !== undefined && waiting.requests > 0;
    if (isAlone && isUsed) waiting.kill();
    const kept = waiting || isAlone ? undefined : await this.#takeKept(environment);
    const ready = isAlone && isUsed ? undefined : (waiting ?? kept);
    const worker = ready ?? (await this.#startWorker(environment));
    if (!worker.alive) return await this.#takeWorker(environment, isAlone);
    if (this.#options.spare && !this.#closed) this.#fillSpare(environment);
    return worker;
  }

  /** The spare is for the environment that was requested last. */
  #fillSpare(environment: OpenEnvironment): void {
    if (this.#spare) return;
    const start = this.#takeKept(environment).then(
      async (kept) => kept ?? (await this.#startWorker(environment)),
    );
    const spare: Spare = { environment: environment.key, start };
    this.#spare = spare;
    start.then(
      (worker) => (spare.worker = worker),
      () => {
        if (this.#spare === spare) this.#spare = undefined;
      },
    );
  }

  /** Registers the start, so that closing the pool can wait for it. */
  async #startWorker(environment: OpenEnvironment): Promise<LeanWorker> {
    const start = this.#tryToStart(environment);
    this.#starts.add(start);
    try {
      return await start;
    } finally {
      this.#starts.delete(start);
    }
  }

  /** A worker that an earlier pool left. Only those without modules of a project are kept. */
  async #takeKept({ key, toolchain }: OpenEnvironment): Promise<LeanWorker | undefined> {
    if (!this.#kept || key !== '') return undefined;
    const start = JSON.stringify(await toolchain.launch());
    if (this.#closed) throw new PoolBroken('the pool is closed');
    const worker = this.#kept.take(start);
    if (worker) this.#own(worker, start);
    return worker;
  }

  /** Leaves a worker to the next pool if it is idle and not worn, ran no user code, and has no modules of a project. */
  #leave(slot: WorkerSlot): void {
    const { worker, leased, ranCode } = slot;
    if (worker && !leased && !ranCode && this.#leaveWorker(worker)) slot.worker = undefined;
  }

  #leaveWorker(worker: LeanWorker): boolean {
    const start = this.#startedWith.get(worker);
    if (start === undefined || !worker.isIdle || this.#isWorn(worker)) return false;
    if (this.#kept?.leave(start, worker) !== true) return false;
    return this.#workers.delete(worker);
  }

  #own(worker: LeanWorker, start: string | undefined): void {
    this.#workers.add(worker);
    void worker.exited.then(() => this.#workers.delete(worker));
    if (start !== undefined) this.#startedWith.set(worker, start);
  }

  async #tryToStart({ key, toolchain }: OpenEnvironment): Promise<LeanWorker> {
    for (;;) {
      if (this.#closed) throw new PoolBroken('the pool is closed');
      const request = await toolchain.launch();
      const worker = LeanWorker.launch(request, this.#clock);
      this.#own(worker, key === '' ? JSON.stringify(request) : undefined);
      if (this.#closed) worker.kill();
      const isReady = await worker.ready;
      if (this.#closed) {
        worker.kill();
        throw new PoolBroken('the pool is closed');
      }
      if (isReady) {
        this.#failedStarts = 0;
        await importInto(worker, toolchain);
        return worker;
      }
      this.#failedStarts++;
      const mayHelp = await toolchain.repair();
      if (!mayHelp || this.#failedStarts >= maxFailedStarts)
        throw new PoolBroken(
          `Lean workers end before they are ready (${this.#failedStarts} in a row). ${worker.errorTail}`,
        );
    }
  }
}

/** Modules that compiled but cannot be imported. */
class NotImported extends Error {
  readonly failure: Failure;

  constructor(why: Failure) {
    super(why.message);
    this.failure = why;
  }
}

/** An import runs initialisers of the imported modules, so it may be slow but must end. */
const importMs = 120_000;

async function importInto(worker: LeanWorker, { importing, rootSession }: Toolchain): Promise<void> {
  if (!importing || worker.hasImported) return;
  const imports = importing.imports.map((module) => moduleNameParts(module));
  const reply = await worker.request(
    'import',
    { imports, options: importing.options },
    { deadlineMs: importMs },
  );
  if (reply.ok && reply.session === rootSession) return;
  worker.kill();
  throw new NotImported(
    reply.ok ? failure('crash', 'the first session of the worker has an unexpected id') : reply,
  );
}

function forget(slot: WorkerSlot): void {
  slot.sessions.clear();
  slot.environment = '';
  slot.ranCode = false;
  slot.hasServed = false;
}

const plainEnvironment: LeanEnvironment = { imports: [], options: {}, project: null };
