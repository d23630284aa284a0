import { parentPort, workerData } from 'node:worker_threads';
import { messageOf } from '../../core/errors.ts';
import { failed, success, type Result } from '../../core/result.ts';
import { Seq2Seq, type WrittenTokens } from './seq2seq.ts';
import type { ModelFiles } from './weights.ts';

/** Questions to the thread with the weights, handled one at a time, and its answers. */
export type ThreadQuestion =
  | { readonly text: string; readonly samples: number; readonly maxTokens: number }
  | { readonly texts: readonly string[] };
export type ThreadReply = Result<Written | Encoded>;

interface Written {
  readonly read: number;
  readonly written: readonly WrittenTokens[];
}

interface Encoded {
  readonly read: number;
  readonly vectors: readonly (readonly number[])[];
}

const loaded = Seq2Seq.load(workerData as ModelFiles);

parentPort?.on('message', (question: ThreadQuestion) => {
  void answerTo(question)
    .catch((error: unknown): ThreadReply => failed({ kind: 'onnx', message: messageOf(error) }))
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread has no origin
    .then((reply) => parentPort?.postMessage(reply));
});

async function answerTo(question: ThreadQuestion): Promise<ThreadReply> {
  const model = await loaded;
  if ('text' in question)
    return success(await model.write(question.text, question.samples, question.maxTokens));
  const vectors: (readonly number[])[] = [];
  let read = 0;
  for (const text of question.texts) {
    const one = await model.vector(text);
    read += one.read;
    vectors.push(one.vector);
  }
  return success({ read, vectors });
}
