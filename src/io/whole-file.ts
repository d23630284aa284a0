import { mkdirSync, renameSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { UserError } from '../core/errors.ts';

/** A file with this text, whole or not at all; one that was there keeps its permissions. */
export function writeWhole(file: string, text: string): void {
  const temporary = `${file}.${process.pid}.tmp`;
  try {
    mkdirSync(path.dirname(path.resolve(file)), { recursive: true });
    const mode = statSync(file, { throwIfNoEntry: false })?.mode;
    writeFileSync(temporary, text, { flush: true, ...(mode !== undefined && { mode }) });
    renameSync(temporary, file);
  } catch (error) {
    throw new UserError('unwritable', `cannot write ${file}: ${(error as Error).message}`, undefined, {
      cause: error,
    });
  }
}
