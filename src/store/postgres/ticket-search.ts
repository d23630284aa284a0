import type { TicketSearch } from '../ledger/reads/tickets.ts';

/**
 * BM25 over tickets that share a word, with the weights of SQLite's FTS5 (k1 1.2, b 0.75), so both databases give the same
 * order.
 */
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

export const postgresTicketSearch: TicketSearch = {
  alike: `JOIN (${alike}) AS alike ON number = standing.seq ORDER BY score DESC, standing.seq LIMIT $3`,
  asked: (text) => text,
};
