import type { Clock } from '../../core/clock.ts';
import type { TicketStatus } from '../../shared/events.ts';
import type { TicketRow } from '../../shared/ledger.ts';
import type { Tickets } from '../ledger/ledger.ts';
import type { Database } from './database.ts';

export class PostgresTickets implements Tickets {
  readonly #database: Database;
  readonly #clock: Clock;

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  async all(): Promise<TicketRow[]> {
    return await this.#database.all(
      `${asTheyStand} ORDER BY CASE status WHEN 'open' THEN 0 WHEN 'claimed' THEN 1 ELSE 2 END, priority DESC, seq`,
      this.#now(),
    );
  }

  async counts(): Promise<Record<TicketStatus, number>> {
    return await selectTicketCounts(this.#database, this.#now());
  }

  async ticket(id: string): Promise<TicketRow | undefined> {
    const [ticket] = await this.#database.all<TicketRow>(
      `${asTheyStand} WHERE ticket_id = $2`,
      this.#now(),
      id,
    );
    return ticket;
  }

  async ofGoal(goalHash: string): Promise<TicketRow[]> {
    return await this.#database.all(
      `${asTheyStand} WHERE goal_hash = $2 ORDER BY seq DESC`,
      this.#now(),
      goalHash,
    );
  }

  async like(text: string, limit: number): Promise<TicketRow[]> {
    return await selectTicketsLike(this.#database, this.#now(), text, limit);
  }

  #now(): number {
    return this.#clock.date().getTime();
  }
}

/** The newest claim counts, until it expires, and the first completion. Ties in priority go to the older ticket. */
const standing = `SELECT tickets.seq, tickets.ticket_id, tickets.goal, goal_hash, context, environment, suggested_name, constraints,
    priority,
    CASE WHEN completed_proof IS NOT NULL THEN 'completed' WHEN claim.expires > $1::bigint THEN 'claimed' ELSE 'open' END
      AS status,
    requester, dependencies, completed_proof, opened,
    (SELECT run FROM goals WHERE goals.run = (SELECT run FROM events WHERE events.seq = tickets.seq)
      AND goals.goal = requester) AS run,
    CASE WHEN completed_proof IS NOT NULL THEN done.claimant WHEN claim.expires > $1::bigint THEN claim.claimant END
      AS claimant,
    CASE WHEN completed_proof IS NULL AND claim.expires > $1::bigint THEN claim.expires END AS expires, assurance
  FROM tickets
  LEFT JOIN ticket_completions AS done
    ON done.seq = (SELECT min(seq) FROM ticket_completions WHERE ticket_completions.ticket_id = tickets.ticket_id)
  LEFT JOIN ticket_claims AS claim
    ON claim.seq = (SELECT max(seq) FROM ticket_claims WHERE ticket_claims.ticket_id = tickets.ticket_id)`;
const asTheyStand = `SELECT ticket_id, goal, goal_hash, context, environment, suggested_name, constraints, priority, status,
    requester, dependencies, completed_proof, opened, run, claimant, expires, assurance
  FROM (${standing}) AS standing`;

async function selectTicketCounts(database: Database, now: number): Promise<Record<TicketStatus, number>> {
  const rows = await database.all<{ status: TicketStatus; count: number }>(
    `SELECT status, count(*) AS count FROM (${standing}) AS standing GROUP BY status`,
    now,
  );
  const counts = { open: 0, claimed: 0, completed: 0 };
  for (const { status, count } of rows) counts[status] = count;
  return counts;
}

/** BM25 over the tickets that share a word, with the weights of SQLite's FTS5 (k1 1.2, b 0.75): the same order in both. */
const alike = `WITH counted AS (SELECT count(*) AS tickets, avg(cardinality(words_of(goal))) AS usual FROM ticket_text),
  asked AS (SELECT DISTINCT unnest(words_of($2)) AS word),
  shared AS (
    SELECT seq, word, cardinality(words_of(goal)) AS length,
      (SELECT count(*) FROM unnest(words_of(goal)) AS its WHERE its = word) AS often
    FROM ticket_text, asked WHERE words_of(goal) @> ARRAY[word]),
  weighed AS (
    SELECT word, greatest(1e-6, ln((tickets - count(*) + 0.5) / (count(*) + 0.5))) AS weight
    FROM shared, counted GROUP BY word, tickets)
  SELECT seq AS number, sum(weight * often * 2.2 / (often + 1.2 * (0.25 + 0.75 * length / usual))) AS score
  FROM shared JOIN weighed USING (word), counted GROUP BY seq`;

async function selectTicketsLike(
  database: Database,
  now: number,
  text: string,
  limit: number,
): Promise<TicketRow[]> {
  return await database.all(
    `${asTheyStand} JOIN (${alike}) AS alike ON number = seq ORDER BY score DESC, seq LIMIT $3`,
    now,
    text,
    limit,
  );
}
