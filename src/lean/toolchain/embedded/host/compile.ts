import { bootLean, fail } from './boot.ts';
import { outputMount } from './files.ts';
import { callLean } from './lean-object.ts';
import { libraryMount, workerMount } from './library-files.ts';

/**
 * Compiles one module of the worker: reads its source from the folder OUTPUT and writes the compiled module there.
 * Each module needs its own process, because state that Lean keeps from an earlier one ends up in the next file.
 * Usage: compile RUNTIME LIBRARY CODE|'' COMPILED_WORKER OUTPUT MODULE
 */
const [runtimeFolder, library, codeFile, compiled, output, name] = process.argv.slice(2) as [
  string,
  string,
  string,
  string,
  string,
  string,
];

bootLean(
  {
    runtimeFolder,
    codeFile,
    mounts: { [libraryMount]: library, [workerMount]: compiled, [outputMount]: output },
    program: [`${workerMount}/Compile.lean`],
  },
  ([handler = 0]) => {
    const place = `${outputMount}/${name}`;
    const said = callLean(orchHost.glue, handler, `${name}\n${place}.lean\n${place}.olean`);
    if (said !== '') fail(said);
    // a normal exit waits for V8's compiler threads, which sometimes never end
    process.send?.('done', () => process.kill(process.pid, 'SIGKILL'));
  },
);
