import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/**
 * Node does not stop JavaScript that has escaped from WebAssembly from using the network or sending signals to other
 * processes of the user. Linux does, where users may create namespaces: the worker gets an empty network namespace,
 * without even a loopback connection to its host, and a PID namespace in which it sees only itself. `unshare` remains
 * as its parent, and is the process we supervise; if either one ends, the other ends too.
 */
const program = '/usr/bin/unshare';
const options = ['--user', '--map-current-user', '--net', '--pid', '--fork', '--kill-child', '--'];

let prefix: Promise<readonly string[]> | undefined;

/** Prefix that runs a command in its own namespaces; empty if the system does not support that. */
export async function ownNamespaces(): Promise<readonly string[]> {
  prefix ??= promisify(execFile)(program, [...options, '/bin/true'], { env: {} }).then(
    () => [program, ...options],
    () => [],
  );
  return await prefix;
}
