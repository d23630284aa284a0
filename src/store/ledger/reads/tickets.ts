import type { Clock } from '../../../core/clock.ts';
import type { TicketStatus } from '../../../shared/events.ts';
import type { TicketRow } from '../../../shared/ledger.ts';
import type { Tickets } from '../ledger.ts';
import type { Reader } from './reader.ts';

/** Full-text search; each database has its own implementation. */
export interface TicketSearch {
  /** The SQL after the tickets: `$2` is the text from `asked`, `$3` the limit; most similar first. */
  readonly alike: string;
  /** Undefined if there is nothing to search for. */
  asked(text: string): string | undefined;
}

const json = ['context', 'environment', 'constraints', 'dependencies'];

export function ledgerTickets({ rows }: Reader, search: TicketSearch, clock: Clock): Tickets {
  const now = (): number => clock.date().getTime();
  const select = async (rest: string, ...values: readonly (string | number)[]): Promise<TicketRow[]> =>
    await rows(`${asTheyStand} ${rest}`, [now(), ...values], json);
  return {
    all: async () =>
      await select(
        "ORDER BY CASE status WHEN 'open' THEN 0 WHEN 'claimed' THEN 1 ELSE 2 END, priority DESC, standing.seq",
      ),
    ticket: async (id) => (await select('WHERE ticket_id = $2', id))[0],
    ofGoal: async (goalHash) => await select('WHERE goal_hash = $2 ORDER BY standing.seq DESC', goalHash),
    like: async (text, limit) => {
      const asked = search.asked(text);
      return asked === undefined ? [] : await select(search.alike, asked, limit);
    },
    async counts() {
      const counts: Record<TicketStatus, number> = { open: 0, claimed: 0, completed: 0 };
      const found = await rows<{ status: TicketStatus; count: number }>(
        `SELECT status, count(*) AS count FROM (${standing}) AS standing GROUP BY status`,
        [now()],
      );
      for (const { status, count } of found) counts[status] = count;
      return counts;
    },
  };
}

/** The newest unexpired claim counts, and the first completion. At equal priority the older ticket comes first. */
const standing = `SELECT tickets.seq, tickets.ticket_id, tickets.goal, goal_hash, context, environment, suggested_name, constraints,
    priority,
    CASE WHEN completed_proof IS NOT NULL THEN 'completed' WHEN claim.expires > CAST($1 AS bigint) THEN 'claimed'
      ELSE 'open' END AS status,
    requester, dependencies, completed_proof, opened,
    (SELECT run FROM goals WHERE goals.run = (SELECT run FROM events WHERE events.seq = tickets.seq)
      AND goals.goal = requester) AS run,
    CASE WHEN completed_proof IS NOT NULL THEN done.claimant WHEN claim.expires > CAST($1 AS bigint) THEN claim.claimant END
      AS claimant,
    CASE WHEN completed_proof IS NULL AND claim.expires > CAST($1 AS bigint) THEN claim.expires END AS expires, assurance
  FROM tickets
  LEFT JOIN ticket_completions AS done
    ON done.seq = (SELECT min(seq) FROM ticket_completions WHERE ticket_completions.ticket_id = tickets.ticket_id)
  LEFT JOIN ticket_claims AS claim
    ON claim.seq = (SELECT max(seq) FROM ticket_claims WHERE ticket_claims.ticket_id = tickets.ticket_id)`;
const asTheyStand = `SELECT ticket_id, standing.goal, goal_hash, context, environment, suggested_name, constraints, priority,
    status, requester, dependencies, completed_proof, opened, run, claimant, expires, assurance
  FROM (${standing}) AS standing`;
