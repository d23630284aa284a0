import { renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { makeFolders } from '../core/folders.ts';
import { UserError, messageOf } from '../core/errors.ts';

/** Writes a file atomically; an existing file keeps its permissions, a new one gets `newMode`. */
export function replaceFile(file: string, text: string | Uint8Array, newMode?: number): void {
  const draft = `${file}.${process.pid}.tmp`;
  try {
    makeFolders(path.dirname(path.resolve(file)));
    const mode = statSync(file, { throwIfNoEntry: false })?.mode ?? newMode;
    writeFileSync(draft, text, { flush: true, ...(mode !== undefined && { mode }) });
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

/** The same for a file that the user named, with user-facing errors. */
export function writeWhole(file: string, text: string): void {
  try {
    replaceFile(file, text);
  } catch (error) {
    throw new UserError('unwritable', `cannot write ${file}: ${messageOf(error)}`, undefined, {
      cause: error,
    });
  }
}
