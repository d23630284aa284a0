import type { Ticket } from '../../shared/events.ts';
import type { Clock } from '../clock.ts';
import type { Emit } from './attempt-log.ts';
import type { LemmaRequest } from './domain.ts';

/** A goal's lemma request as a ticket; a goal also waits for a ticket that is open elsewhere. */
export function lemmaTicket(
  { statement, name, columns }: LemmaRequest,
  asked: Pick<Ticket, 'ticket_id' | 'requester' | 'priority'>,
  similar: Ticket | undefined,
): Ticket {
  return {
    ...asked,
    goal: statement,
    ...columns,
    suggested_name: name,
    constraints: [],
    status: 'open',
    dependencies: similar ? [similar.ticket_id] : [],
    completed_proof: null,
  };
}

/** A run's name in claims: two runs never work on the same ticket. */
export const claimantOf = (run: string): string => `orch ${run}`;
/** The holder renews a claim while it works on the ticket; after this anyone can claim the ticket. */
export const claimSeconds = 60;
/** Twice before a claim ends. */
export const renewMs = 500 * claimSeconds;

/** Claims a ticket that the run is about to work on, so no other process starts on it. */
export function openTicket(emit: Emit, ticket: Ticket, run: string, clock: Pick<Clock, 'date'>): void {
  const expires = clock.date().getTime() + 1000 * claimSeconds;
  emit('ticket-opened', ticket);
  emit('ticket-claimed', { ticket_id: ticket.ticket_id, claimant: claimantOf(run), expires });
}
