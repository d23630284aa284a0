import path from 'node:path';
import { withoutSecrets } from '../../core/secrets.ts';

/** A ledger's place in PostgreSQL, as a user names it; everything else names a file. */
export function isPostgresUrl(place: string): boolean {
  return /^postgres(ql)?:\/\//.test(place);
}

/** Where the ledger is, wherever the process goes: files are named from the working folder. */
export function placeOf(named: string): string {
  return isPostgresUrl(named) ? named : path.resolve(named);
}

/** For messages and pages: nobody reads the password, wherever in the address it is. */
export function withoutPassword(place: string): string {
  // PostgreSQL knows no fragment: there stands what should have been encoded
  return isPostgresUrl(place) ? withoutSecrets(place).replace(/#.*/s, '') : place;
}
