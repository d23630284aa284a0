import { parentPort, workerData } from 'node:worker_threads';
import { Seq2Seq, type Written } from './seq2seq.ts';
import type { Weights } from './weights.ts';

/** What the thread with the weights is asked, one question after the other, and what it answers. */
export type Question =
  | { readonly text: string; readonly samples: number; readonly maxTokens: number }
  | { readonly texts: readonly string[] };
export type Reply =
  | { readonly read: number; readonly written: readonly Written[] }
  | { readonly read: number; readonly vectors: readonly (readonly number[])[] }
  | { readonly failed: string };

const loaded = Seq2Seq.load(workerData as Weights);

parentPort?.on('message', (question: Question) => {
  void answerTo(question)
    .catch((error: unknown): Reply => ({ failed: error instanceof Error ? error.message : String(error) }))
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread has no origin
    .then((reply) => parentPort?.postMessage(reply));
});

async function answerTo(question: Question): Promise<Reply> {
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
