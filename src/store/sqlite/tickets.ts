import type { Clock } from '../../core/clock.ts';
import type { TicketStatus } from '../../shared/events.ts';
import type { TicketRow } from '../../shared/ledger.ts';
import type { Tickets } from '../ledger/ledger.ts';
import { decode, type Database, type Row } from './database.ts';

export class SqliteTickets implements Tickets {
  readonly #database: Database;
  readonly #clock: Clock;

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  async all(): Promise<TicketRow[]> {
    return selectTickets(this.#database, this.#now());
  }

  async counts(): Promise<Record<TicketStatus, number>> {
    return selectTicketCounts(this.#database, this.#now());
  }

  async ticket(id: string): Promise<TicketRow | undefined> {
    return selectTicket(this.#database, this.#now(), id);
  }

  async ofGoal(goalHash: string): Promise<TicketRow[]> {
    return selectTicketsOf(this.#database, this.#now(), goalHash);
  }

  async like(text: string, limit: number): Promise<TicketRow[]> {
    return selectTicketsLike(this.#database, this.#now(), text, limit);
  }

  #now(): number {
    return this.#clock.date().getTime();
  }
}

/** The newest claim counts, until it expires, and the first completion. Ties in priority go to the older ticket. */
const asTheyStand = `SELECT tickets.ticket_id, tickets.goal, goal_hash, context, environment, suggested_name, constraints, priority,
    iif(completed_proof IS NOT NULL, 'completed', iif(claim.expires > ?1, 'claimed', 'open')) AS status,
    requester, dependencies, completed_proof, opened,
    (SELECT run FROM goals WHERE goals.run = (SELECT run FROM events WHERE events.seq = tickets.seq)
      AND goals.goal = requester) AS run,
    iif(completed_proof IS NOT NULL, done.claimant, iif(claim.expires > ?1, claim.claimant, NULL)) AS claimant,
    iif(completed_proof IS NULL AND claim.expires > ?1, claim.expires, NULL) AS expires, assurance
  FROM tickets
  LEFT JOIN ticket_completions AS done
    ON done.seq = (SELECT min(seq) FROM ticket_completions WHERE ticket_completions.ticket_id = tickets.ticket_id)
  LEFT JOIN ticket_claims AS claim
    ON claim.seq = (SELECT max(seq) FROM ticket_claims WHERE ticket_claims.ticket_id = tickets.ticket_id)`;

function selectTickets(database: Database, now: number): TicketRow[] {
  return asTickets(
    database.all(
      `${asTheyStand} ORDER BY CASE status WHEN 'open' THEN 0 WHEN 'claimed' THEN 1 ELSE 2 END, priority DESC, tickets.seq`,
      now,
    ),
  );
}

function selectTicketCounts(database: Database, now: number): Record<TicketStatus, number> {
  const rows = database.all<{ status: TicketStatus; count: number }>(
    `SELECT status, count(*) AS count FROM (${asTheyStand}) GROUP BY status`,
    now,
  );
  const counts = { open: 0, claimed: 0, completed: 0 };
  for (const { status, count } of rows) counts[status] = count;
  return counts;
}

function selectTicket(database: Database, now: number, id: string): TicketRow | undefined {
  const [ticket] = asTickets(database.all(`${asTheyStand} WHERE tickets.ticket_id = ?2`, now, id));
  return ticket;
}

function selectTicketsOf(database: Database, now: number, goalHash: string): TicketRow[] {
  return asTickets(
    database.all(`${asTheyStand} WHERE goal_hash = ?2 ORDER BY tickets.seq DESC`, now, goalHash),
  );
}

function selectTicketsLike(database: Database, now: number, text: string, limit: number): TicketRow[] {
  const words = [...new Set(text.match(/[\p{L}\p{N}]+/gu))];
  if (words.length === 0) return [];
  return asTickets(
    database.all(
      `${asTheyStand} JOIN ticket_text ON ticket_text.rowid = tickets.seq
       WHERE ticket_text MATCH ?2 ORDER BY ticket_text.rank LIMIT ?3`,
      now,
      words.map((word) => `"${word}"`).join(' OR '),
      limit,
    ),
  );
}

function asTickets(rows: readonly Row[]): TicketRow[] {
  return decode(rows, 'context', 'environment', 'constraints', 'dependencies');
}
