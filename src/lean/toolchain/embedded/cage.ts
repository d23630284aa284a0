import path from 'node:path';
import { packageRoot } from '../../../config/package.ts';

/** Files and folders of the host that a process of the embedded Lean may access. */
export interface CagePaths {
  readonly read: readonly string[];
  readonly write: readonly string[];
}

/** Applies the process flags to every thread. */
const threadGuard = path.join(packageRoot, 'bin', 'thread-guard.cjs');

/**
 * The second sandbox. The first is WebAssembly itself: Lean's file calls end in an in-memory file system
 * (host/files.ts), and it has no sockets and no processes. If code escapes into JavaScript, Node's permission model
 * still denies other files, child processes, addons and WASI. Threads are allowed: Lean needs them, and they inherit
 * the restrictions. Node 24 does not restrict sockets or signals; see namespaces.ts. Nor does it stop escaped code
 * from evaluating more code (`node:vm`, threads), but that gains it nothing.
 */
export function cageFlags({ read, write }: CagePaths): string[] {
  return [
    `--require=${threadGuard}`,
    `--allow-fs-read=${threadGuard}`,
    '--permission',
    '--allow-worker',
    '--disable-warning=SecurityWarning',
    // strings cannot be evaluated, and no signal opens a debugger
    '--disallow-code-generation-from-strings',
    '--disable-sigusr1',
    // SQLite ignores the permission model and could open any file
    '--no-experimental-sqlite',
    ...read.map((file) => `--allow-fs-read=${file}`),
    ...write.map((file) => `--allow-fs-write=${file}`),
  ];
}
