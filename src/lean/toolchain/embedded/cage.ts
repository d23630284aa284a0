import path from 'node:path';
import { packageRoot } from '../../../config/package.ts';

/** What a process of the embedded Lean may touch of the host's file system: these folders and files. */
export interface CagePaths {
  readonly read: readonly string[];
  readonly write: readonly string[];
}

/** Makes every thread obey the flags of its process. */
const threadGuard = path.join(packageRoot, 'bin', 'thread-guard.cjs');

/**
 * The second cage. The first is the WebAssembly machine itself: Lean's file calls end in a file system that lives in memory
 * (host/files.ts), it has no sockets and no processes. Should code break out of that into JavaScript, Node's permission
 * model still refuses files beyond these, child processes, addons and WASI. Threads are allowed: Lean needs them, and they
 * inherit the rest. Node 24 forbids JavaScript that has broken out neither sockets nor signals; see namespaces.ts. Nor does it
 * keep such code from evaluating more of itself (`node:vm`, threads): that brings it nothing that it cannot do already.
 */
export function cageFlags({ read, write }: CagePaths): string[] {
  return [
    `--require=${threadGuard}`,
    `--allow-fs-read=${threadGuard}`,
    '--permission',
    '--allow-worker',
    '--disable-warning=SecurityWarning',
    // no text becomes code, and no signal opens a debugger
    '--disallow-code-generation-from-strings',
    '--disable-sigusr1',
    // it opens any file, whatever the permissions say
    '--no-experimental-sqlite',
    ...read.map((file) => `--allow-fs-read=${file}`),
    ...write.map((file) => `--allow-fs-write=${file}`),
  ];
}
