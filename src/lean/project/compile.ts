import type { Clock } from '../../core/clock.ts';
import { SourceText } from '../base/source-text.ts';
import type { Failure, Message } from '../base/protocol.ts';
import { outputMount } from '../toolchain/embedded/host/files.ts';
import type { Toolchain } from '../toolchain/toolchain.ts';
import { LeanWorker } from '../toolchain/worker.ts';
import type { GraphModule } from './graph.ts';
import { isSameHeader, type Header } from '../base/header.ts';
import { moduleNameParts } from '../base/module-names.ts';
import { mainFile, type ModuleRecord, type BuildRemark } from './store.ts';

/** A Lean that reads modules from one folder and writes into another. */
export type CompilerFor = (modules: string, output: string) => Promise<Toolchain>;

/** Time limit for compiling a module. */
const deadlineMs = 30 * 60_000;

/** Lean's errors for a module, with positions in the user's file. */
export class CompileFailed extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.message);
    this.failure = failure;
  }
}

/** Lean parses the module's header differently than we did: its inputs must be determined again. */
export class MisreadHeader extends Error {
  readonly header: Header;

  constructor(header: Header) {
    super('the header was misread');
    this.header = header;
  }
}

/**
 * Compile one module in its own process, so that effects of its code end with the process. The files only help elaboration; no verdict depends on them.
 */
export async function compileModule(
  { name, text: raw, header, options, isLent }: GraphModule,
  toolchain: Toolchain,
  clock: Clock,
  signal?: AbortSignal,
): Promise<ModuleRecord> {
  const worker = await LeanWorker.start(toolchain, clock);
  try {
    if (!(await worker.ready)) throw new Error(`Lean did not start. ${worker.errorTail}`);
    const { text } = new SourceText(raw);
    const reported = await headerBy(worker, text);
    if (reported && !isSameHeader(reported, header)) throw new MisreadHeader(reported);
    const reply = await worker.request(
      'compile',
      {
        name: moduleNameParts(name),
        text,
        options,
        output: `${outputMount}/${mainFile}`,
        keepBroken: isLent,
      },
      { deadlineMs, ...(signal && { signal }) },
    );
    if (!reply.ok) throw new CompileFailed(reply);
    const said = (wanted: Message['severity']): BuildRemark[] =>
      reply.messages
        .filter(({ severity }) => severity === wanted)
        .map(({ start, text: words }) => ({ line: start[0], text: words }));
    const { cpuSeconds, peakBytes } = reply.cost;
    return { code: reply.code, cpuSeconds, peakBytes, warnings: said('warning'), errors: said('error') };
  } finally {
    worker.kill();
    await worker.exited;
  }
}

/** Lean's parse of a header; undefined if it has an error, which the compiler then reports. */
async function headerBy(worker: LeanWorker, text: string): Promise<Header | undefined> {
  const reply = await worker.request('headers', { texts: [text] });
  const found = reply.ok ? reply.headers[0] : undefined;
  if (!found?.ok) return undefined;
  const imports = found.imports.filter(({ module }) => module !== 'Init');
  return { isModule: found.module, imports };
}
