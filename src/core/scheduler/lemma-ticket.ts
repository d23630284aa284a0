import type { Ticket } from '../../shared/events.ts';
import type { LemmaRequest } from './domain.ts';

/** A lemma that a goal asks for, as the market knows it; one that stands open elsewhere is waited for too. */
export function lemmaTicket(
  { statement, preamble, environment, name }: LemmaRequest,
  asked: Pick<Ticket, 'ticket_id' | 'requester' | 'priority'>,
  similar: Ticket | undefined,
): Ticket {
  return {
    ...asked,
    goal: statement,
    context: [preamble],
    environment: environment ?? null,
    suggested_name: name,
    constraints: [],
    status: 'open',
    dependencies: similar ? [similar.ticket_id] : [],
    completed_proof: null,
  };
}
