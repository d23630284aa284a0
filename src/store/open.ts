import type { Ledger, LedgerOptions } from './ledger/ledger.ts';
import { isPostgresUrl } from './ledger/place.ts';

/**
 * Opens the ledger at a place (`placeOf`), or creates it. All checks come before the first write: a damaged ledger, one of
 * another program and one of a newer orch stay unchanged.
 */
export async function openLedger(place: string, options: LedgerOptions): Promise<Ledger> {
  // loaded on demand, so that file ledgers do not load the PostgreSQL driver
  if (!isPostgresUrl(place)) return await (await import('./sqlite/open.ts')).openSqlite(place, options);
  return await (await import('./postgres/open.ts')).openPostgres(place, options);
}

/** Refuses an impossible location at once, leaving nothing behind. */
export async function refuseImpossible(
  place: string,
  { onWait }: Pick<LedgerOptions, 'onWait'> = {},
): Promise<void> {
  if (isPostgresUrl(place)) await (await import('./postgres/open.ts')).refuseImpossibleServer(place, onWait);
  else (await import('./sqlite/open.ts')).refuseImpossibleFile(place);
}
