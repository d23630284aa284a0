import { Worker } from 'node:worker_threads';
import { failed, success, type Result } from '../../core/result.ts';
import type { KernelJudgement, NameParts } from '../../kernel/claim.ts';
import type { KernelOutcome } from '../../kernel/outcome.ts';
import type { RequestLimits } from '../toolchain/worker.ts';
import type { LibraryCache } from './library-cache.ts';
import type { ThreadAnswer, Job } from './messages.ts';

/** Stack size for deep terms, and heap size for a check. Exceeding either is a decline. */
const threadLimits = { stackSizeMb: 256, maxOldGenerationSizeMb: 1024 };

export interface SecondQuestion {
  readonly kind: 'claim' | 'file';
  readonly statement: string | undefined;
  readonly candidate: unknown;
  readonly allowAxioms: readonly NameParts[];
}

type Library = Pick<LibraryCache, 'entries' | 'fetch'>;

/** The second kernel's answer to a claim, per theorem. */
export interface SecondOpinion extends Pick<KernelJudgement, 'theorems' | 'assumed'> {
  /** SHA-256 of the library data that the check used */
  readonly libraryHash: string;
  readonly cpuSeconds: number;
}

/**
 * Runs the second kernel in its own thread, one question at a time. A question that is aborted or kills the thread is
 * a decline; the next one starts a new thread.
 */
export class SecondKernel {
  readonly #library: Library;
  #worker: Worker | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(library: Library) {
    this.#library = library;
  }

  async judge(question: SecondQuestion, limits: RequestLimits = {}): Promise<SecondOpinion> {
    const answer = this.#last.then(async () => await this.#judgeNow(question, limits));
    this.#last = answer.catch(() => undefined);
    return await answer;
  }

  async #judgeNow(question: SecondQuestion, limits: RequestLimits): Promise<SecondOpinion> {
    const { kind, statement, candidate, allowAxioms } = question;
    const deadline = limits.deadlineMs === undefined ? undefined : AbortSignal.timeout(limits.deadlineMs);
    const signal = AbortSignal.any([limits.signal, deadline].filter((one) => one !== undefined));
    let job: Job = { type: 'judge', kind, statement, candidate: JSON.stringify(candidate), allowAxioms };
    for (;;) {
      const worker = await this.#start();
      const reply = await ask(worker, job, signal);
      if (!reply.ok) {
        await this.close();
        const outcome: KernelOutcome = { answer: 'decline', kind: 'limit', message: reply.error.message };
        return { theorems: [{ name: '', outcome }], assumed: [], libraryHash: '', cpuSeconds: 0 };
      }
      const answer = reply.value;
      if (answer.type === 'judged') {
        const { judgement, libraryHash, seconds } = answer;
        return { theorems: judgement.theorems, assumed: judgement.assumed, libraryHash, cpuSeconds: seconds };
      }
      if (answer.type === 'missing')
        job = { type: 'entries', entries: await this.#library.fetch(answer.keys, limits) };
    }
  }

  async #start(): Promise<Worker> {
    if (this.#worker !== undefined) return this.#worker;
    const worker = startThread();
    this.#worker = worker;
    worker.unref();
    const entries: Job = { type: 'entries', entries: await this.#library.entries() };
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread has no origin
    worker.postMessage(entries);
    return worker;
  }

  async close(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }
}

export type CheckedExport = Omit<Extract<ThreadAnswer, { type: 'checked' }>, 'type'>;

/** Checks a file of lean4export. */
export async function checkExportFile(path: string, signal: AbortSignal): Promise<CheckedExport> {
  const worker = startThread();
  try {
    const reply = await ask(worker, { type: 'export', path }, signal);
    if (reply.ok && reply.value.type === 'checked') return reply.value;
    const message = reply.ok ? 'an answer to another question' : reply.error.message;
    const outcome = { answer: 'decline', kind: 'limit', message } as const;
    return { outcome, declarations: 0, unchecked: 0, axioms: [], assumed: [], seconds: 0 };
  } finally {
    await worker.terminate();
  }
}

function startThread(): Worker {
  const file = import.meta.url.endsWith('.ts') ? './thread.ts' : './thread.js';
  return new Worker(new URL(file, import.meta.url), { resourceLimits: threadLimits });
}

/** One answer, or an error. */
async function ask(worker: Worker, job: Job, signal: AbortSignal): Promise<Result<ThreadAnswer>> {
  const { promise, resolve } = Promise.withResolvers<Result<ThreadAnswer>>();
  const decline = (message: string): void => resolve(failed({ kind: 'declined', message }));
  const hear = (answer: ThreadAnswer): void => resolve(success(answer));
  const giveUp = (): void => decline('stopped before the check ended');
  const fail = (error: Error): void => decline(error.message);
  const ended = (): void => decline('its thread ended');
  if (signal.aborted) {
    giveUp();
    return await promise;
  }
  worker.once('message', hear);
  worker.once('error', fail);
  worker.once('exit', ended);
  signal.addEventListener('abort', giveUp, { once: true });
  worker.ref();
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread has no origin
  worker.postMessage(job);
  const reply = await promise;
  worker.off('message', hear);
  worker.off('error', fail);
  worker.off('exit', ended);
  signal.removeEventListener('abort', giveUp);
  worker.unref();
  return reply;
}
