import { mkdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { UserError, messageOf } from './errors.ts';

/** Makes a folder and its parents. Node's `recursive` never returns where a parent takes no folders, such as `/proc`. */
export function makeFolders(folder: string, mode?: number): void {
  try {
    makeMissing(path.resolve(folder), mode);
  } catch (error) {
    throw new UserError('unwritable', `cannot make the folder ${folder} (${messageOf(error)})`, undefined, {
      cause: error,
    });
  }
}

function makeMissing(folder: string, mode: number | undefined): void {
  if (isFolder(folder)) return;
  makeMissing(path.dirname(folder), mode);
  try {
    mkdirSync(folder, mode);
  } catch (error) {
    // another process may have made it
    if (!isFolder(folder)) throw error;
  }
}

function isFolder(place: string): boolean {
  return statSync(place, { throwIfNoEntry: false })?.isDirectory() === true;
}
