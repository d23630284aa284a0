import { UserError } from '../../core/errors.ts';
import { LedgerConflict } from '../ledger/ledger.ts';

/** PostgreSQL's error codes, or prefixes, that a user can act on. */
const explanations: readonly (readonly [code: RegExp, name: string, what: string, hint: string])[] = [
  [/^(28|3D000)/, 'ledger-unreadable', 'cannot be opened', 'Check user, password and database of the URL.'],
  [/^ENOTFOUND/, 'ledger-unreadable', 'is on an unknown host', 'Check the host of the URL.'],
  [
    /^(42501|25006)/,
    'ledger-read-only',
    'cannot be written to',
    'Check the rights of the user that the URL names.',
  ],
  [
    /^53[1-2]/,
    'disk-full',
    'cannot grow: the disk is full',
    'Free some space; everything recorded so far is kept.',
  ],
  [/^XX00[12]/, 'ledger-corrupt', 'is damaged', 'Restore a copy; orch has not changed it.'],
];
const constraint = /^23/;
/** The server is starting or stopping, or the connection was lost. */
const lost =
  /^(57P0[1-5]|53300|08|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOENT|EAI_AGAIN)/;
const lostWords = /connection terminated|timeout exceeded when trying to connect|not queryable/i;

/** Runs work against PostgreSQL and translates its errors. */
export async function withPostgresErrors<Result>(
  ledger: string,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw translate(ledger, error);
  }
}

export function isLostConnection(error: unknown): boolean {
  return error instanceof UserError && error.code === 'ledger-unreachable';
}

function translate(ledger: string, error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  // without its cause, which contains the URL with the password
  if (code === 'ERR_INVALID_URL')
    return new UserError(
      'ledger-unreadable',
      `${ledger} is not a database address`,
      'Write postgres://USER:PASSWORD@HOST/DATABASE, and encode characters such as @, / and # of a password.',
    );
  if (constraint.test(code)) return new LedgerConflict(error.message, { cause: error });
  if (lost.test(code) || lostWords.test(error.message))
    return new UserError(
      'ledger-unreachable',
      `the ledger ${ledger} cannot be reached (${error.message || code})`,
      'Check that PostgreSQL is running there and accepts your user.',
      { cause: error },
    );
  const known = explanations.find(([pattern]) => pattern.test(code));
  if (!known) return error;
  const [, name, what, hint] = known;
  return new UserError(name, `the ledger ${ledger} ${what} (${error.message})`, hint, { cause: error });
}
