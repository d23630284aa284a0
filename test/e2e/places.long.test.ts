import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { packageRoot } from '../../src/config/package.ts';
import { cloneInto } from '../helpers/clone.ts';
import { sharedFolder, temporaryFolder } from '../helpers/folders.ts';
import { run, type Finished } from '../helpers/orch.ts';

/** The places where users put a clone: each runs what a newcomer does first. */
interface Place {
  readonly name: string;
  /** How programs are started there. */
  readonly start: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
}

const folder = sharedFolder();
const clone = path.join(folder, 'a clone');
/** `nobody`, on every Linux. */
const ordinary = 65_534;
const isRoot = process.getuid?.() === 0;

beforeAll(() => {
  chmodSync(folder, 0o755);
  cloneInto(clone);
  const modules = [path.join(packageRoot, 'node_modules'), path.join(clone, 'node_modules')];
  // links where the file system allows them: it is a gigabyte
  execFileSync('sh', ['-c', 'cp -al "$1" "$2" 2>/dev/null || cp -a "$1" "$2"', 'sh', ...modules]);
});

function homeWithSpaces(): string {
  const parent = temporaryFolder();
  chmodSync(parent, 0o755);
  const home = path.join(parent, 'Zoë Müller, 山田');
  mkdirSync(home);
  if (isRoot) chownSync(home, ordinary, ordinary);
  return home;
}

/** Starts a program with a folder mounted again, read-only: root could write to one without write permission. */
function withReadOnly(mounted: string): string[] {
  const script = 'mount --bind "$1" "$1" && mount -o remount,ro,bind "$1" && shift && exec "$@"';
  const namespaces = isRoot ? ['--mount'] : ['--user', '--map-root-user', '--mount'];
  return ['unshare', ...namespaces, 'sh', '-c', script, 'sh', mounted];
}

const places: readonly (readonly [name: string, make: () => Place])[] = [
  [
    'an ordinary user whose home folder has spaces and non-ASCII letters',
    () => ({
      name: 'ordinary',
      start: isRoot ? ['setpriv', `--reuid=${ordinary}`, `--regid=${ordinary}`, '--clear-groups'] : [],
      env: { HOME: homeWithSpaces(), XDG_CACHE_HOME: undefined, ORCH_CACHE_DIR: undefined },
    }),
  ],
  ['a read-only checkout', () => ({ name: 'read-only', start: withReadOnly(clone), env: {} })],
  ['root', () => ({ name: 'root', start: isRoot ? [] : ['unshare', '--user', '--map-root-user'], env: {} })],
];

const claim = ['check', '--stmt', 'theorem t (a b : Nat) : a + b = b + a', '--proof', 'by omega'];

test.each(places)('the first commands work for %s', async (_, make) => {
  const place = make();
  const cwd = projectOf(place);
  const orch = async (...args: string[]): Promise<Finished> => {
    const [command = '', ...rest] = [
      ...place.start,
      process.execPath,
      path.join(clone, 'bin/orch.js'),
      ...args,
    ];
    return await run(command, rest, { cwd, env: { ...place.env, ORCH_LEAN: 'embedded' } });
  };
  expect(await orch('tour')).toMatchObject({ code: 0 });
  expect(await orch(...claim)).toMatchObject({ code: 0 });
  const proved = await orch('run', 'Basics.lean');
  expect([proved.code, proved.stdout]).toEqual([1, expect.stringContaining('4 of 5 solved')]);
  expect(await orch('check', 'Above.lean')).toMatchObject({ code: 0 });
  expect(await orch('stats')).toMatchObject({ code: 0 });
  // all that a command leaves in a project is in .orch
  const own = new Set(['.orch', 'Above.lean', 'Basics.lean', 'Below.lean']);
  expect(readdirSync(cwd).filter((name) => !own.has(name))).toEqual([]);
});

function projectOf({ name }: Place): string {
  const cwd = temporaryFolder();
  writeFileSync(path.join(cwd, 'Below.lean'), 'def two : Nat := 2\n');
  writeFileSync(path.join(cwd, 'Above.lean'), 'import Below\n\ntheorem good : two = 2 := rfl\n');
  cpSync(path.join(packageRoot, 'docs/tour/Basics.lean'), path.join(cwd, 'Basics.lean'));
  if (name === 'ordinary' && isRoot) {
    chownSync(cwd, ordinary, ordinary);
    for (const file of readdirSync(cwd)) chownSync(path.join(cwd, file), ordinary, ordinary);
  }
  return cwd;
}
