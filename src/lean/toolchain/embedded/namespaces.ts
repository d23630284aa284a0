import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/**
 * Node forbids JavaScript that has broken out of WebAssembly neither the network nor signals to other processes of the
 * user. Linux can, where a user may make namespaces: the worker gets a network of its own, in which there is nobody, not even
 * its own machine, and a numbering of processes of its own, in which it sees none but itself. `unshare` stays before it as
 * the process that we know; whichever of the two dies takes the other along.
 */
const program = '/usr/bin/unshare';
const options = ['--user', '--map-current-user', '--net', '--pid', '--fork', '--kill-child', '--'];

let prefix: Promise<readonly string[]> | undefined;

/** What to put before a command so that it has namespaces of its own; nothing where the system has no such thing. */
export async function ownNamespaces(): Promise<readonly string[]> {
  prefix ??= promisify(execFile)(program, [...options, '/bin/true'], { env: {} }).then(
    () => [program, ...options],
    () => [],
  );
  return await prefix;
}
