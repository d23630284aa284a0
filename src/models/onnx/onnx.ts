import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { UserError } from '../../core/errors.ts';
import { failed, success, type Failed } from '../../core/result.ts';
import {
  cancelled,
  sampleOf,
  type Embedded,
  type Generated,
  type Model,
  type ModelFailure,
} from '../model.ts';
import type { ThreadQuestion, ThreadReply } from './thread.ts';
import { weightsIn, type ModelFiles } from './weights.ts';

/**
 * Weights on this machine: a byte-level encoder and decoder such as ReProver's, or an encoder alone. It generates the
 * most likely tactics for a state (by beam search, so there is no temperature), or encodes a text as a vector.
 */
export function onnxModel(folder: string): Model {
  const found = weightsIn(path.resolve(folder));
  if (!found.ok)
    throw new UserError(
      'MODEL_WEIGHTS_MISSING',
      `the weights for onnx are missing: ${found.error.message}`,
      'The folder needs encoder_model.onnx, and decoder_model.onnx for tactics (docs/MODELS.md).',
    );
  const weights = found.value;
  const thread = new WeightsThread(weights);
  return {
    name: `onnx:${folder}#${weights.version}`,
    runsOn: 'gpu',
    skill: 'tactics',
    async generate({ prompt, samples, maxTokens, schema }, signal): Promise<Generated> {
      const reply = await thread.ask({ text: prompt, samples, maxTokens }, signal);
      if (reply === undefined) return cancelled;
      if (!reply.ok || !('written' in reply.value)) return notAnswered(reply);
      const { read, written } = reply.value;
      return success({
        samples: written.map(({ text, isCut }) =>
          sampleOf(text, isCut ? 'length' : 'stop', schema !== undefined),
        ),
        usage: {
          inputTokens: read,
          outputTokens: written.reduce((sum, { tokens }) => sum + tokens, 0),
        },
      });
    },
    async embed(texts, signal): Promise<Embedded> {
      const reply = await thread.ask({ texts }, signal);
      if (reply === undefined) return cancelled;
      if (!reply.ok || !('vectors' in reply.value)) return notAnswered(reply);
      const { vectors, read } = reply.value;
      return success({ vectors, usage: { inputTokens: read, outputTokens: 0 } });
    },
  };
}

function notAnswered(reply: ThreadReply): Failed<ModelFailure> {
  const message = reply.ok ? 'it sent an unexpected answer' : reply.error.message;
  return failed({ kind: 'failed', message: `onnx: ${message}` });
}

/**
 * The thread with the weights, started by the first question. It answers one at a time and cannot be interrupted:
 * cancelling a call ends the thread, and the next question starts a new one. It does not keep an otherwise idle
 * process alive.
 */
class WeightsThread {
  readonly #weights: ModelFiles;
  #worker: Worker | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(weights: ModelFiles) {
    this.#weights = weights;
  }

  /** Undefined if cancelled. */
  async ask(question: ThreadQuestion, signal?: AbortSignal): Promise<ThreadReply | undefined> {
    const answer = this.#last.then(async () => await this.#askNow(question, signal));
    this.#last = answer.catch(() => undefined);
    return await answer;
  }

  async #askNow(question: ThreadQuestion, signal?: AbortSignal): Promise<ThreadReply | undefined> {
    if (signal?.aborted) return undefined;
    const worker = (this.#worker ??= new Worker(threadFile(), { workerData: this.#weights }));
    const { promise, resolve } = Promise.withResolvers<ThreadReply | undefined>();
    const cancel = (): void => resolve(undefined);
    const fail = (error: Error): void => resolve(failed({ kind: 'onnx', message: error.message }));
    worker.once('message', resolve);
    worker.once('error', fail);
    signal?.addEventListener('abort', cancel, { once: true });
    worker.ref();
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread has no origin
    worker.postMessage(question);
    const reply = await promise;
    signal?.removeEventListener('abort', cancel);
    worker.off('message', resolve);
    worker.off('error', fail);
    worker.unref();
    if (!reply?.ok) await this.#end();
    return reply;
  }

  async #end(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }
}

function threadFile(): URL {
  return new URL(import.meta.url.endsWith('.ts') ? './thread.ts' : './thread.js', import.meta.url);
}
