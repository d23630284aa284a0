import { HostFiles } from './files.ts';
import { instantiateWith } from './instantiate.ts';
import { callLean, retain } from './lean-object.ts';
import { libraryMount } from './library-files.ts';
import { ModuleCache } from './module-cache.ts';
import { installHost, loadGlue } from './runtime.ts';
import { freshTaskManager, saveImage, taskThreads } from './save-image.ts';

/**
 * Boots Lean once and saves its heap. Usage: snapshot RUNTIME LIBRARY CODE|'' WORKER_FOLDER OUT WARM_UP MODULE…
 *
 * Lean runs Worker.lean with `--publish`; the worker prints the addresses of its request handler and of its cancel
 * flag, and at that moment we unwind main() with an exception. The frames of main() are abandoned but the interpreter
 * object in them is still referenced, so everything later runs on the stack *below* them. Warm-up requests then build
 * Lean's lazy indexes (simp sets, discrimination trees) into the heap that is saved.
 */
const [runtimeFolder, library, codeFile, workerFolder, output, warmUp, ...modules] = process.argv.slice(
  2,
) as [string, string, string, string, string, string, ...string[]];

const publishMark = '@@publish ';
const unwind = new Error('main() is left on purpose');
/** mimalloc never gives memory back to this build's sbrk; inside one reserved arena it reuses it. */
const arenaBytes = 1 << 30;
/** The stack of main(), where all of Lean runs; Emscripten's own is too small for deep recursion. */
const stackBytes = 64 << 20;

let handler = 0;
let cancelFlag = 0;
let stackAtPublish = 0;

process.env['LEAN_PATH'] = libraryMount;
installHost({
  module: {
    arguments: ['--run', '/lean/worker/Worker.lean', '--publish', ...modules],
    instantiateWasm: instantiateWith(runtimeFolder, codeFile || undefined),
  },
  data: {
    thread: 'em-pthread',
    runtimeFolder,
    mounts: { [libraryMount]: library, '/lean/worker': workerFolder },
    filePositions: HostFiles.sharedPositions(),
    moduleTable: ModuleCache.sharedTable(),
  },
  threadPool: taskThreads,
  beforeMain: prepareMemory,
  afterMain: () => fail('Lean ended before the worker was published'),
  isUnwind: (error) => error === unwind,
  onOutput: (descriptor, bytes) => {
    if (descriptor === 1 && bytes.toString('latin1', 0, publishMark.length) === publishMark)
      published(bytes.toString('latin1'));
    process.stderr.write(bytes);
  },
  onExit: (code) => fail(`Lean exited with ${code}`),
});
process.on('uncaughtException', (error) => {
  if (error !== unwind) fail(error.stack ?? error.message);
});
loadGlue(runtimeFolder);

function prepareMemory(): void {
  const { exports } = orchHost.glue;
  if (exports.mi_reserve_os_memory(arenaBytes, 1, 0) !== 0) fail('no memory for the arena');
  const low = exports.malloc(stackBytes);
  const high = (low + stackBytes) & ~15;
  stackPointer().value = high;
  exports.emscripten_stack_set_limits(high, low);
}

function published(line: string): never {
  [handler = 0, cancelFlag = 0] = line.slice(publishMark.length).split(' ').map(Number);
  retain(orchHost.glue, handler);
  retain(orchHost.glue, cancelFlag);
  stackAtPublish = stackPointer().value;
  setTimeout(warmAndSave, 50);
  throw unwind;
}

function warmAndSave(): void {
  stackPointer().value = (stackAtPublish - 4096) & ~15;
  freshTaskManager();
  for (const request of JSON.parse(warmUp) as unknown[]) {
    const answer = callLean(orchHost.glue, handler, JSON.stringify(request));
    if (!(JSON.parse(answer) as { ok: boolean }).ok)
      fail(`warm-up ${JSON.stringify(request)} failed: ${answer.slice(0, 2000)}`);
    process.send?.('warm');
  }
  setTimeout(save, 500); // the task threads go idle
}

function save(): void {
  saveImage(output, { handler, cancelFlag });
  process.exit(0);
}

function stackPointer(): WebAssembly.Global {
  return orchHost.glue.exports['__stack_pointer'] as WebAssembly.Global;
}

function fail(message: string): never {
  process.stderr.write(`snapshot: ${message}\n`);
  process.exit(1);
}
