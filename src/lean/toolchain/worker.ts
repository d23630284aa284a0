// Over 300 lines because it is one state machine: every way in which a worker process answers, fails and ends.
import { randomBytes } from 'node:crypto';
import os from 'node:os';
import type { Clock } from '../../core/clock.ts';
import { Child, type SpawnRequest } from '../../io/child.ts';
import { LineSplitter } from '../../io/lines.ts';
import { isEnding, processTreeUsage, treeOf } from '../../io/process-usage.ts';
import {
  failure,
  maxAnswerBytes,
  parseBody,
  parseEnvelope,
  refuseIllFormed,
  refuseOversized,
  withUnixLines,
  type Body,
  noCost,
  workOf,
  type Cost,
  type Envelope,
  type Failure,
  type Operation,
  type Reply,
  type Requests,
} from '../base/protocol.ts';
import type { Toolchain } from './toolchain.ts';

export interface RequestLimits {
  /** When the worker should stop by itself. It is killed after a grace period. */
  readonly deadlineMs?: number;
  /** The same as CPU time of the worker, independent of how busy the machine is. */
  readonly cpuSeconds?: number;
  readonly signal?: AbortSignal;
}

/**
 * Time for a worker to obey a deadline or a cancellation before its process is killed. It is CPU time, because on a
 * busy machine the worker may not have run yet; a sleeping worker is killed after `sleepMs`.
 */
const grace = { cpuSeconds: 1, sleepMs: 10_000, lookMs: 250 };
const startMs = 300_000;
/** Limits on the processes of one worker together, measured from outside. */
export interface ProcessLimits {
  readonly residentBytes: number;
  readonly processes: number;
}
/** An embedded Lean has a heap of at most 2 GiB besides Node's own; a native one maps Mathlib. */
const usualLimits: ProcessLimits = {
  residentBytes: Math.max(6 * 2 ** 30, os.totalmem() / 2),
  processes: 64,
};
const usageLookMs = 500;

/** The longest delay that a timer supports; a longer one fires at once. */
const maxTimerMs = 2 ** 31 - 1;

interface Pending {
  readonly id: string;
  readonly startedAt: number;
  readonly cpuBefore: number;
  finish(body: unknown, envelope: Envelope | undefined): void;
}

/**
 * One Lean process behind a promise. It serves one request at a time.
 *
 *     starting ──ready line──▶ ready ──request──▶ busy ──answer──▶ ready
 *        │                       │                 │
 *        └──────────── exit, kill, malformed answer ┴──────────────▶ dead
 *
 * Every request is answered exactly once: by the worker, or, when the worker dies, by us with the kind that fits:
 * `timeout` after its hard deadline, `cancelled` after its signal, `memory` or `crash` otherwise.
 */
export class LeanWorker {
  readonly ready: Promise<boolean>;
  readonly exited: Promise<void>;
  readonly #child: Child;
  readonly #clock: Clock;
  #pending: Pending | undefined;
  #alive = true;
  /** Its launchers and itself, as recorded when it became ready; empty on a system without /proc. */
  #processes: readonly number[] = [];
  readonly #limits: ProcessLimits;
  #killedFor: 'timeout' | 'cancelled' | 'size' | 'memory' | 'processes' | undefined;
  #cpuAtKill: number | undefined;
  #residentBytes = 0;
  #hasImported = false;
  #requests = 0;

  static async start(toolchain: Toolchain, clock: Clock): Promise<LeanWorker> {
    return LeanWorker.launch(await toolchain.launch(), clock);
  }

  static launch(request: SpawnRequest, clock: Clock): LeanWorker {
    return new LeanWorker(new Child(request), clock);
  }

  constructor(child: Child, clock: Clock, limits = usualLimits) {
    this.#child = child;
    this.#clock = clock;
    this.#limits = limits;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    this.ready = promise;
    const timer = setTimeout(() => this.kill(), startMs);
    const lines = new LineSplitter(maxAnswerBytes);
    child.answers.on('data', (chunk: Buffer) => {
      for (const line of lines.push(chunk)) {
        if (line.kind === 'too-long') {
          this.#killedFor = 'size';
          this.kill();
          return;
        }
        const envelope = parseEnvelope(line.text);
        if (envelope?.id === null && envelope.body['ready'] === true) {
          this.#hasImported = envelope.body['imported'] === true;
          if (this.pid !== undefined) this.#processes = treeOf(this.pid);
          resolve(true);
        } else this.#receive(envelope);
      }
    });
    this.exited = child.exited.then(() => {
      clearTimeout(timer);
      this.#alive = false;
      resolve(false);
      this.#pending?.finish(this.#obituary(), undefined);
    });
    void promise.then(() => clearTimeout(timer));
  }

  /** Also checks the process: a request to a process that was just killed would be lost. */
  get alive(): boolean {
    return this.#alive && !this.#processes.some(isEnding);
  }

  /** It waits for a request. */
  get isIdle(): boolean {
    return this.#pending === undefined && this.alive;
  }

  /** Whether it started with the modules of its project imported. */
  get hasImported(): boolean {
    return this.#hasImported;
  }

  /** Resident memory after the last request. */
  get residentBytes(): number {
    return this.#residentBytes;
  }

  get requests(): number {
    return this.#requests;
  }

  get errorTail(): string {
    return this.#child.errorTail;
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  async request<Op extends Operation>(
    op: Op,
    body: Requests[Op],
    limits: RequestLimits = {},
  ): Promise<Reply<Op>> {
    const id = randomBytes(9).toString('base64url');
    const sequence = this.#requests + 1;
    const line = JSON.stringify({ id, op, sequence, deadline_ms: limits.deadlineMs, ...withUnixLines(body) });
    const refused = this.#refuse(line, limits.signal) ?? refuseIllFormed(body);
    if (refused) return withCost(refused, noCost);
    return await new Promise<Reply<Op>>((resolve) => {
      this.#requests = sequence;
      const stop = this.#watch(sequence, limits);
      this.#pending = {
        id,
        startedAt: this.#clock.now(),
        cpuBefore: this.#cpuSeconds(),
        finish: (answer, envelope) => {
          stop();
          const cost = this.#cost(envelope);
          // the process needs a moment to exit; the next request must not go to it
          if (envelope?.last === true || op === 'stop') this.#alive = false;
          this.#pending = undefined;
          const parsed: Body<Op> = parseBody(op, answer);
          // Lean cannot distinguish a cancellation from a deadline
          if (!parsed.ok && parsed.kind === 'timeout' && limits.signal?.aborted)
            resolve(withCost<Op>({ ...parsed, kind: 'cancelled' }, cost));
          else resolve(withCost<Op>(parsed, cost));
        },
      };
      this.#child.input.write(`${line}\n`);
    });
  }

  kill(): void {
    this.#cpuAtKill ??= this.#cpuSeconds();
    this.#child.kill();
  }

  unref(): void {
    this.#child.unref();
  }

  ref(): void {
    this.#child.ref();
  }

  #refuse(line: string, signal: AbortSignal | undefined): Failure | undefined {
    if (this.#pending) throw new Error('a Lean worker serves one request at a time');
    if (!this.alive) return failure('crash', `the Lean worker has ended. ${this.errorTail}`);
    if (signal?.aborted) return failure('cancelled', 'cancelled before it started');
    return refuseOversized(line);
  }

  /** Soft limits first: the deadline is part of the request, a cancellation uses the child's cancel channel. Then the kill. */
  #watch(
    sequence: number,
    { deadlineMs = Number.POSITIVE_INFINITY, cpuSeconds = Number.POSITIVE_INFINITY, signal }: RequestLimits,
  ): () => void {
    let looks: NodeJS.Timeout | undefined;
    const killAfterGrace = (reason: 'timeout' | 'cancelled'): void => {
      if (looks) return;
      const [since, cpuBefore] = [this.#clock.now(), this.#cpuSeconds()];
      looks = setInterval(() => {
        const used = this.#cpuSeconds() - cpuBefore;
        if (used < grace.cpuSeconds && this.#clock.now() - since < grace.sleepMs) return;
        clearInterval(looks);
        this.#killedFor = reason;
        this.kill();
      }, grace.lookMs);
    };
    const onAbort = (): void => {
      this.#child.cancel(sequence);
      killAfterGrace('cancelled');
    };
    const deadline =
      deadlineMs > maxTimerMs ? undefined : setTimeout(() => killAfterGrace('timeout'), deadlineMs);
    signal?.addEventListener('abort', onAbort, { once: true });
    const cpuAtStart = this.#cpuSeconds();
    const usage = setInterval(() => {
      this.#killGreedy();
      if (this.#cpuSeconds() - cpuAtStart <= cpuSeconds) return;
      this.#child.cancel(sequence);
      killAfterGrace('timeout');
    }, usageLookMs).unref();
    return () => {
      clearInterval(usage);
      clearTimeout(deadline);
      clearInterval(looks);
      signal?.removeEventListener('abort', onAbort);
    };
  }

  #killGreedy(): void {
    const usage = this.pid === undefined ? undefined : processTreeUsage(this.pid);
    if (usage === undefined || this.#killedFor !== undefined) return;
    const { residentBytes, processes } = this.#limits;
    if (usage.residentBytes > residentBytes) this.#killedFor = 'memory';
    else if (usage.processes > processes) this.#killedFor = 'processes';
    else return;
    this.kill();
  }

  #receive(envelope: Envelope | undefined): void {
    const pending = this.#pending;
    // Lean refused a line that was not a request, with a null id. It was not ours, so nothing waits for the answer.
    if (envelope?.id === null) return;
    // any other id than the pending one is stale or forged
    if (envelope && pending && envelope.id === pending.id) {
      this.#residentBytes = envelope.rss_bytes ?? this.#residentBytes;
      pending.finish(envelope.body, envelope);
    } else if (pending) {
      this.kill();
    }
  }

  /** The answer for a request whose worker died. */
  #obituary(): Failure {
    switch (this.#killedFor) {
      case 'timeout':
        return failure('timeout', 'Lean did not stop at its deadline and was killed');
      case 'cancelled':
        return failure('cancelled', 'cancelled');
      case 'memory':
        return failure('memory', `Lean used more than ${this.#limits.residentBytes} bytes and was killed`);
      case 'processes':
        return failure('crash', `Lean started more than ${this.#limits.processes} processes and was killed`);
      case 'size':
        return failure('memory', `the Lean process sent an answer larger than ${maxAnswerBytes} bytes`);
      case undefined: {
        // when a thread of Lean runs out of memory, the process ends without an answer
        const kind = /out of memory/i.test(this.errorTail) ? 'memory' : 'crash';
        return failure(kind, `the Lean process died. ${this.errorTail}`.trim());
      }
    }
  }

  #cpuSeconds(): number {
    return this.pid === undefined ? 0 : (processTreeUsage(this.pid)?.cpuSeconds ?? 0);
  }

  #cost(envelope: Envelope | undefined): Cost {
    const wallSeconds = (this.#clock.now() - (this.#pending?.startedAt ?? 0)) / 1000;
    const measured =
      envelope?.cpu_ms === undefined
        ? (this.#cpuAtKill ?? this.#cpuSeconds()) - (this.#pending?.cpuBefore ?? 0)
        : envelope.cpu_ms / 1000;
    // the usage of a process that has ended is unknown; assume it was busy all the time
    const cpuSeconds = measured > 0 ? measured : wallSeconds;
    const allocations = envelope?.body.heartbeats;
    return {
      cpuSeconds,
      workSeconds: allocations === undefined ? cpuSeconds : requestWork + workOf(allocations),
      wallSeconds,
      peakBytes: envelope?.peak_bytes ?? this.#residentBytes,
    };
  }
}

/** The cost charged for a request without any work, so that a plan of empty requests ends too. */
const requestWork = 0.001;

function withCost<Op extends Operation>(body: Body<Op>, cost: Cost): Reply<Op> {
  return { ...body, cost };
}
