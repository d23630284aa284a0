import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { parentPort } from 'node:worker_threads';
import { judgeClaim } from '../../kernel/claim.ts';
import { MAX_NODES } from '../../kernel/expr.ts';
import { Lines } from '../../kernel/lines.ts';
import { MissingConstant } from '../../kernel/library.ts';
import { nameParts, type KernelName } from '../../kernel/name.ts';
import { NdjsonReader } from '../../kernel/ndjson.ts';
import { decline, settle, type KernelOutcome } from '../../kernel/outcome.ts';
import type { ThreadAnswer, ConstantKey, Job } from './messages.ts';
import { constantsIn, declaredIn } from './references.ts';

/**
 * The thread of the second kernel. It has a large stack and a bounded heap, answers one question at a time, and keeps
 * only the received library data between questions.
 */
const library = new Map<ConstantKey, string | null>();
let waiting: Extract<Job, { type: 'judge' }> | undefined;

parentPort?.on('message', (job: Job) => {
  if (job.type === 'export') return void checkExport(job.path).then(answer);
  if (job.type === 'entries') for (const [key, data] of job.entries) library.set(key, data);
  else waiting = job;
  if (waiting === undefined) return;
  const reply = judgeNow(waiting);
  if (reply.type !== 'missing') waiting = undefined;
  answer(reply);
});

function answer(reply: ThreadAnswer): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread has no origin
  parentPort?.postMessage(reply);
}

function judgeNow(job: Extract<Job, { type: 'judge' }>): ThreadAnswer {
  // every constant requested later restarts the whole judgement
  const wanted = [
    ...constantsIn(job.statement),
    ...constantsIn(job.candidate),
    ...(job.statement === undefined ? declaredIn(job.candidate) : []),
  ];
  const unknown = wanted.filter((key) => !library.has(key));
  if (unknown.length > 0) return { type: 'missing', keys: [...new Set(unknown)] };
  const before = process.threadCpuUsage();
  try {
    const { kind, statement, candidate, allowAxioms } = job;
    const judgement = judgeClaim({
      kind,
      statement,
      candidate,
      allowAxioms,
      library: (name) => library.get(keyOf(name)),
    });
    const used = judgement.used.map((parts) => keyOfParts(parts)).sort();
    const hash = createHash('sha256');
    for (const key of used) hash.update(`${key}\t${library.get(key) ?? ''}\n`);
    return { type: 'judged', judgement, libraryHash: hash.digest('hex'), seconds: secondsSince(before) };
  } catch (error) {
    if (!(error instanceof MissingConstant)) throw error;
    return { type: 'missing', keys: [keyOf(error.constant)] };
  }
}

function secondsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1e6;
}

const keyOf = (name: KernelName): ConstantKey => keyOfParts(nameParts(name));

function keyOfParts(parts: readonly (string | bigint)[]): ConstantKey {
  return JSON.stringify(parts.map((part) => (typeof part === 'bigint' ? Number(part) : part)));
}

/** The number of rows of a file; 0 for anything else, such as a pipe, which can only be read once. */
async function countRows(path: string): Promise<number> {
  if (!(await stat(path)).isFile()) return 0;
  let rows = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) {
    const bytes = chunk as Buffer;
    for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, at + 1)) rows++;
  }
  return rows;
}

/** Checks a file of lean4export line by line. */
async function checkExport(path: string): Promise<ThreadAnswer> {
  const before = process.threadCpuUsage();
  const reader = new NdjsonReader();
  const lines = new Lines();
  const rows = await countRows(path);
  // counting takes a hundredth of the time of reading up to the limit
  let outcome: KernelOutcome = settle(() => {
    if (rows > MAX_NODES) decline(`it has ${rows} rows; at most ${MAX_NODES} are checked`);
  });
  if (outcome.answer !== 'accept') return answerFor(reader, outcome, before);
  for await (const bytes of createReadStream(path, { highWaterMark: 1 << 20 })) {
    outcome = settle(() => {
      for (const line of lines.push(bytes as Buffer)) reader.line(line);
    });
    if (outcome.answer !== 'accept') break;
  }
  if (outcome.answer === 'accept')
    outcome = settle(() => {
      reader.line(lines.end());
      reader.end();
    });
  return answerFor(reader, outcome, before);
}

function answerFor(reader: NdjsonReader, outcome: KernelOutcome, before: NodeJS.CpuUsage): ThreadAnswer {
  const { declarations, unchecked, axioms, assumed } = reader;
  return {
    type: 'checked',
    outcome,
    declarations,
    unchecked,
    axioms,
    assumed,
    seconds: secondsSince(before),
  };
}
