import type { Settings } from '../config/schema.ts';
import { systemClock } from '../core/clock.ts';
import { Market } from '../lean/market/market.ts';
import { ledgerOf } from './ledger.ts';

export interface OpenMarket extends AsyncDisposable {
  readonly market: Market;
}

/** The market of a ledger; a missing one is created only for posting. */
export async function openMarket(
  settings: Settings,
  { create = false }: { readonly create?: boolean } = {},
): Promise<OpenMarket> {
  const ledger = await ledgerOf(settings, { create });
  return {
    market: new Market(ledger.tickets, ledger.journal, systemClock),
    [Symbol.asyncDispose]: async () => await ledger.close(),
  };
}
