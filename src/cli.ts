import { lstatSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import path from 'node:path';
import { makeFolders } from './core/folders.ts';
import { userCacheFolder } from './config/home.ts';

// the program is loaded after this: what Node compiled once, types stripped, the next start finds
keepCompiledCode();
goWhereTheUserIs(path.dirname(import.meta.dirname));
for (const stream of [process.stdout, process.stderr]) stream.on('error', afterFailedWrite);
process.exitCode = await run(process.argv.slice(2));

/** The daemon answers without loading the program here. */
async function run(args: readonly string[]): Promise<number> {
  const byDaemon =
    args[0] === 'check' ? await (await import('./daemon-client.ts')).askDaemon(args) : undefined;
  return byDaemon ?? (await (await import('./main.ts')).main(args));
}

/** Compiled code is run as it is found, so it lies in a folder that only this user can write to. Without one, starts are slower. */
function keepCompiledCode(): void {
  if (process.env['NODE_COMPILE_CACHE'] !== undefined) return;
  const folder = path.join(userCacheFolder(), 'orch', 'compiled');
  try {
    makeFolders(folder, 0o700);
    const { uid, mode } = lstatSync(folder);
    if (uid === process.getuid?.() && (mode & 0o022) === 0) enableCompileCache(folder);
  } catch {
    // a home that cannot be written to
  }
}

/** `npm run orch` starts in the folder of the package, and says from where it was called. */
function goWhereTheUserIs(packageRoot: string): void {
  const { npm_lifecycle_event: script, INIT_CWD: folder } = process.env;
  if (script === 'orch' && packageRoot === process.cwd() && folder) process.chdir(folder);
}

/** After `orch bank --reporter json | head -3` the reader has gone, but the run continues for the ledger. A full disk is an error. */
function afterFailedWrite(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') return;
  // stderr may be on the same disk
  process.stderr.write(`orch: the output cannot be written (${error.message})\n`, () => process.exit(2));
}
