import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { ownNamespaces } from './namespaces.ts';

/** Lean recurses deeply, and a native stack overflow kills the process. We ask for this much, and take what we get. */
const wantedKilobytes = 1_000_000;

/**
 * Wrap a command so that it runs with the largest stack that the system allows (macOS: 64 MB; Linux: what we want), leaves
 * no core behind, and has namespaces of its own where they can be had.
 */
export async function underStackLimit(
  build: (kilobytes: number) => string[],
): Promise<[command: string, args: string[]]> {
  const kilobytes = await stackKilobytes();
  // the shell stays: in a namespace of its own the first process cannot be killed by a signal of its own, and a worker must be
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
