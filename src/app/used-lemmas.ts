import type { Settings } from '../config/schema.ts';
import { theoremOf } from '../lean/market/lemma.ts';
import { containsHelper } from '../lean/promotion/by-name.ts';
import { promoteTickets, type PromotedAll } from '../lean/promotion/requests.ts';
import { recordStated } from '../lean/promotion/stated.ts';
import type { Yard } from '../lean/ship/shipments.ts';
import type { FileLean } from '../lean/writing/writer.ts';
import type { GoalDetail, TicketRow } from '../shared/ledger.ts';
import { ledgerOf } from './ledger.ts';
import { openMarket } from './market.ts';

/** Oldest first, because a lemma may use earlier ones. */
export async function finishedTickets(settings: Settings): Promise<TicketRow[]> {
  await using ledger = await ledgerOf(settings, { readOnly: true });
  const all = await ledger.tickets.all();
  return all.filter(({ status }) => status === 'completed').toSorted((one, two) => one.opened - two.opened);
}

/** Promotes the lemmas that proofs of the project contain: those of tickets, and those that a search has stated in a proof. */
export async function promoteUsed(
  settings: Settings,
  lean: FileLean,
  yard: Yard,
  solved: ReadonlyMap<string, readonly GoalDetail[]>,
): Promise<PromotedAll> {
  const goals = [...solved.values()].flat();
  await using open = await openMarket(settings);
  await recordStated(lean, open.market, yard, solved);
  const proofs = goals.flatMap(({ proofs: all }) => all.at(-1)?.proof ?? []);
  const isUsed = (ticket: TicketRow): boolean =>
    proofs.some((proof) => containsHelper(proof, theoremOf(ticket)));
  return await promoteTickets(lean, yard, (await finishedTickets(settings)).filter(isUsed), solved);
}
