import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import path from 'node:path';
import { leanCacheFolder, settingsFrom } from '../../src/app/settings.ts';
import { embeddedFolders, embeddedToolchain } from '../../src/lean/toolchain/embedded/embedded.ts';
import { underStackLimit } from '../../src/lean/toolchain/embedded/stack.ts';
import { workerCompiler, workerStage } from '../../src/lean/toolchain/embedded/worker-stage.ts';

const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/**
 * A program `lean` whose `--run Worker.lean Init` runs the worker's own `main`, as a native Lean does: it reads requests from
 * stdin, answers on `/dev/fd/3`, and watches deadlines and `/dev/fd/4` in threads of Lean's. The embedded Lean runs it from its
 * compiled modules, without an image. Returns the program and its files, which the sandbox must show.
 */
export async function installNativeLean(folder: string): Promise<{ program: string; sysroot: string }> {
  const cacheFolder = leanCacheFolder(settingsFrom());
  const options = { cacheFolder, image: 'init', importing: { imports: [], options: {} } } as const;
  // the library, too
  await embeddedToolchain(options);
  const { host, runtime, library } = embeddedFolders(options);
  const worker = path.join(folder, 'worker');
  mkdirSync(worker, { recursive: true });
  await workerStage({
    cacheFolder,
    compiler: workerCompiler(),
    prepare: () => Promise.resolve({ host, runtime, library, codeFile: undefined }),
    onProgress: () => undefined,
  }).build(worker);
  // as plain JavaScript: threads that strip types reserve too much of the address space that a native Lean gets
  const plain = (name: string): string => {
    const text = readFileSync(new URL(`../fixtures/${name}.ts`, import.meta.url), 'utf8');
    const file = path.join(folder, `${name}.mjs`);
    writeFileSync(
      file,
      stripTypeScriptTypes(text).replaceAll(/'\.\.\/\.\.\/src(.*)\.ts'/g, `'${host}$1.js'`),
    );
    return file;
  };
  const [command, args] = await underStackLimit((kilobytes) => [
    process.execPath,
    `--stack-size=${Math.min(100_000, Math.floor(kilobytes / 2))}`,
    '--allow-natives-syntax',
    '--disable-wasm-trap-handler',
    `--import=${plain('native-lean-files')}`,
    plain('native-lean-program'),
    runtime,
    library,
    worker,
  ]);
  const program = path.join(folder, 'lean');
  const run = [command, ...args].map(quote).join(' ');
  writeFileSync(
    program,
    `#!/bin/sh
if [ "$1" = --version ]; then echo "Lean (version 4.28.0, not embedded)"; exit 0; fi
[ "$1" = --run ] && [ -r "$2" ] || { echo "unexpected: $*" >&2; exit 2; }
shift 2
exec ${run} "$@"
`,
  );
  chmodSync(program, 0o755);
  return { program, sysroot: cacheFolder };
}
