import type { Clock } from '../../core/clock.ts';
import { SourceText } from '../goals/source-text.ts';
import type { Failure, Message } from '../protocol.ts';
import { outputMount } from '../toolchain/embedded/host/files.ts';
import type { Toolchain } from '../toolchain/toolchain.ts';
import { LeanWorker } from '../worker.ts';
import type { GraphModule } from './graph.ts';
import { partsOf } from './names.ts';
import { mainFile, type ModuleRecord, type Remark } from './store.ts';

/** A Lean that sees the modules in one folder and writes into another. */
export type CompilerFor = (modules: string, output: string) => Promise<Toolchain>;

/** A module is compiled within this much time, or something is wrong with it. */
const deadlineMs = 30 * 60_000;

/** Why a module was not compiled, in Lean's words and with the places of the user's own file. */
export class CompileFailed extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.message);
    this.failure = failure;
  }
}

/**
 * Compile one module in a process of its own: what its code does to that process ends with it. The files are hints for those
 * who elaborate; no verdict rests on them.
 */
export async function compileModule(
  { name, text, options, isLent }: GraphModule,
  toolchain: Toolchain,
  clock: Clock,
  signal?: AbortSignal,
): Promise<ModuleRecord> {
  const worker = await LeanWorker.start(toolchain, clock);
  try {
    if (!(await worker.ready)) throw new Error(`Lean did not start. ${worker.errorTail}`);
    const reply = await worker.request(
      'compile',
      {
        name: partsOf(name),
        text: new SourceText(text).text,
        // a package is read by Lean's own rule for names that nobody declared, not by the stricter one for a user's text
        options: isLent ? { relaxedAutoImplicit: true, ...options } : options,
        output: `${outputMount}/${mainFile}`,
        keepBroken: isLent,
      },
      { deadlineMs, ...(signal && { signal }) },
    );
    if (!reply.ok) throw new CompileFailed(reply);
    const said = (wanted: Message['severity']): Remark[] =>
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
