import { execFile } from 'node:child_process';
import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { shellWord } from '../config/checkout.ts';
import { findProgram } from './programs.ts';

/**
 * Walls around a native program that runs code nobody has looked at: it has no network and sees no other processes; every file is
 * read-only, and home and temporary folders are empty but for what it needs. Bubblewrap builds them, or else `unshare` and `mount`.
 * Where mounts are forbidden too, namespaces still take the network and the other processes away, but not the files.
 */
export interface Sandbox {
  readonly kind: 'bubblewrap' | 'mounts' | 'namespaces' | 'none';
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
    { kind: 'mounts', wrap: (command, access) => [...withMounts(access), ...command] },
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

function bubblewrapArguments(access: Access): string[] {
  const covered = privateFolders();
  return [
    ...unshared,
    ...covered.flatMap((place) => ['--tmpfs', place]),
    ...shownIn(covered, access).flatMap((file) => ['--ro-bind', file, file]),
    ...written(access).flatMap((file) => ['--bind', file, file]),
    ...hiddenIn(access).flatMap(([file, isFolder]) =>
      isFolder ? ['--tmpfs', file] : ['--ro-bind', '/dev/null', file],
    ),
    '--chdir',
    access.folder,
  ];
}

/** The same by hand: as root of a user namespace all mounts are made, and a second user namespace takes that right away again. */
function withMounts(access: Access): string[] {
  const [user, group] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0];
  const asOneself = `/usr/bin/unshare --user --map-user=${user} --map-group=${group} -- "$0" "$@"`;
  return [...rootOfMounts, '/bin/sh', '-c', `${mounting(access).join(' &&\n')} &&\nexec ${asOneself}`];
}

const rootOfMounts =
  '/usr/bin/unshare --user --map-root-user --mount --net --pid --ipc --fork --kill-child --'.split(' ');

/** What a program may leave in each of the folders that are its own; it would be memory of the machine. */
const tmpfs = 'mount -t tmpfs -o size=256m,mode=755 tmpfs';

function mounting(access: Access): string[] {
  const covered = privateFolders();
  const shown = shownIn(covered, access);
  const mounts = mountPoints();
  // the folder that covers a file covers its name too, so each waits below /proc, which is mounted last
  return [
    ...mounts.map(
      ({ place, flags }) =>
        `{ mount -o remount,bind,ro${flags} ${shellWord(place)} 2>/dev/null || [ ! -w ${shellWord(place)} ]; }`,
    ),
    'mount -t tmpfs tmpfs /proc',
    ...shown.flatMap((file, index) => [...made(file, `/proc/${index}`), bound(file, `/proc/${index}`)]),
    ...[...covered, '/dev/shm'].map((place) => `${tmpfs} ${shellWord(place)}`),
    ...shown.flatMap((file, index) => [...made(file, file), bound(`/proc/${index}`, file)]),
    ...written(access).map(
      (file) => `${bound(file, file)} && mount -o remount,bind,rw${flagsAt(mounts, file)} ${shellWord(file)}`,
    ),
    ...hiddenIn(access).map(([file, isFolder]) =>
      isFolder ? `${tmpfs} ${shellWord(file)}` : bound('/dev/null', file),
    ),
    'mount -t proc proc /proc',
    // root of the machine could change the kernel's settings there
    ...['sys', 'sysrq-trigger', 'irq', 'bus', 'fs']
      .map((name) => `/proc/${name}`)
      .filter((file) => process.getuid?.() === 0 && existsSync(file))
      .map((file) => `${bound(file, file)} && mount -o remount,bind,ro ${file}`),
    `cd ${shellWord(access.folder)}`,
    'export TMPDIR=/tmp',
  ];
}

function bound(source: string, target: string): string {
  return `mount --rbind ${shellWord(source)} ${shellWord(target)}`;
}

/** A file or folder to mount the other one on. */
function made(source: string, target: string): string[] {
  const word = shellWord(target);
  if (statSync(source).isDirectory()) return [`mkdir -p ${word}`];
  return [`mkdir -p ${shellWord(path.dirname(target))}`, `{ [ -e ${word} ] || : > ${word}; }`];
}

interface MountPoint {
  readonly place: string;
  /** Those that only root of the machine may take away: `,nosuid,nodev,relatime`. */
  readonly flags: string;
}

function mountPoints(): MountPoint[] {
  return readFileSync('/proc/self/mountinfo', 'utf8')
    .trim()
    .split('\n')
    .map((line) => {
      const [, , , , place = '', options = ''] = line.split(' ');
      const flags = options.split(',').filter((flag) => flag !== 'rw' && flag !== 'ro');
      const name = place.replaceAll(/\\([0-7]{3})/g, (_, octal: string) =>
        String.fromCharCode(Number.parseInt(octal, 8)),
      );
      return { place: name, flags: flags.map((flag) => `,${flag}`).join('') };
    })
    .filter(({ place }) => place !== '/proc' && !place.startsWith('/proc/'));
}

function flagsAt(mounts: readonly MountPoint[], file: string): string {
  const above = mounts.filter(({ place }) => place === '/' || isBelow(file, place));
  return above.toSorted((one, two) => one.place.length - two.place.length).at(-1)?.flags ?? '';
}

/** What is to be seen in the covered folders, a folder before what lies in it. */
function shownIn(covered: readonly string[], { folder, read, write = [] }: Access): string[] {
  return [...new Set([...read, ...write, folder].flatMap(asItIsNamed))]
    .filter((file) => covered.some((above) => isBelow(file, above)))
    .toSorted((one, two) => one.length - two.length);
}

function written({ write = [] }: Access): string[] {
  return write.filter((file) => existsSync(file));
}

/** Each with whether it is a folder. */
function hiddenIn({ hidden = [] }: Access): [file: string, isFolder: boolean][] {
  return hidden.filter((file) => existsSync(file)).map((file) => [file, statSync(file).isDirectory()]);
}

/** Homes, temporary folders, sockets and data of services. */
function privateFolders(): string[] {
  const places = ['/tmp', '/var', '/home', '/root', '/run', os.tmpdir(), os.homedir()];
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

function isBelow(file: string, folder: string): boolean {
  return file === folder || file.startsWith(`${folder}/`);
}
