import { accessSync, constants, statSync } from 'node:fs';
import path from 'node:path';

type Variables = Readonly<Record<string, string | undefined>>;

/** The program of this name on PATH. A relative entry could find one in the current checkout, so it is skipped. */
export function findProgram(name: string, searchPath: string | undefined): string | undefined {
  return searchPath
    ?.split(path.delimiter)
    .filter((folder) => path.isAbsolute(folder))
    .map((folder) => path.join(folder, name))
    .find((file) => isProgram(file));
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
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
