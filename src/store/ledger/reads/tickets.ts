import type { Clock } from '../../../core/clock.ts';
import type { TicketStatus } from '../../../shared/events.ts';
import type { TicketRequestRow, TicketRow } from '../../../shared/ledger.ts';
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
        "ORDER BY CASE status WHEN 'open' THEN 0 WHEN 'claimed' THEN 1 WHEN 'completed' THEN 2 ELSE 3 END, priority DESC, standing.seq",
      ),
    ticket: async (id) => (await select('WHERE ticket_id = $2', id))[0],
    ofGoal: async (goalHash) => await select('WHERE goal_hash = $2 ORDER BY standing.seq DESC', goalHash),
    like: async (text, limit) => {
      const asked = search.asked(text);
      return asked === undefined ? [] : await select(search.alike, asked, limit);
    },
    async counts() {
      const counts = { open: 0, claimed: 0, completed: 0, refuted: 0, merged: 0 };
      const found = await rows<{ status: TicketStatus; count: number }>(
        `SELECT status, count(*) AS count FROM (${standing}) AS standing GROUP BY status`,
        [now()],
      );
      for (const { status, count } of found) counts[status] = count;
      return counts;
    },
    requests: async () => await rows<TicketRequestRow>(requests, []),
    pins: async () => (await rows<{ name: string }>(pinned, [])).map(({ name }) => name),
  };
}

/**
 * The newest claim counts, until it expires, and the first completion. A proved lemma cannot be false. If a
 * lemma turns out to be false, tickets merged into it are independent again. Ties in priority go to the older
 * ticket.
 */
const standing = `SELECT tickets.seq, tickets.ticket_id, tickets.kind, tickets.goal, tickets.goal_hash, context, environment,
    suggested_name, constraints, tickets.priority,
    CASE WHEN completed_proof IS NOT NULL THEN 'completed' WHEN counterexample IS NOT NULL THEN 'refuted'
      WHEN merger.into_ticket IS NOT NULL THEN 'merged' WHEN claim.expires > CAST($1 AS bigint) THEN 'claimed'
      ELSE 'open' END AS status,
    tickets.requester, dependencies, completed_proof, opened, counterexample, merger.into_ticket AS merged_into,
    (SELECT run FROM goals WHERE goals.run = (SELECT run FROM events WHERE events.seq = tickets.seq)
      AND goals.goal = tickets.requester) AS run,
    CASE WHEN completed_proof IS NOT NULL THEN done.claimant WHEN claim.expires > CAST($1 AS bigint) THEN claim.claimant END
      AS claimant,
    CASE WHEN completed_proof IS NULL AND claim.expires > CAST($1 AS bigint) THEN claim.expires END AS expires, assurance,
    ${cost('tickets.ticket_id')} AS cpu_seconds
  FROM tickets
  LEFT JOIN ticket_completions AS done
    ON done.seq = (SELECT min(seq) FROM ticket_completions WHERE ticket_completions.ticket_id = tickets.ticket_id)
  LEFT JOIN ticket_refutations AS refutation
    ON refutation.seq = (SELECT min(seq) FROM ticket_refutations WHERE ticket_refutations.ticket_id = tickets.ticket_id)
  LEFT JOIN ticket_mergers AS merger
    ON merger.seq = (SELECT max(seq) FROM ticket_mergers WHERE ticket_mergers.ticket_id = tickets.ticket_id
      AND NOT EXISTS (SELECT 1 FROM ticket_refutations WHERE ticket_refutations.ticket_id = into_ticket))
  LEFT JOIN ticket_claims AS claim
    ON claim.seq = (SELECT max(seq) FROM ticket_claims WHERE ticket_claims.ticket_id = tickets.ticket_id)`;
const asTheyStand = `SELECT ticket_id, kind, standing.goal, goal_hash, context, environment, suggested_name, constraints, priority,
    status, requester, dependencies, completed_proof, opened, run, claimant, expires, assurance, counterexample, merged_into,
    cpu_seconds
  FROM (${standing}) AS standing`;

/** The goals that runs have made of a ticket have its number. */
function cost(ticket: string): string {
  return `(SELECT coalesce(sum(cpu_seconds), 0.0) FROM goals JOIN goal_status USING (run, goal)
      WHERE goals.goal = ${ticket} AND topic = 'lemma')`;
}

/** Requesters with priority 0 share equally. */
const requests = `SELECT ticket_id, run, requester, priority, at,
    ${cost('asked.ticket_id')} * CASE WHEN sum(priority) OVER of_ticket > 0 THEN priority / sum(priority) OVER of_ticket
      ELSE 1.0 / count(*) OVER of_ticket END AS cpu_seconds
  FROM ticket_requests AS asked WINDOW of_ticket AS (PARTITION BY ticket_id) ORDER BY seq`;

const pinned = `SELECT name FROM pins WHERE is_pinned = 1
  AND seq = (SELECT max(seq) FROM pins AS later WHERE later.name = pins.name) ORDER BY seq`;
