import { forPeople } from '../shared/for-people.ts';
import type { TicketRow } from '../shared/ledger.ts';
import { alignColumns } from './format.ts';
import { cut, oneLine } from './width.ts';

export function ticketTable(tickets: readonly TicketRow[]): string {
  return alignColumns([
    ['ticket', 'priority', 'status', 'wanted by', 'goal'],
    ...tickets.map(({ ticket_id, priority, status, requester, goal }) => [
      ticket_id,
      priority.toFixed(2),
      status,
      requester,
      cut(oneLine(goal), 80),
    ]),
  ]);
}

export function describeTicket(ticket: TicketRow): string {
  const until = ticket.expires === null ? '' : ` until ${new Date(ticket.expires).toISOString()}`;
  const who = ticket.claimant === null ? '' : ` by ${ticket.claimant}${until}`;
  const rows = [
    ['goal', ticket.goal],
    ['kind', ticket.kind === 'lemma' ? '' : ticket.kind],
    ['status', `${ticket.status}${who}`],
    ['priority', String(ticket.priority)],
    ['wanted by', ticket.requester],
    ['constraints', ticket.constraints.join(', ')],
    ['depends on', ticket.dependencies.join(', ')],
    ['proof', ticket.completed_proof ?? ''],
    ['assurance', ticket.assurance ?? ''],
    ['counterexample', ticket.counterexample ?? ''],
    ['follows from', ticket.merged_into ?? ''],
    ['cost', ticket.cpu_seconds === 0 ? '' : `${ticket.cpu_seconds.toFixed(1)} CPU-s`],
  ]
    .filter(([, value]) => value !== '')
    // one table line per line of the goal or proof
    .flatMap(([name = '', value = '']) =>
      value.split('\n').map((line, index) => [index === 0 ? `  ${name}` : '', line]),
    );
  return `${forPeople(ticket.ticket_id)}\n${alignColumns(rows)}`;
}
