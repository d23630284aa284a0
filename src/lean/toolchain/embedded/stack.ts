import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { ownNamespaces } from './namespaces.ts';

/** Requested stack size; the system may grant less. Lean recurses deeply, and a native stack overflow kills the process. */
const wantedKilobytes = 1_000_000;

/**
 * Wraps a command so that it runs with the largest stack that the system allows (macOS: 64 MB; Linux: the requested
 * size), writes no core dump, and has its own namespaces where supported.
 */
export async function underStackLimit(
  build: (kilobytes: number) => string[],
): Promise<[command: string, args: string[]]> {
  const kilobytes = await stackKilobytes();
  // keep the shell: the first process of a PID namespace ignores its own signals, but a worker must be able to kill
  // itself
  const shell = ['/bin/sh', '-c', `ulimit -c 0; ulimit -s ${kilobytes}; "$0" "$@"; exit $?`];
  const [command = '', ...args] = [...(await ownNamespaces()), ...shell, ...build(kilobytes)];
  return [command, args];
}

let hardLimit: Promise<number> | undefined;

export async function stackKilobytes(): Promise<number> {
  hardLimit ??= promisify(execFile)('/bin/sh', ['-c', 'ulimit -Hs'], { env: {} }).then(({ stdout }) =>
    stdout.trim() === 'unlimited' ? wantedKilobytes : Number(stdout),
  );
  return Math.min(wantedKilobytes, await hardLimit);
}
