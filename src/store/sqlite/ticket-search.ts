import type { TicketSearch } from '../ledger/reads/tickets.ts';

/** FTS5: any of the words. */
export const sqliteTicketSearch: TicketSearch = {
  alike: `JOIN ticket_text ON ticket_text.rowid = standing.seq
    WHERE ticket_text MATCH $2 ORDER BY ticket_text.rank LIMIT $3`,
  asked(text) {
    const words = [...new Set(text.match(/[\p{L}\p{N}]+/gu))];
    return words.length === 0 ? undefined : words.map((word) => `"${word}"`).join(' OR ');
  },
};
