import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const cli = fileURLToPath(new URL('../../src/cli.ts', import.meta.url));

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Surroundings {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly input?: string;
  /** Asks the program to end. */
  readonly stop?: AbortSignal;
}

/** Run a program to its end. */
export async function run(
  command: string,
  args: readonly string[],
  around: Surroundings = {},
): Promise<Finished> {
  const child = spawn(command, args, { cwd: around.cwd, env: { ...process.env, ...around.env } });
  around.stop?.addEventListener('abort', () => child.kill('SIGTERM'));
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => (output.stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output.stderr += chunk.toString()));
  // a program may end without reading what it is given: its exit code says why
  child.stdin.on('error', () => {});
  child.stdin.end(around.input);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  return { code, ...output };
}

/** `orch ARGS` as a user types it, with the embedded Lean by default. */
export async function orch(args: readonly string[], around: Surroundings = {}): Promise<Finished> {
  return await run(process.execPath, [cli, ...args], {
    ...around,
    env: { ORCH_LEAN: 'embedded', ...around.env },
  });
}

export function jsonLines(text: string): unknown[] {
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
}
