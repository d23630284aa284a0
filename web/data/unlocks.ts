import type { Marketplace } from '../../src/shared/api.ts';

/** The goals that wait for a lemma, directly or through other lemmas. */
export function unlockedBy(
  ticket: string,
  { tickets, requests }: Pick<Marketplace, 'tickets' | 'requests'>,
): string[] {
  const ids = new Set(tickets.map(({ ticket_id }) => ticket_id));
  const reached = new Set([ticket]);
  const goals = new Set<string>();
  // iterating a set includes elements added meanwhile
  for (const one of reached) {
    for (const { ticket_id, requester } of requests)
      if (ticket_id === one) (ids.has(requester) ? reached : goals).add(requester);
    for (const { ticket_id, dependencies, merged_into } of tickets)
      if (dependencies.includes(one) || merged_into === one) reached.add(ticket_id);
  }
  return [...goals];
}
