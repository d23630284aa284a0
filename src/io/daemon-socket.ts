import { lstatSync } from 'node:fs';
import path from 'node:path';
import { makeFolders } from '../core/folders.ts';
import { userCacheFolder } from '../config/home.ts';
import { sha256 } from '../core/sha256.ts';

/** The longest address of a Unix socket on every system. */
const maxAddress = 100;

/** The first line from a client: everything that a command reads from its process. */
export interface AskedCommand {
  /**
   * The content of the key file beside the socket: code that broke out of a worker can open sockets, but not
   * that file.
   */
  readonly key: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdout: Terminal;
  readonly stderr: Terminal;
}

export interface Terminal {
  readonly isTTY: boolean;
  readonly columns?: number | undefined;
}

/** Each line of the answer. `refused`: the client runs the command itself. */
export type Told =
  | { readonly type: 'stdout' | 'stderr'; readonly text: string }
  | { readonly type: 'exit'; readonly code: number }
  | { readonly type: 'refused' };

/** The key file of a socket. */
export const keyFile = (address: string): string => `${address}.key`;

/**
 * Where the daemon of this user and this copy of the program listens: in a folder that only the user may enter.
 * Undefined if there is no such folder, or its path is too long for a socket.
 */
export function daemonSocket(root: string, environment: NodeJS.ProcessEnv = process.env): string | undefined {
  const copy = sha256(root).slice(0, 12);
  const { XDG_RUNTIME_DIR: runtime = '' } = environment;
  const base = path.isAbsolute(runtime) ? runtime : userCacheFolder(environment);
  const folder = path.join(base, 'orch', 'daemon');
  const address = path.join(folder, `${copy}.sock`);
  if (Buffer.byteLength(address) > maxAddress) return undefined;
  try {
    makeFolders(folder, 0o700);
    const { uid, mode } = lstatSync(folder);
    return uid === process.getuid?.() && (mode & 0o077) === 0 ? address : undefined;
  } catch {
    return undefined;
  }
}
