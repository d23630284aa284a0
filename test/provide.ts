import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import path from 'node:path';
import * as tar from 'tar';
import { findProgram } from '../src/io/programs.ts';
import { findChromium } from './helpers/chromium.ts';
import { findPostgres } from './helpers/postgres.ts';
import { isOurs, postgresPackage, type BinaryPackage } from './helpers/provided.ts';

/**
 * Makes sure that the programs that the tests need are there: on PATH, from an npm package (PostgreSQL), or from apt-get.
 * Otherwise it ends with 2 and one line that says what to type.
 */
const needed = [
  { debian: 'git', find: () => findProgram('git', process.env['PATH']) },
  { debian: 'chromium', find: findChromium },
  { debian: 'postgresql', find: findPostgres },
];
const absent = () => needed.filter((program) => program.find() === undefined);

if (findPostgres() === undefined) unpackPostgres();
if (absent().length > 0) installFromDebian(absent().map((program) => program.debian));
if (absent().length > 0) {
  const packages = absent().map((program) => program.debian);
  say(`The tests need ${packages.join(' and ')}. Type: sudo apt-get install ${packages.join(' ')}`);
  process.exitCode = 2;
}

/** Where that fails, PostgreSQL is still absent afterwards. */
function unpackPostgres(): void {
  const place = postgresPackage();
  if (!place) return;
  const { from, folder } = place;
  say(`PostgreSQL is not installed: unpacking ${from.name} ${from.version} for the tests`);
  const parent = path.dirname(folder);
  mkdirSync(parent, { recursive: true, mode: 0o755 });
  if (!isOurs(parent)) return say(`${parent} is not ours alone: not used`);
  const work = mkdtempSync(path.join(parent, 'unpacking-'));
  try {
    if (!unpackPackage(from, work)) return;
    linkLibraries(path.join(work, 'package'));
    rmSync(folder, { recursive: true, force: true });
    renameSync(path.join(work, 'package'), folder);
    chmodSync(folder, 0o755);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function unpackPackage({ name, version, integrity }: BinaryPackage, folder: string): boolean {
  const packed = spawnSync(
    'npm',
    ['pack', `${name}@${version}`, '--prefer-offline', '--silent', '--pack-destination', folder],
    { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] },
  );
  if (packed.status !== 0) {
    say(`npm cannot download ${name} ${version}`);
    return false;
  }
  const tarball = path.join(folder, packed.stdout.trim());
  const found = `sha512-${createHash('sha512').update(readFileSync(tarball)).digest('base64')}`;
  if (found !== integrity) {
    say(`${name} ${version}: the package has another hash than expected (${found}); it is not used`);
    return false;
  }
  tar.extract({ file: tarball, cwd: folder, sync: true });
  return true;
}

/** npm packages cannot hold symbolic links; this one lists those that its install script would make. */
function linkLibraries(folder: string): void {
  const list = readFileSync(path.join(folder, 'native/pg-symlinks.json'), 'utf8');
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const link = path.join(folder, target);
    rmSync(link, { force: true });
    symlinkSync(path.relative(path.dirname(link), path.join(folder, source)), link);
  }
}

function installFromDebian(packages: readonly string[]): void {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return;
  say(`Installing ${packages.join(', ')} with apt-get`);
  for (const flags of [['update'], ['install', '-y', '--no-install-recommends', ...packages]])
    spawnSync('apt-get', ['-qq', ...flags], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    });
}

function say(text: string): void {
  process.stderr.write(`${text}\n`);
}
