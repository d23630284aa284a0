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

/** A slot for one worker process, with data about that process. */
export interface WorkerSlot {
  worker: LeanWorker | undefined;
  /** The environment its worker was started for. */
  environment: string;
  leased: boolean;
  /** Preambles loaded in this worker: text → session. */
  sessions: Map<string, number>;
  /** Text of this lease ran its own code, so the process must not serve another lease. */
  ranCode: boolean;
  /** Its worker served an earlier lease. */
  hasServed: boolean;
  /** This lease needs a process that serves no other lease, before or after. */
  isAlone: boolean;
}

/** The lender of workers: the pool. */
interface Lender {
  readonly toolchain: Toolchain;
  readonly preambles: PreambleFamily;
  /** The worker of a leased slot, started if necessary, or why its environment cannot be opened. */
  workerOf(slot: WorkerSlot, environment: OpenEnvironment): Promise<Result<LeanWorker, Failure>>;
  giveBack(slot: WorkerSlot): void;
}

/** Operations that elaborate user text. A single search tactic does not justify a worker of its own: it fails if it runs code. */
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

/** The worker's reply: the session with the preamble, or the reason for the failure. */
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

  /** Fingerprint of the project modules of this lease; empty if all modules come with Lean. */
  get closure(): string {
    return this.#environment.ok ? this.#environment.value.closure : '';
  }

  /** The base session, on which user text is loaded. */
  get rootSession(): number {
    const { toolchain } = this.#environment.ok ? this.#environment.value : this.#pool;
    return toolchain.rootSession;
  }

  /** The session for whole files: elaborates as Lean itself does, including code generation. */
  get fileSession(): number {
    const { toolchain } = this.#environment.ok ? this.#environment.value : this.#pool;
    return toolchain.importing ? toolchain.rootSession : 0;
  }

  /** The process that currently serves this lease; none before the first request. */
  get pid(): number | undefined {
    return this.#slot.worker?.pid;
  }

  /** Its resident memory after the last request. */
  get residentBytes(): number {
    return this.#slot.worker?.residentBytes ?? 0;
  }

  /** Cost of its requests so far, including loading. */
  get workSeconds(): number {
    return this.#workSeconds;
  }

  async request<Op extends Operation>(
    op: Op,
    body: Requests[Op],
    limits?: RequestLimits,
  ): Promise<Reply<Op>> {
    if (this.#released) throw new Error('the lease was released');
    const worker = await this.#worker();
    if (!worker.ok) return { ...worker.error, cost: noCost };
    const granted = this.#slot.ranCode ? { ...body, code: true } : body;
    const reply = await worker.value.request(op, granted, limits);
    this.#workSeconds += reply.cost.workSeconds;
    if (reply.ok || reply.kind !== 'runs-code' || !mayRunCode.has(op)) return reply;
    // the worker decided this before any of that code ran; from now on it serves only this lease
    this.#slot.ranCode = true;
    const again = await worker.value.request(op, { ...body, code: true }, limits);
    this.#workSeconds += again.cost.workSeconds;
    return { ...again, cost: both(reply.cost, again.cost) };
  }

  /** Whether text of this lease ran its own code. */
  get ranCode(): boolean {
    return this.#slot.ranCode;
  }

  /** Announces preambles that will be requested, so that those with a common beginning share the loading. */
  expect(preambles: Iterable<string>): void {
    this.#pool.preambles.expect(preambles);
  }

  /** The session with this preamble, loaded at the first request in this worker. */
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
      // a beginning may fail to load although the whole loads; loaded in one piece, Lean's messages have the right
      // positions
      return step === preamble && before === '' ? loaded : await this.#load('', preamble, limits);
    }
    return { ok: true, session: this.#slot.sessions.get(preamble) ?? this.rootSession, cost: noCost };
  }

  /** The process of this lease, or why there is none. */
  async #worker(): Promise<Result<LeanWorker, Failure>> {
    if (!this.#environment.ok) return this.#environment;
    return await this.#pool.workerOf(this.#slot, this.#environment.value);
  }

  /** Loads the part of a preamble that follows an already loaded beginning. */
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
