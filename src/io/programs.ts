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

/** What any program may need, and what is not a secret: every other variable of ours stays with us. */
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

/** The environment of a program that we start: a fixed list, and the variables that this kind of program is for. */
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
