import path from 'node:path';
import { withoutSecrets } from '../../core/secrets.ts';

/** The URL of a ledger in PostgreSQL; everything else is a file name. */
export function isPostgresUrl(place: string): boolean {
  return /^postgres(ql)?:\/\//.test(place);
}

/** The absolute location of the ledger. File names are relative to the working folder. */
export function placeOf(named: string): string {
  return isPostgresUrl(named) ? named : path.resolve(named);
}

/** For messages and pages: without the password, wherever it is in the URL. */
export function withoutPassword(place: string): string {
  // PostgreSQL URLs have no fragment, so this is part of a password that was not encoded
  return isPostgresUrl(place) ? withoutSecrets(place).replace(/#.*/s, '') : place;
}
