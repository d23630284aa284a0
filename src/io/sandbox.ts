import { execFile } from 'node:child_process';
import { existsSync, realpathSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { findProgram } from './programs.ts';

/**
 * Walls around a native program that runs code nobody has looked at. With bubblewrap it has no network and sees no other
 * processes; every file is read-only, and home and temporary folders are empty but for what it needs. Without bubblewrap, Linux
 * namespaces still take the network and the other processes away, but not the files.
 */
export interface Sandbox {
  readonly kind: 'bubblewrap' | 'namespaces' | 'none';
  /** What to run instead of a command so that it runs inside. */
  wrap(command: readonly string[], access: Access): string[];
}

/** What a program needs of the file system, wherever that is. Missing files are left out. */
export interface Access {
  /** Where it starts. */
  readonly folder: string;
  readonly read: readonly string[];
  readonly write?: readonly string[];
  /** Parts of the readable folders that are none of its business. */
  readonly hidden?: readonly string[];
}

const found = new Map<string, Promise<Sandbox>>();

/** The best sandbox that works here: each is tried, because a program that is installed may still be forbidden. */
export async function findSandbox(searchPath: string | undefined): Promise<Sandbox> {
  const bubblewrap = findProgram('bwrap', searchPath);
  const known = found.get(bubblewrap ?? '') ?? firstThatWorks(bubblewrap);
  found.set(bubblewrap ?? '', known);
  return await known;
}

async function firstThatWorks(bubblewrap: string | undefined): Promise<Sandbox> {
  const candidates: Sandbox[] = [
    ...(bubblewrap === undefined ? [] : [bubblewrapSandbox(bubblewrap)]),
    { kind: 'namespaces', wrap: (command) => [...namespaces, ...command] },
  ];
  for (const sandbox of candidates) {
    const [program = '', ...args] = sandbox.wrap(['/bin/sh', '-c', ':'], { folder: '/', read: [] });
    if (await succeeds(program, args)) return sandbox;
  }
  return { kind: 'none', wrap: (command) => [...command] };
}

async function succeeds(program: string, args: readonly string[]): Promise<boolean> {
  return await promisify(execFile)(program, [...args], { env: {}, timeout: 10_000 }).then(
    () => true,
    () => false,
  );
}

/** A network in which there is nobody, and processes of its own; whichever of the two programs dies takes the other along. */
const namespaces =
  '/usr/bin/unshare --user --map-current-user --net --pid --ipc --fork --kill-child --'.split(' ');

const unshared =
  '--unshare-all --die-with-parent --new-session --ro-bind / / --dev /dev --proc /proc --setenv TMPDIR /tmp'.split(
    ' ',
  );

function bubblewrapSandbox(program: string): Sandbox {
  return {
    kind: 'bubblewrap',
    wrap: (command, access) => [program, ...bubblewrapArguments(access), '--', ...command],
  };
}

function bubblewrapArguments({ folder, read, write = [], hidden = [] }: Access): string[] {
  const covered = privateFolders();
  const shown = [...new Set([...read, ...write, folder].flatMap(asItIsNamed))]
    .filter((file) => covered.some((above) => isBelow(file, above)))
    // a folder before what lies in it
    .toSorted((one, two) => one.length - two.length);
  return [
    ...unshared,
    ...covered.flatMap((place) => ['--tmpfs', place]),
    ...shown.flatMap((file) => ['--ro-bind', file, file]),
    ...write.flatMap((file) => (existsSync(file) ? ['--bind', file, file] : [])),
    ...hidden.flatMap(cover),
    '--chdir',
    folder,
  ];
}

/** Homes, temporary folders and sockets of services. */
function privateFolders(): string[] {
  const places = ['/tmp', '/var/tmp', '/home', '/root', '/run', os.tmpdir(), os.homedir()];
  const real = places.filter((place) => existsSync(place)).map((place) => realpathSync(place));
  return [...new Set(real)].filter(
    (place) => place !== '/' && !real.some((other) => other !== place && isBelow(place, other)),
  );
}

/** By the name that the program uses and by the one behind its links; nothing where it does not exist. */
function asItIsNamed(file: string): string[] {
  const place = path.resolve(file);
  return existsSync(place) ? [place, realpathSync(place)] : [];
}

function cover(file: string): string[] {
  if (!existsSync(file)) return [];
  return statSync(file).isDirectory() ? ['--tmpfs', file] : ['--ro-bind', '/dev/null', file];
}

function isBelow(file: string, folder: string): boolean {
  return file === folder || file.startsWith(`${folder}/`);
}
