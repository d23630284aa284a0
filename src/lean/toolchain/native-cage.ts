import { existsSync } from 'node:fs';
import path from 'node:path';
import type { SpawnRequest } from '../../io/child.ts';

export interface NativeCage {
  /** The `bwrap` program, where there is one. */
  readonly bubblewrap: string | undefined;
  /** What the worker must be able to read although it may lie under `/tmp`. */
  readonly visible: readonly string[];
  /** What no proof has any business to see; those that exist are covered. */
  readonly hidden: readonly string[];
}

/** Lean maps its whole library: Mathlib alone takes 6 GB of addresses. Beyond this a proof eats the machine. */
export const addressSpaceKilobytes = 64 << 20;

/**
 * A native Lean runs the code of proofs with the rights of its user, so it gets what cage there is: always an own process
 * group, an environment of listed variables and a limit on its address space; with bubblewrap also no network, no other
 * processes, a root that cannot be written and a `/tmp` of its own.
 *
 * The answers: Lean opens `/dev/fd/3` by name, which the system refuses for a socket, and Node's pipes are sockets. So the
 * worker writes into a pipe of the shell's, and `cat` carries it over.
 */
export function cagedNative(request: SpawnRequest, cage: NativeCage): SpawnRequest {
  const inner = [...bubblewrapArguments(cage, request.cwd), request.command, ...request.args];
  const script = `ulimit -v ${addressSpaceKilobytes} 2>/dev/null; { "$0" "$@" 3>&1 1>/dev/null; } | cat >&3`;
  return { ...request, command: '/bin/sh', args: ['-c', script, ...inner] };
}

function bubblewrapArguments({ bubblewrap, visible, hidden }: NativeCage, folder: string): string[] {
  if (bubblewrap === undefined) return [];
  return [
    bubblewrap,
    '--unshare-all',
    '--die-with-parent',
    '--new-session',
    '--ro-bind',
    '/',
    '/',
    '--dev',
    '/dev',
    '--proc',
    '/proc',
    '--tmpfs',
    '/tmp',
    ...visible.flatMap((file) => (isTemporary(file) ? ['--ro-bind', file, file] : [])),
    ...hidden.flatMap((file) => (existsSync(file) ? ['--tmpfs', file] : [])),
    '--chdir',
    folder,
    '--',
  ];
}

/** The private `/tmp` hides what lies there; only that must be shown again. */
function isTemporary(file: string): boolean {
  return path.resolve(file).startsWith('/tmp/');
}
