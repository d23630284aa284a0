import type { Result } from '../../core/result.ts';
import type { OpenEnvironment } from './environments.ts';
import type { PreambleFamily } from './preambles.ts';
import {
  noCost,
  type Cost,
  type Failure,
  type Operation,
  type Reply,
  type Requests,
} from '../base/protocol.ts';
import type { Toolchain } from '../toolchain/toolchain.ts';
import type { LeanWorker, RequestLimits } from '../toolchain/worker.ts';

/** A place for one worker process, and what is known about the process in it. */
export interface WorkerSlot {
  worker: LeanWorker | undefined;
  /** The environment that its worker was started for. */
  environment: string;
  leased: boolean;
  /** Preambles that are loaded in this worker: text → session. */
  sessions: Map<string, number>;
  /** A text of this lease ran code of its own: whatever the process says or keeps is worth nothing to another lease. */
  ranCode: boolean;
  /** Its worker has served a lease before this one. */
  hasServed: boolean;
  /** This lease wants a process that serves nobody else, before or after. */
  isAlone: boolean;
}

/** The lender of workers: the pool. */
interface Lender {
  readonly toolchain: Toolchain;
  readonly preambles: PreambleFamily;
  /** The worker of a leased slot, started if need be, or why its environment cannot be had. */
  workerOf(slot: WorkerSlot, environment: OpenEnvironment): Promise<Result<LeanWorker, Failure>>;
  giveBack(slot: WorkerSlot): void;
}

/** What elaborates a text of the user. A single tactic of a search is not worth a worker: one that runs code fails. */
const mayRunCode: ReadonlySet<Operation> = new Set([
  'load',
  'read',
  'statement',
  'check',
  'start',
  'repl',
  'repl-step',
]);

function both(first: Cost, second: Cost): Cost {
  return {
    cpuSeconds: first.cpuSeconds + second.cpuSeconds,
    workSeconds: first.workSeconds + second.workSeconds,
    wallSeconds: first.wallSeconds + second.wallSeconds,
    peakBytes: Math.max(first.peakBytes, second.peakBytes),
  };
}

/** The worker's reply: a preamble in its session, or why it is not there. */
export type LoadedPreamble = ({ readonly ok: true; readonly session: number } | Failure) & {
  readonly cost: Cost;
};

/** One worker, held for a conversation. */
export class Lease {
  readonly #pool: Lender;
  readonly #slot: WorkerSlot;
  readonly #environment: Result<OpenEnvironment, Failure>;
  #released = false;
  #workSeconds = 0;

  constructor(pool: Lender, slot: WorkerSlot, environment: Result<OpenEnvironment, Failure>) {
    this.#pool = pool;
    this.#slot = slot;
    this.#environment = environment;
  }

  /** What identifies the modules under this lease; empty where they all come with Lean. */
  get closure(): string {
    return this.#environment.ok ? this.#environment.value.closure : '';
  }

  /** The session below every other: user text is loaded on it. */
  get rootSession(): number {
    const { toolchain } = this.#environment.ok ? this.#environment.value : this.#pool;
    return toolchain.rootSession;
  }

  /** The session for whole files: as Lean itself would read them, code generation included. */
  get fileSession(): number {
    const { toolchain } = this.#environment.ok ? this.#environment.value : this.#pool;
    return toolchain.importing ? toolchain.rootSession : 0;
  }

  /** The process that serves this lease now; none before the first request. */
  get pid(): number | undefined {
    return this.#slot.worker?.pid;
  }

  /** Its resident memory after the last request. */
  get residentBytes(): number {
    return this.#slot.worker?.residentBytes ?? 0;
  }

  /** What its requests have cost so far, loading included. */
  get workSeconds(): number {
    return this.#workSeconds;
  }

  async request<Op extends Operation>(
    op: Op,
    body: Requests[Op],
    limits?: RequestLimits,
  ): Promise<Reply<Op>> {
    if (this.#released) throw new Error('the lease was given back');
    const worker = await this.#worker();
    if (!worker.ok) return { ...worker.error, cost: noCost };
    const granted = this.#slot.ranCode ? { ...body, code: true } : body;
    const reply = await worker.value.request(op, granted, limits);
    this.#workSeconds += reply.cost.workSeconds;
    if (reply.ok || reply.kind !== 'runs-code' || !mayRunCode.has(op)) return reply;
    // decided by the worker before any of that code ran; from here on it serves this lease alone
    this.#slot.ranCode = true;
    const again = await worker.value.request(op, { ...body, code: true }, limits);
    this.#workSeconds += again.cost.workSeconds;
    return { ...again, cost: both(reply.cost, again.cost) };
  }

  /** Has a text of this lease run code of its own? */
  get ranCode(): boolean {
    return this.#slot.ranCode;
  }

  /** These preambles will be asked for; those that begin alike share the loading. */
  expect(preambles: Iterable<string>): void {
    this.#pool.preambles.expect(preambles);
  }

  /** The session with this preamble loaded, made at the first request for it in this worker. */
  async session(preamble: string, limits?: RequestLimits): Promise<LoadedPreamble> {
    const worker = await this.#worker();
    if (!worker.ok) return { ...worker.error, cost: noCost };
    if (preamble.trim() === '') return { ok: true, session: this.rootSession, cost: noCost };
    const steps = this.#pool.preambles.stepsTo(preamble);
    const last = steps.findLast((step) => this.#slot.sessions.has(step)) ?? '';
    for (const [index, step] of steps.entries()) {
      if (step.length <= last.length) continue;
      const before = index === 0 ? '' : (steps[index - 1] ?? '');
      const loaded = await this.#load(before, step, limits);
      if (loaded.ok) continue;
      // a beginning that does not load by itself says nothing about the whole, and read in one piece, Lean's messages have the right positions
      return step === preamble && before === '' ? loaded : await this.#load('', preamble, limits);
    }
    return { ok: true, session: this.#slot.sessions.get(preamble) ?? this.rootSession, cost: noCost };
  }

  /** The process of this lease, or why there is none. */
  async #worker(): Promise<Result<LeanWorker, Failure>> {
    if (!this.#environment.ok) return this.#environment;
    return await this.#pool.workerOf(this.#slot, this.#environment.value);
  }

  /** Load what a preamble adds to a beginning of it that is loaded already. */
  async #load(
    beginning: string,
    preamble: string,
    limits: RequestLimits | undefined,
  ): Promise<LoadedPreamble> {
    const session = this.#slot.sessions.get(beginning) ?? this.rootSession;
    const text = session === this.rootSession ? preamble : preamble.slice(beginning.length);
    const reply = await this.request('load', { session, text, claim: true }, limits);
    if (reply.ok) this.#slot.sessions.set(preamble, reply.session);
    return reply;
  }

  release(): void {
    if (this.#released) return;
    this.#released = true;
    this.#pool.giveBack(this.#slot);
  }

  [Symbol.dispose](): void {
    this.release();
  }
}
