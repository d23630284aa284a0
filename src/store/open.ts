import type { Ledger, LedgerOptions } from './ledger/ledger.ts';
import { isPostgresUrl } from './ledger/place.ts';

/**
 * Opens the ledger at a place (`placeOf`), and makes it if there is none. Whatever is wrong with it is found before the first byte is
 * written: one that is damaged, that belongs to another program, or that a newer orch wrote is left as it is.
 */
export async function openLedger(place: string, options: LedgerOptions): Promise<Ledger> {
  // users of a file do not load the other database's driver
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
