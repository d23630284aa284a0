import { CommanderError, type Command } from 'commander';
import { UserError } from './core/errors.ts';
import { asTyped } from './core/invocation.ts';
import { secretsOf, withoutSecrets } from './core/secrets.ts';
import { ExitCode } from './core/exit.ts';
import { programFor } from './program.ts';
import { harmless, linesForPeople } from './shared/for-people.ts';

/** Parse → options → command → exit code. The action of a command sets the exit code when it ends. */
export async function main(args: readonly string[]): Promise<number> {
  const program = await programFor(args);
  stopAtUsageErrors(program);
  try {
    await program.parseAsync(args, { from: 'user' });
    return Number(process.exitCode ?? ExitCode.done);
  } catch (error) {
    return explain(error);
  }
}

/** Commander exits by itself unless it is asked not to, and would exit 1 for a usage error; ours is 2. */
function stopAtUsageErrors(command: Command): void {
  command.exitOverride();
  for (const child of command.commands) stopAtUsageErrors(child);
}

function explain(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? ExitCode.done : ExitCode.broken;
  if (error instanceof UserError) {
    const hint = error.hint ? `  ${asTyped(linesForPeople(error.hint))}\n` : '';
    print(`orch: ${asTyped(linesForPeople(error.message))}\n${hint}`);
    return ExitCode.broken;
  }
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  print(`orch: unexpected error (a bug; please report it)\n${harmless(stack)}\n`);
  return ExitCode.broken;
}

/** An error may quote anything, such as a key that a server repeated or a URL with its password. */
function print(text: string): void {
  process.stderr.write(withoutSecrets(text, secretsOf(process.env)));
}
