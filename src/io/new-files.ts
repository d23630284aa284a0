import { lstatSync, mkdirSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { UserError, codeOf, messageOf } from '../core/errors.ts';

export interface NewFile {
  /** Relative to the folder, with `/`. */
  readonly file: string;
  readonly text: string;
}

/** What was created; folders in order of creation. */
export interface Created {
  readonly files: readonly string[];
  readonly folders: readonly string[];
}

/**
 * Creates files below a folder, all of them or none. Existing files are never changed: a taken name, even a dangling link, is an error, and no link is followed on the way.
 */
export function createFiles(folder: string, files: readonly NewFile[]): Created {
  const created: { files: string[]; folders: string[] } = { files: [], folders: [] };
  let current = '';
  try {
    for (const { file, text } of files) {
      current = file;
      for (const above of foldersAbove(file)) if (makeFolder(folder, above)) created.folders.push(above);
      writeFileSync(path.join(folder, file), text, { flag: 'wx' });
      created.files.push(file);
    }
  } catch (error) {
    removeFiles(folder, created);
    throw new UserError(
      'unwritable',
      `cannot create ${path.join(folder, current)}: ${messageOf(error)}`,
      'Nothing was written.',
      { cause: error },
    );
  }
  return created;
}

/** Removes created files, and created folders that are then empty. */
export function removeFiles(folder: string, { files, folders }: Created): void {
  for (const file of files) rmSync(path.join(folder, file), { force: true });
  for (const one of folders.toReversed())
    try {
      rmdirSync(path.join(folder, one));
    } catch {
      // not empty or already gone: not ours to remove
    }
}

/** Whether this is a plain file reached without following links. */
export function isPlainFile(folder: string, file: string): boolean {
  const isFolder = (above: string): boolean => entryOf(folder, above)?.isDirectory() === true;
  return foldersAbove(file).every(isFolder) && entryOf(folder, file)?.isFile() === true;
}

/** Whether the name is taken, even by a dangling link. */
export function isTaken(folder: string, file: string): boolean {
  return entryOf(folder, file) !== undefined;
}

function entryOf(folder: string, name: string): ReturnType<typeof lstatSync> | undefined {
  try {
    return lstatSync(path.join(folder, name), { throwIfNoEntry: false });
  } catch (error) {
    // a parent is a file
    if (codeOf(error) === 'ENOTDIR') return undefined;
    throw error;
  }
}

function makeFolder(folder: string, name: string): boolean {
  const found = entryOf(folder, name);
  if (found?.isDirectory() === true) return false;
  if (found) throw new Error(`${name} is not a folder`);
  mkdirSync(path.join(folder, name));
  return true;
}

/** `a/b/c.txt` → `a`, `a/b` */
function foldersAbove(file: string): string[] {
  const parts = file.split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}
