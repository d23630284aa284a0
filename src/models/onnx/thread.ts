import { parentPort, workerData } from 'node:worker_threads';
import { Seq2Seq, type WrittenTokens } from './seq2seq.ts';
import type { ModelFiles } from './weights.ts';

/** What the thread with the weights is asked, one question after the other, and what it answers. */
export type ThreadQuestion =
  | { readonly text: string; readonly samples: number; readonly maxTokens: number }
  | { readonly texts: readonly string[] };
export type ThreadReply =
  | { readonly read: number; readonly written: readonly WrittenTokens[] }
  | { readonly read: number; readonly vectors: readonly (readonly number[])[] }
  | { readonly failed: string };

const loaded = Seq2Seq.load(workerData as ModelFiles);

parentPort?.on('message', (question: ThreadQuestion) => {
  void answerTo(question)
    .catch((error: unknown): ThreadReply => ({
      failed: error instanceof Error ? error.message : String(error),
    }))
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread has no origin
    .then((reply) => parentPort?.postMessage(reply));
});

async function answerTo(question: ThreadQuestion): Promise<ThreadReply> {
  const model = await loaded;
  if ('text' in question) return await model.write(question.text, question.samples, question.maxTokens);
  const vectors: (readonly number[])[] = [];
  let read = 0;
  for (const text of question.texts) {
    const one = await model.vector(text);
    read += one.read;
    vectors.push(one.vector);
  }
  return { read, vectors };
}
