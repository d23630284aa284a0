import { fork } from 'node:child_process';
import { UserError } from '../../../core/errors.ts';
import { cageFlags, type CagePaths } from './cage.ts';
import { underStackLimit } from './stack.ts';

/**
 * Flags of every process that runs Lean. `--stack-size`: Lean must reach its recursion limit before V8's.
 * `--allow-natives-syntax`: needed for the code cache.
 */
function leanFlags(stackKilobytes: number): string[] {
  return [`--stack-size=${stackKilobytes}`, '--allow-natives-syntax'];
}

/** Workers live long, so optimise sooner than V8's default. Machine code only fits processes with the same flags. */
export const serveFlags = ['--wasm-tiering-budget=300000'];

/** The command line that starts a host program in its sandbox. */
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

/** Runs a host program to its end. It reports its progress in messages. Returns its last output. */
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

/** For a process that ended without a message, for instance because it was killed. */
function howItEnded(exit: number | null, signal: string | null): string {
  if (signal === null) return `Its process ended without a message, with exit code ${String(exit)}.`;
  const cause = signal === 'SIGKILL' ? '; perhaps the memory was full' : '';
  return `Its process was ended by ${signal}${cause}.`;
}

export function setUpFailed(what: string, tail: string): UserError {
  return new UserError('lean-setup-failed', `${what}\n${tail}`, 'Run orch doctor to see what is missing.');
}
