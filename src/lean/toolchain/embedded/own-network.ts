import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/**
 * Node cannot forbid the network to JavaScript that has broken out of WebAssembly; Linux can, where a user may make
 * namespaces: the worker gets a network of its own, in which there is nobody, not even its own machine.
 */
const program = '/usr/bin/unshare';
const options = ['--user', '--map-current-user', '--net', '--'];

let prefix: Promise<readonly string[]> | undefined;

/** What to put before a command so that it has no network; nothing where the system has no such thing. */
export async function ownNetwork(): Promise<readonly string[]> {
  prefix ??= promisify(execFile)(program, [...options, '/bin/true']).then(
    () => [program, ...options],
    () => [],
  );
  return await prefix;
}
