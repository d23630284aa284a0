import { fork } from 'node:child_process';
import { UserError } from '../../../core/errors.ts';
import { cageFlags, type CagePaths } from './cage.ts';
import { underStackLimit } from './stack.ts';

/**
 * The flags of every process with Lean in it. `--stack-size`: Lean's recursion limit must be reached before V8's.
 * `--allow-natives-syntax`: the code cache.
 */
function leanFlags(stackKilobytes: number): string[] {
  return [`--stack-size=${stackKilobytes}`, '--allow-natives-syntax'];
}

/** Workers live long: optimise sooner than V8 would. Machine code fits only processes with the same flags. */
export const serveFlags = ['--wasm-tiering-budget=300000'];

/** A command line that starts a program of the host in its cage. */
export async function leanCommand(
  program: string,
  args: readonly string[],
  cage: CagePaths,
  flags: readonly string[],
): Promise<[command: string, args: string[]]> {
  return await underStackLimit((kilobytes) => [
    process.execPath,
    ...leanFlags(Math.min(100_000, Math.floor(kilobytes / 2))),
    ...flags,
    ...cageFlags(cage),
    program,
    ...args,
  ]);
}

/** Run a program of the host to its end; it says by messages how far it is. Returns what it printed last. */
export async function runLean(
  [command, args]: readonly [string, readonly string[]],
  onMessage: () => void = () => undefined,
): Promise<{ readonly exit: number | null; readonly tail: string }> {
  const child = fork(args[0] ?? '', args.slice(1), {
    execPath: command,
    execArgv: [],
    env: {},
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let tail = '';
  child.on('message', onMessage);
  child.stderr?.on('data', (chunk: Buffer) => (tail = (tail + chunk.toString()).slice(-2000)));
  const [exit, signal] = await new Promise<[number | null, string | null]>((resolve) =>
    child.once('close', (...how) => resolve(how)),
  );
  return { exit, tail: tail.trim() || howItEnded(exit, signal) };
}

/** For a process that said nothing, as one that is killed. */
function howItEnded(exit: number | null, signal: string | null): string {
  if (signal === null) return `Its process said nothing and ended with exit code ${String(exit)}.`;
  const cause = signal === 'SIGKILL' ? '; perhaps the memory was full' : '';
  return `Its process was ended by ${signal}${cause}.`;
}

export function setUpFailed(what: string, tail: string): UserError {
  return new UserError(
    'lean-setup-failed',
    `${what}\n${tail}`,
    'Run orch doctor; it says what this machine lacks.',
  );
}
