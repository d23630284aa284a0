import { execFile } from 'node:child_process';
import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { homeFolder } from '../config/home.ts';
import { promisify } from 'node:util';
import { shellWord } from '../config/checkout.ts';
import { findProgram } from './programs.ts';

/**
 * A sandbox for native programs that run unreviewed code: no network, no view of other processes, all files read-only, and home and temporary folders empty except for what the program needs. Built with Bubblewrap, or else with `unshare` and `mount`. Where mounts are forbidden, namespaces still hide the network and other processes, but not the files.
 */
export interface Sandbox {
  readonly kind: 'bubblewrap' | 'mounts' | 'namespaces' | 'none';
  /** Wraps a command so that it runs inside. */
  wrap(command: readonly string[], access: Access): string[];
}

/** The parts of the file system that a program needs. Missing files are left out. */
export interface Access {
  /** Its working folder. */
  readonly folder: string;
  readonly read: readonly string[];
  readonly write?: readonly string[];
  /** Parts of the readable folders to hide. */
  readonly hidden?: readonly string[];
}

const found = new Map<string, Promise<Sandbox>>();

/** The best sandbox that works here. Each is tried, because an installed program may still be forbidden. */
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

/** An empty network and its own process namespace; if either of the two programs dies, the other one is killed. */
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

/** The same without Bubblewrap: root of a user namespace makes all mounts, then a second user namespace removes that right. */
function withMounts(access: Access): string[] {
  const [user, group] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0];
  const asOneself = `/usr/bin/unshare --user --map-user=${user} --map-group=${group} -- "$0" "$@"`;
  return [...rootOfMounts, '/bin/sh', '-c', `${mounting(access).join(' &&\n')} &&\nexec ${asOneself}`];
}

const rootOfMounts =
  '/usr/bin/unshare --user --map-root-user --mount --net --pid --ipc --fork --kill-child --'.split(' ');

/** Size limit of each private folder, which lives in memory. */
const tmpfs = 'mount -t tmpfs -o size=256m,mode=755 tmpfs';

function mounting(access: Access): string[] {
  const covered = privateFolders();
  const shown = shownIn(covered, access);
  const mounts = mountPoints();
  // covering a folder hides its files, so each is kept below /proc, which is mounted last
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
    // the machine's root could change kernel settings there
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

/** The mount point: a file or a folder. */
function made(source: string, target: string): string[] {
  const word = shellWord(target);
  if (statSync(source).isDirectory()) return [`mkdir -p ${word}`];
  return [`mkdir -p ${shellWord(path.dirname(target))}`, `{ [ -e ${word} ] || : > ${word}; }`];
}

interface MountPoint {
  readonly place: string;
  /** Mount flags that only the machine's root may remove: `,nosuid,nodev,relatime`. */
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

/** What stays visible in the covered folders, parents before children. */
function shownIn(covered: readonly string[], { folder, read, write = [] }: Access): string[] {
  return [...new Set([...read, ...write, folder].flatMap(asItIsNamed))]
    .filter((file) => covered.some((above) => isBelow(file, above)))
    .toSorted((one, two) => one.length - two.length);
}

function written({ write = [] }: Access): string[] {
  return write.filter((file) => existsSync(file));
}

/** Each with a flag: whether it is a folder. */
function hiddenIn({ hidden = [] }: Access): [file: string, isFolder: boolean][] {
  return hidden.filter((file) => existsSync(file)).map((file) => [file, statSync(file).isDirectory()]);
}

/** Home and temporary folders, sockets and service data. */
function privateFolders(): string[] {
  const places = ['/tmp', '/var', '/home', '/root', '/run', os.tmpdir(), homeFolder()];
  const real = places.filter((place) => existsSync(place)).map((place) => realpathSync(place));
  return [...new Set(real)].filter(
    (place) => place !== '/' && !real.some((other) => other !== place && isBelow(place, other)),
  );
}

/** By the name that the program uses and by its resolved name; empty if it does not exist. */
function asItIsNamed(file: string): string[] {
  const place = path.resolve(file);
  return existsSync(place) ? [place, realpathSync(place)] : [];
}

function isBelow(file: string, folder: string): boolean {
  return file === folder || file.startsWith(`${folder}/`);
}
