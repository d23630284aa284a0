import { readFileSync, writeSync } from 'node:fs';
import path from 'node:path';
import { serializeCode } from './code-cache.ts';
import { HostFiles } from './files.ts';
import { startGuard, type Guard } from './guard-control.ts';
import { maxPages, readHeap, type HeapImage } from './image.ts';
import { instantiateWith } from './instantiate.ts';
import { callLean } from './lean-object.ts';
import { LineSplitter } from '../../../../io/lines.ts';
import { ModuleCache } from './module-cache.ts';
import { installHost, loadGlue, writeToStderr } from './runtime.ts';
import { saveImage } from './save-image.ts';

/**
 * One embedded Lean worker: restores a saved heap, then reads one JSON request per line from stdin and writes each
 * answer to descriptor 3. Usage: serve RUNTIME IMAGE [CODE_CACHE|'' [MOUNTS [SAVED_IMAGE]]]
 *
 * A trap, a stack overflow, an exit or exhausted memory ends the process after one last answer of that kind. A new
 * process is ready in less than a second, so nothing is repaired in place.
 */
const [runtimeFolder, imageFolder, codeFile, mounts = '{}', savedImage] = process.argv.slice(2) as [
  string,
  string,
  string | undefined,
  string | undefined,
  string | undefined,
];
const answerDescriptor = 3;
const maxRequestBytes = 8 << 20;
/** As in protocol.ts, with room for the envelope. */
const maxAnswerBytes = (64 << 20) - 1024;

interface Request {
  readonly id: string;
  readonly op: string;
  /** Counts the requests of this process from 1; a cancellation contains the number of its request. */
  readonly sequence?: number;
  readonly deadline_ms?: number;
}

const image = JSON.parse(readFileSync(path.join(imageFolder, 'heap.json'), 'utf8')) as HeapImage;
const memory = new WebAssembly.Memory({ initial: image.pages, maximum: maxPages, shared: true });
const guard: Guard = startGuard(memory.buffer, image.cancelFlag);
readHeap(path.join(imageFolder, 'heap.bin'), image, new Uint8Array(memory.buffer));

let current: string | null = null;
let talk = '';
let hasCode = false;
installHost({
  data: {
    thread: 'em-pthread',
    runtimeFolder,
    mounts: JSON.parse(mounts) as Record<string, string>,
    filePositions: HostFiles.sharedPositions(),
    moduleTable: ModuleCache.sharedTable(image.modules),
  },
  module: {
    wasmMemory: memory,
    noInitialRun: true,
    onRuntimeInitialized: serve,
    instantiateWasm: instantiateWith(runtimeFolder, codeFile || undefined, (cached) => (hasCode = cached)),
  },
  restore(exports) {
    for (const [name, value] of Object.entries(image.globals))
      (exports[name] as WebAssembly.Global).value = value;
  },
  onOutput(descriptor, bytes) {
    talk = (talk + bytes.toString('latin1')).slice(-2000);
    writeToStderr(descriptor, bytes);
  },
  onExit: (code) =>
    die(/out of memory|OOM/i.test(talk) ? 'memory' : 'crash', `Lean exited with ${code}: ${talk.trim()}`),
});
loadGlue(runtimeFolder);

function serve(): void {
  send(
    null,
    JSON.stringify({ ok: true, ready: true, code_cache: hasCode, imported: image.imported === true }),
  );
  const lines = new LineSplitter(maxRequestBytes);
  process.stdin.on('data', (chunk: Buffer) => {
    for (const line of lines.push(chunk)) {
      if (line.kind === 'too-long') refuse(`a request is longer than ${maxRequestBytes} bytes`);
      else if (line.text.trim() !== '') handle(line.text);
    }
  });
  process.stdin.on('end', leave);
}

function handle(line: string): void {
  const request = parse(line);
  if (request === undefined) return refuse('a request is one JSON object with the strings id and op');
  current = request.id;
  const before = process.cpuUsage();
  if (request.op === 'save-code') {
    send(
      current,
      JSON.stringify({
        ok: true,
        bytes: serializeCode(runtimeFolder, codeFile ?? '', orchHost.glue.wasmModule),
      }),
      before,
    );
    return undefined;
  }
  if (request.op === 'save-image' && savedImage !== undefined) {
    saveImage(savedImage, { handler: image.handler, cancelFlag: image.cancelFlag, imported: true });
    send(current, JSON.stringify({ ok: true }), before, true);
    leave();
  }
  try {
    guard.begin(request.sequence ?? 1, request.deadline_ms);
    const answer = callLean(orchHost.glue, image.handler, line);
    guard.end();
    send(
      current,
      answer.length > maxAnswerBytes || Buffer.byteLength(answer) > maxAnswerBytes ? tooLarge : answer,
      before,
    );
    current = null;
    if (request.op === 'stop') leave();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    die(classify(message), message);
  }
  return undefined;
}

const tooLarge = JSON.stringify({
  ok: false,
  kind: 'memory',
  message: `the answer is larger than ${maxAnswerBytes} bytes`,
});

/** Classifies a WebAssembly trap or a JavaScript error inside Lean. */
function classify(message: string): 'recursion' | 'memory' | 'crash' {
  if (/call stack|stack overflow/i.test(message)) return 'recursion';
  if (/out of memory|OOM|memory access out of bounds|allocation failed/i.test(message + talk))
    return 'memory';
  return 'crash';
}

function parse(line: string): Request | undefined {
  try {
    const value = JSON.parse(line) as Partial<Request> | null;
    if (typeof value?.id !== 'string' || typeof value.op !== 'string') return undefined;
    return value as Request;
  } catch {
    return undefined;
  }
}

function refuse(message: string): undefined {
  send(null, JSON.stringify({ ok: false, kind: 'invalid-request', message }));
  return undefined;
}

function die(kind: string, message: string): never {
  send(current, JSON.stringify({ ok: false, kind, message: message.slice(0, 1000) }), undefined, true);
  leave();
}

/** Kills the process: a normal exit waits for V8's own threads, and sometimes a compiling one never ends. */
function leave(): never {
  process.kill(process.pid, 'SIGKILL');
  throw new Error('killed');
}

/** Sends an answer in its envelope: request id, cost, and whether it is the last one. The body is Lean's text. */
function send(id: string | null, body: string, before?: NodeJS.CpuUsage, last = false): void {
  const used = process.cpuUsage(before);
  const envelope = `{"id":${JSON.stringify(id)},"last":${last},"cpu_ms":${(used.user + used.system) / 1000},"rss_bytes":${process.memoryUsage.rss()},"peak_bytes":${process.resourceUsage().maxRSS * 1024},"body":${body}}\n`;
  const bytes = Buffer.from(envelope);
  for (let offset = 0; offset < bytes.length;) {
    try {
      offset += writeSync(answerDescriptor, bytes, offset);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EPIPE') leave();
      if (code !== 'EAGAIN') throw error;
    }
  }
}
