import path from 'node:path';
import { main } from './main.ts';
import { packageRoot } from './config/package.ts';

goWhereTheUserIs();
for (const stream of [process.stdout, process.stderr]) stream.on('error', forgiveClosedPipe);
process.exitCode = await main(process.argv.slice(2));

/** `npm run orch` starts in the folder of the package, and says from where it was called. */
function goWhereTheUserIs(): void {
  const { npm_lifecycle_event: script, INIT_CWD: folder } = process.env;
  const isAtHome = path.resolve(packageRoot) === process.cwd();
  if (script === 'orch' && isAtHome && folder) process.chdir(folder);
}

/** `orch bank --reporter json | head -3`: nobody reads on, but the ledger still wants the rest of the run. */
function forgiveClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}
