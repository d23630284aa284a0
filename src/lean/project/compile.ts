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

/** A Lean that sees the modules in one folder and writes into another. */
export type CompilerFor = (modules: string, output: string) => Promise<Toolchain>;

/** A module is compiled within this much time, or something is wrong with it. */
const deadlineMs = 30 * 60_000;

/** Why a module was not compiled, in Lean's words, with positions in the user's own file. */
export class CompileFailed extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.message);
    this.failure = failure;
  }
}

/** Lean reads the header of a module differently than we did: what the module is made from has to be looked up again. */
export class MisreadHeader extends Error {
  readonly header: Header;

  constructor(header: Header) {
    super('the header was misread');
    this.header = header;
  }
}

/**
 * Compile one module in a process of its own: what its code does to that process ends with it. The files are hints for those
 * who elaborate; no verdict rests on them.
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

/** What Lean reads in a header; nothing where it finds an error, which the compiler then reports. */
async function headerBy(worker: LeanWorker, text: string): Promise<Header | undefined> {
  const reply = await worker.request('headers', { texts: [text] });
  const found = reply.ok ? reply.headers[0] : undefined;
  if (!found?.ok) return undefined;
  const imports = found.imports.filter(({ module }) => module !== 'Init');
  return { isModule: found.module, imports };
}
