import { theoremOf } from '../lean/market/lemma.ts';
import { containsHelper } from '../lean/promotion/by-name.ts';
import type { GoalDetail, HelperLemma } from '../shared/ledger.ts';
import type { Ledger } from '../store/ledger/ledger.ts';

/** The helper lemmas that a goal asked for or that its proof contains, oldest first. */
export async function helperLemmas({ tickets }: Ledger, goal: GoalDetail): Promise<HelperLemma[]> {
  const isOwn = ({ run, requester }: { run: string; requester: string }): boolean =>
    run === goal.run && requester === goal.goal;
  const shares = new Map(
    (await tickets.requests()).filter(isOwn).map((one) => [one.ticket_id, one.cpu_seconds]),
  );
  const proof = goal.proofs.at(-1)?.proof ?? '';
  return (await tickets.all())
    .map((ticket) => ({
      ticket,
      cpu_seconds: shares.get(ticket.ticket_id) ?? 0,
      is_in_proof: ticket.status === 'completed' && containsHelper(proof, theoremOf(ticket)),
    }))
    .filter(({ ticket, is_in_proof }) => is_in_proof || shares.has(ticket.ticket_id))
    .toSorted((one, two) => one.ticket.opened - two.ticket.opened);
}
