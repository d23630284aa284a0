import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { homeFolder } from '../../config/home.ts';
import { packageRoot } from '../../config/package.ts';
import type { SpawnRequest } from '../../io/child.ts';
import { cleanEnvironment } from '../../io/programs.ts';
import type { Access, Sandbox } from '../../io/sandbox.ts';
import type { NativeLean } from './native.ts';

/**
 * Lean maps its whole library: Mathlib alone takes 6 GB of address space. The limit keeps a proof from exhausting the
 * machine's memory.
 */
export const addressSpaceKilobytes = 64 << 20;

type Variables = Readonly<Record<string, string | undefined>>;

/** The environment variables of a native Lean: those that a toolchain needs, and no others of ours. */
export function leanEnvironment(environment: Variables): Record<string, string> {
  return cleanEnvironment(environment, ['ELAN_HOME', 'ELAN_TOOLCHAIN', 'LEAN_PATH', 'LEAN_SYSROOT']);
}

const limits = `ulimit -c 0; ulimit -v ${addressSpaceKilobytes} 2>/dev/null`;

/** Runs a program to its end, such as a version probe, in the same sandbox with the same limits. */
export function cagedCommand(command: readonly string[], sandbox: Sandbox, access: Access): string[] {
  return ['/bin/sh', '-c', `${limits}; exec "$0" "$@"`, ...sandbox.wrap(command, access)];
}

/**
 * A native Lean runs the code of proofs with its user's rights, so a worker always gets its own process group, a
 * short list of environment variables, a limit on its address space, and the sandbox.
 *
 * Lean opens `/dev/fd/3` by name to write its answers and `/dev/fd/4` to read cancellations. The system refuses that for a
 * socket, and Node's pipes are sockets. So the worker has shell pipes, and `cat` copies them from and to Node. The `cat` that
 * reads from Node, which does not notice that the worker has ended, sends its process number first.
 */
export function cagedWorker(request: SpawnRequest, sandbox: Sandbox, access: Access): SpawnRequest {
  const inner = sandbox.wrap([request.command, ...request.args], access);
  const worker = '"$0" "$@" 4<&0 0<&5 5<&- 3>&1 1>/dev/null';
  const script = `${limits}; exec 5<&0; sh -c 'echo $$; exec cat' <&4 3>&- 5<&- | { read -r reader; { ${worker}; } | cat >&3; kill -s PIPE "$reader" 2>/dev/null || :; }`;
  return { ...request, command: '/bin/sh', args: ['-c', script, ...inner] };
}

/**
 * The files that a native Lean may read: its toolchain, its project and our worker; a wrapper around the
 * embedded Lean also
 * reads Node and our sources.
 */
export function accessOf(
  lean: NativeLean,
  worker: string,
  cacheFolder: string,
  environment: Variables,
): Access {
  const isProject = lean.kind === 'lake';
  const projects = isProject ? [lean.folder, ...(lean.home === undefined ? [] : [lean.home])] : [];
  return {
    folder: isProject ? lean.folder : path.dirname(worker),
    read: [
      path.dirname(worker),
      lean.command,
      ...(existsSync(lean.command) ? [path.dirname(path.dirname(realpathSync(lean.command)))] : []),
      ...elanFolders(environment),
      ...(environment['LEAN_PATH'] ?? '').split(path.delimiter).filter((folder) => path.isAbsolute(folder)),
      ...(environment['LEAN_SYSROOT'] === undefined ? [] : [environment['LEAN_SYSROOT']]),
      ...projects.flatMap((folder) => [folder, ...pathPackages(folder)]),
      process.execPath,
      packageRoot,
      cacheFolder,
    ],
    // the ledger, keys, and the token that CI leaves in git's configuration
    hidden: projects.flatMap((folder) => ['.orch', '.env', '.git'].map((name) => path.join(folder, name))),
  };
}

/** elan's own folder, and toolchains linked into it. */
function elanFolders(environment: Variables): string[] {
  const home = environment['ELAN_HOME'] ?? path.join(environment['HOME'] ?? homeFolder(), '.elan');
  const toolchains = path.join(home, 'toolchains');
  if (!existsSync(toolchains)) return existsSync(home) ? [home] : [];
  return [home, ...readdirSync(toolchains).map((name) => path.join(toolchains, name))];
}

/** Packages outside the project that its manifest refers to by path. */
function pathPackages(project: string): string[] {
  try {
    const manifest = JSON.parse(readFileSync(path.join(project, 'lake-manifest.json'), 'utf8')) as {
      packages?: { type?: string; dir?: string }[];
    };
    // only package folders are allowed, whatever the manifest says
    return (manifest.packages ?? [])
      .flatMap(({ type, dir }) =>
        type === 'path' && typeof dir === 'string' ? [path.resolve(project, dir)] : [],
      )
      .filter((folder) =>
        ['lakefile.lean', 'lakefile.toml'].some((name) => existsSync(path.join(folder, name))),
      );
  } catch {
    // Lake reports a missing or broken manifest itself
    return [];
  }
}
