import path from 'node:path';
import { CommanderError, type Command } from 'commander';
import { makeProgram } from './commands/program.ts';
import { packageRoot } from './config/package.ts';
import { UserError } from './core/errors.ts';
import { ExitCode } from './core/exit.ts';

process.exitCode = await main(process.argv.slice(2));

/** Parse → options → command → exit code. The action of a command sets the exit code when it ends. */
async function main(args: string[]): Promise<number> {
  goWhereTheUserIs();
  for (const stream of [process.stdout, process.stderr]) stream.on('error', forgiveClosedPipe);
  const program = makeProgram();
  stopAtUsageErrors(program);
  try {
    await program.parseAsync(args, { from: 'user' });
    return Number(process.exitCode ?? ExitCode.done);
  } catch (error) {
    return explain(error);
  }
}

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

/** Commander exits by itself unless told not to, and would exit 1 for a usage error; ours is 2. */
function stopAtUsageErrors(command: Command): void {
  command.exitOverride();
  for (const child of command.commands) stopAtUsageErrors(child);
}

function explain(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? ExitCode.done : ExitCode.broken;
  if (error instanceof UserError) {
    process.stderr.write(`orch: ${error.message}\n${error.hint ? `  ${error.hint}\n` : ''}`);
    return ExitCode.broken;
  }
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`orch: unexpected error (a bug; please report it)\n${stack}\n`);
  return ExitCode.broken;
}
