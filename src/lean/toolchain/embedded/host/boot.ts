import { HostFiles } from './files.ts';
import { instantiateWith } from './instantiate.ts';
import { retain } from './lean-object.ts';
import { libraryMount, workerMount } from './library-files.ts';
import { ModuleCache } from './module-cache.ts';
import { installHost, loadGlue } from './runtime.ts';
import { freshTaskManager, taskThreads } from './save-image.ts';

/** mimalloc never returns memory to this build's sbrk, but it reuses memory inside one reserved arena. */
const arenaBytes = 1 << 30;
/** The stack of main(), where all of Lean runs; Emscripten's own is too small for deep recursion. */
const stackBytes = 64 << 20;

export interface Boot {
  readonly runtimeFolder: string;
  /** Machine code of an earlier Lean; '' if there is none. */
  readonly codeFile: string;
  readonly mounts: Readonly<Record<string, string>>;
  /** The program that Lean runs, and its arguments. */
  readonly program: readonly string[];
}

const publishMark = '@@publish ';
const unwind = new Error('main() is left deliberately');

/**
 * Starts Lean without an image, as its command line does, and lets it run a program. The program prints the
 * addresses of objects that
 * it publishes; at that moment we unwind its main() with an exception. The frames of main() are abandoned but the interpreter
 * object in them is still referenced, so everything later runs on the stack *below* them.
 */
export function bootLean(
  { runtimeFolder, codeFile, mounts, program }: Boot,
  onPublished: (addresses: readonly number[]) => void,
): void {
  process.env['LEAN_PATH'] = `${libraryMount}:${workerMount}`;
  installHost({
    module: {
      arguments: ['--run', ...program],
      instantiateWasm: instantiateWith(runtimeFolder, codeFile || undefined),
    },
    data: {
      thread: 'em-pthread',
      runtimeFolder,
      mounts,
      filePositions: HostFiles.sharedPositions(),
      moduleTable: ModuleCache.sharedTable(),
    },
    threadPool: taskThreads,
    beforeMain: prepareMemory,
    afterMain: () => fail('Lean ended before its program published its request handler'),
    isUnwind: (error) => error === unwind,
    onOutput: (descriptor, bytes) => {
      const line = bytes.toString('latin1');
      if (descriptor === 1 && line.startsWith(publishMark)) leaveMain(line, onPublished);
      process.stderr.write(bytes);
    },
    onExit: (code) => fail(`Lean exited with ${code}`),
  });
  process.on('uncaughtException', (error) => {
    if (error !== unwind) fail(error.stack ?? error.message);
  });
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
  loadGlue(runtimeFolder);
}

function leaveMain(line: string, onPublished: (addresses: readonly number[]) => void): never {
  const addresses = line.slice(publishMark.length).split(' ').map(Number);
  for (const address of addresses) retain(orchHost.glue, address);
  const below = (stackPointer().value - 4096) & ~15;
  setTimeout(() => {
    stackPointer().value = below;
    freshTaskManager();
    onPublished(addresses);
  }, 50);
  throw unwind;
}

function prepareMemory(): void {
  const { exports } = orchHost.glue;
  if (exports.mi_reserve_os_memory(arenaBytes, 1, 0) !== 0) fail('no memory for the arena');
  const low = exports.malloc(stackBytes);
  const high = (low + stackBytes) & ~15;
  stackPointer().value = high;
  exports.emscripten_stack_set_limits(high, low);
}

function stackPointer(): WebAssembly.Global {
  return orchHost.glue.exports['__stack_pointer'] as WebAssembly.Global;
}

export function fail(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
