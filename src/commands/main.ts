import { CommanderError, type Command } from 'commander';
import { UserError } from '../core/errors.ts';
import { printable } from '../core/printable.ts';
import { secretsOf, withoutSecrets } from '../core/secrets.ts';
import { ExitCode } from '../core/exit.ts';
import { makeProgram } from './program.ts';

/** Parse → options → command → exit code. The action of a command sets the exit code when it ends. */
export async function main(args: readonly string[]): Promise<number> {
  const program = makeProgram();
  stopAtUsageErrors(program);
  try {
    await program.parseAsync(args, { from: 'user' });
    return Number(process.exitCode ?? ExitCode.done);
  } catch (error) {
    return explain(error);
  }
}

/** Commander exits by itself unless told not to, and would exit 1 for a usage error; ours is 2. */
function stopAtUsageErrors(command: Command): void {
  command.exitOverride();
  for (const child of command.commands) stopAtUsageErrors(child);
}

function explain(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? ExitCode.done : ExitCode.broken;
  if (error instanceof UserError) {
    told(`orch: ${error.message}\n${error.hint ? `  ${error.hint}\n` : ''}`);
    return ExitCode.broken;
  }
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  told(`orch: unexpected error (a bug; please report it)\n${stack}\n`);
  return ExitCode.broken;
}

/** An error may quote anything: a key that a server repeated, an address with its password, a file name that moves the cursor. */
function told(text: string): void {
  process.stderr.write(printable(withoutSecrets(text, secretsOf(process.env))));
}
