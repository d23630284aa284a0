import { afterAll, beforeAll, expect } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import type { Verdict } from '../../src/lean/gate/verdict.ts';
import { Gate, type Claim } from '../../src/lean/gate/gate.ts';
import { keptWorkers } from '../../src/lean/workers/kept.ts';
import type { Lease } from '../../src/lean/workers/lease.ts';
import { LeanPool, type PoolOptions } from '../../src/lean/workers/pool.ts';
import type { Failure, Operation, Reply, Requests, OperationResult } from '../../src/lean/base/protocol.ts';
import type { Toolchain } from '../../src/lean/toolchain/toolchain.ts';
import { LeanWorker, type RequestLimits } from '../../src/lean/toolchain/worker.ts';
import { shareWorkers } from './shared-workers.ts';
import { embeddedLean } from './toolchain.ts';

/** A worker, or anything else that can be killed, that ends with its block (`await using`). */
export function ending<Process extends { kill(): void; readonly exited: Promise<unknown> }>(
  process: Process,
): Process & AsyncDisposable {
  return Object.assign(process, {
    async [Symbol.asyncDispose]() {
      process.kill();
      await process.exited;
    },
  });
}

export async function startWorker(): Promise<LeanWorker & AsyncDisposable> {
  const worker = ending(await LeanWorker.start(await embeddedLean(), systemClock));
  expect(await worker.ready).toBe(true);
  return worker;
}

export async function openPool(options: Partial<PoolOptions> = {}, toolchain?: Toolchain): Promise<LeanPool> {
  return new LeanPool(toolchain ?? (await embeddedLean()), systemClock, {
    slots: 1,
    spare: false,
    ...options,
  });
}

/** A verdict from a gate whose elaborator and judge take turns in one pool. */
export async function checkClaim(pool: LeanPool, claim: Claim, limits?: RequestLimits): Promise<Verdict> {
  return await new Gate(pool, pool).check(claim, limits);
}

/** One Lean for all tests of a file and for the next file; workers can be reused. */
export class Conversation {
  #pool: LeanPool | undefined;
  #unshare: (() => void) | undefined;

  get pool(): LeanPool {
    if (!this.#pool) throw new Error('the conversation has not begun');
    return this.#pool;
  }

  get root(): number {
    return this.pool.toolchain.rootSession;
  }

  async open(options: Partial<PoolOptions> = {}): Promise<void> {
    const pool = await openPool({ kept: keptWorkers.elaborators, ...options });
    this.#pool = pool;
    this.#unshare = shareWorkers(() => pool.status().flatMap(({ pid }) => pid ?? []));
  }

  async close(): Promise<void> {
    await this.#pool?.close();
    this.#unshare?.();
  }

  async ask<Op extends Operation>(
    op: Op,
    body: Requests[Op],
    limits: RequestLimits = {},
  ): Promise<Reply<Op>> {
    const ask = async (lease: Lease): Promise<Reply<Op>> =>
      await lease.request(op, body, { deadlineMs: 60_000, ...limits });
    return await this.pool.use(ask);
  }

  /** The answer of a request that must succeed. */
  async must<Op extends Operation>(op: Op, body: Requests[Op]): Promise<OperationResult<Op>> {
    return succeeded<Op>(await this.ask(op, body));
  }

  /** The answer of a request that must fail. */
  async mustFail<Op extends Operation>(op: Op, body: Requests[Op], limits?: RequestLimits): Promise<Failure> {
    return failed(await this.ask(op, body, limits));
  }
}

export function succeeded<Op extends Operation>(reply: Reply<Op>): OperationResult<Op> {
  if (!reply.ok) throw new Error(`${reply.kind}: ${reply.message}`);
  return reply as unknown as OperationResult<Op>;
}

function failed<Op extends Operation>(reply: Reply<Op>): Failure {
  if (reply.ok) throw new Error(`a failure was expected: ${JSON.stringify(reply)}`);
  return reply;
}

export function conversation(options: Partial<PoolOptions> = {}): Conversation {
  const talk = new Conversation();
  beforeAll(async () => await talk.open(options));
  afterAll(async () => await talk.close());
  return talk;
}

/** The session of a preamble that must load. */
export async function sessionOf(lease: Lease, preamble: string): Promise<number> {
  const loaded = await lease.session(preamble);
  if (!loaded.ok) throw new Error(`the preamble does not load: ${loaded.message}`);
  return loaded.session;
}
