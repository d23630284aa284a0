import { accessSync, constants, statSync } from 'node:fs';
import path from 'node:path';
import { endedTrust } from '../config/trust.ts';

type Variables = Readonly<Record<string, string | undefined>>;

/** The program of this name on PATH. */
export function findProgram(name: string, searchPath = ''): string | undefined {
  return absoluteFolders(searchPath)
    .map((folder) => path.join(folder, name))
    .find((file) => isProgram(file));
}

/** A relative or empty entry of PATH would find programs in the current checkout, so it is skipped. */
function absoluteFolders(searchPath: string): string[] {
  return searchPath.split(path.delimiter).filter((folder) => path.isAbsolute(folder));
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/** Variables that any program may need and that are not secret; all others are withheld. */
const everyProgram = [
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'SHELL',
  'TMPDIR',
  'TZ',
  'LANG',
  'LC_ALL',
  'LC_CTYPE',
];

/** The environment of a child program: a fixed list, plus the variables that it needs. */
export function cleanEnvironment(
  environment: Variables,
  more: readonly string[] = [],
): Record<string, string> {
  return Object.fromEntries(
    [...everyProgram, ...more].flatMap((name) => {
      const value = environment[name];
      if (value === undefined) return [];
      // the started program may look up other programs
      return [[name, name === 'PATH' ? absoluteFolders(value).join(path.delimiter) : value]];
    }),
  );
}

/** Why a program must not start that files of these folders, or of the current one, may have chosen. */
export function refusalToStart(program: string, ...folders: readonly string[]): string | undefined {
  const why = endedTrust(process.cwd(), ...folders);
  return why === undefined ? undefined : `${program} is not started: ${why}`;
}
