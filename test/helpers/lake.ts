import { chmodSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { leanCacheFolder, settingsFrom } from '../../src/app/settings.ts';
import { embeddedToolchain } from '../../src/lean/toolchain/embedded/embedded.ts';

const program = fileURLToPath(new URL('./lake-program.ts', import.meta.url));
const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/**
 * A program `lake` in a folder: `lake build` compiles into `.lake/build` as Lake does, and `lake env lean --run` imports those
 * modules. The embedded Lean does the work, behind the command lines of a native one. Returns the variables to start orch with.
 */
export async function installLake(folder: string): Promise<Record<string, string>> {
  const cacheFolder = leanCacheFolder(settingsFrom());
  // in the sandbox nothing can be set up
  await embeddedToolchain({ cacheFolder, image: 'init', importing: { imports: [], options: {} } });
  const file = path.join(folder, 'lake');
  writeFileSync(
    file,
    `#!/bin/sh\nexec ${[process.execPath, program, cacheFolder].map(quote).join(' ')} "$@"\n`,
  );
  chmodSync(file, 0o755);
  return { PATH: `${folder}:/usr/bin:/bin`, LEAN_SYSROOT: cacheFolder, ORCH_LEAN: 'lake' };
}
