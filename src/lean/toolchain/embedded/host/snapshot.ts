import { bootLean, fail } from './boot.ts';
import { callLean } from './lean-object.ts';
import { libraryMount, workerMount } from './library-files.ts';
import { saveImage } from './save-image.ts';

/**
 * Boots Lean once and saves its heap. Usage: snapshot RUNTIME LIBRARY CODE|'' COMPILED_WORKER OUT WARM_UP MODULE…
 *
 * Lean runs Boot.lean, which imports the compiled worker. The worker publishes its request handler and its cancel flag.
 * Warm-up requests then build Lean's lazy indexes (simp sets, discrimination trees) into the heap that is saved.
 */
const [runtimeFolder, library, codeFile, compiled, output, warmUp, ...modules] = process.argv.slice(2) as [
  string,
  string,
  string,
  string,
  string,
  string,
  ...string[],
];

bootLean(
  {
    runtimeFolder,
    codeFile,
    mounts: { [libraryMount]: library, [workerMount]: compiled },
    program: [`${workerMount}/Boot.lean`, '--publish', ...modules],
  },
  ([handler = 0, cancelFlag = 0]) => {
    for (const request of JSON.parse(warmUp) as unknown[]) {
      const answer = callLean(orchHost.glue, handler, JSON.stringify(request));
      if (!(JSON.parse(answer) as { ok: boolean }).ok)
        fail(`warm-up ${JSON.stringify(request)} failed: ${answer.slice(0, 2000)}`);
      process.send?.('warm');
    }
    // the task threads go idle
    setTimeout(() => {
      saveImage(output, { handler, cancelFlag });
      process.exit(0);
    }, 500);
  },
);
