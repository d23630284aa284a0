import { UserError } from '../../core/errors.ts';
import { LedgerConflict } from '../ledger/ledger.ts';

/** SQLite's primary result codes that a user can act on. */
const explanations: Readonly<Record<number, readonly [code: string, what: string, hint: string]>> = {
  5: [
    'ledger-busy',
    'is being written to by another process',
    'Wait for it to finish, or name another file with --ledger.',
  ],
  8: ['ledger-read-only', 'cannot be written to', 'Check the permissions of the file and of its folder.'],
  10: ['ledger-unreadable', 'could not be read or written', 'Check the disk.'],
  11: [
    'ledger-corrupt',
    'is damaged',
    'Restore a copy, or move it away and start with an empty one; orch has not changed it.',
  ],
  13: ['disk-full', 'cannot grow: the disk is full', 'Free some space; everything recorded so far is kept.'],
  14: ['ledger-unreadable', 'cannot be opened', 'Check the path and the permissions.'],
  26: [
    'not-a-ledger',
    'is not a ledger',
    'Name another file with --ledger or ORCH_LEDGER; orch has not changed it.',
  ],
};
const constraint = 19;

/** Runs work against SQLite and translates its errors. */
export function withSqliteErrors<Result>(file: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw translate(file, error);
  }
}

function translate(file: string, error: unknown): unknown {
  if (isFileError(error))
    return new UserError(
      'ledger-unreadable',
      `the ledger ${file} cannot be opened (${error.message})`,
      'Check the path and the permissions.',
      { cause: error },
    );
  if (!isSqliteError(error)) return error;
  const primary = error.errcode & 0xff;
  if (primary === constraint) return new LedgerConflict(error.message, { cause: error });
  const known = explanations[primary];
  if (known === undefined) return error;
  const [code, what, hint] = known;
  return new UserError(code, `the ledger ${file} ${what} (${error.message})`, hint, { cause: error });
}

function isSqliteError(error: unknown): error is Error & { errcode: number } {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number';
}

/** Errors of the operating system when creating the file. */
function isFileError(error: unknown): error is Error {
  return error instanceof Error && 'syscall' in error;
}
