import { UserError, codeOf } from '../../core/errors.ts';
import { replaceFile } from '../../io/whole-file.ts';

/** Writes lines of JSON atomically. A full disk is a user error: the ledger has the results. */
export function writeRows(file: string, rows: Iterable<unknown>): void {
  try {
    replaceFile(file, Array.from(rows, (row) => `${JSON.stringify(row)}\n`).join(''));
  } catch (error) {
    const code = codeOf(error);
    if (code !== 'ENOSPC' && code !== 'EDQUOT' && code !== 'EFBIG') throw error;
    throw new UserError(
      'ARC_DISK_FULL',
      `the disk is full: cannot write ${file}`,
      'Free some space, then run the same command with --resume; finished tasks are skipped.',
      { cause: error },
    );
  }
}
