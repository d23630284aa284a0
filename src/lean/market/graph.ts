import type { TicketRequestRow, TicketRow } from '../../shared/ledger.ts';
import type { TicketStatus } from '../../shared/events.ts';
import { dotText } from '../base/dot.ts';

/** Open tickets have a border only; the others are filled. */
const fills: Readonly<Partial<Record<TicketStatus, string>>> = {
  claimed: '#A3D6FF',
  completed: '#9CEC8B',
  refuted: '#FFB3A7',
  merged: '#DDDDDD',
};

/**
 * Tickets and the goals that wait for them, in DOT: an arrow leads from a lemma to the goal that needs it. A
 * dashed arrow leads from a
 * more general lemma to one that follows from it.
 */
export function marketDot(tickets: readonly TicketRow[], requests: readonly TicketRequestRow[]): string {
  const drawn = new Set(tickets.map(({ ticket_id }) => ticket_id));
  const asked = requests.filter(({ ticket_id }) => drawn.has(ticket_id));
  const edges = [
    ...asked.map(({ ticket_id, requester }) => [ticket_id, waiting(requester), '']),
    ...tickets.flatMap(({ ticket_id, dependencies }) =>
      dependencies.filter((one) => drawn.has(one)).map((one) => [one, ticket_id, '']),
    ),
    ...tickets.flatMap(({ ticket_id, merged_into }) =>
      merged_into !== null && drawn.has(merged_into) ? [[merged_into, ticket_id, ' [style=dashed]']] : [],
    ),
  ].map(([from = '', to = '', style = '']) => `${dotText(from)} -> ${dotText(to)}${style};`);
  const lines = [
    ...tickets.map((ticket) => ticketNode(ticket)),
    ...[...new Set(asked.map(({ requester }) => requester))].map(
      (requester) => `${dotText(waiting(requester))} [label=${dotText(requester)}, shape=box];`,
    ),
    ...new Set(edges),
  ];
  return ['digraph {', '  node [penwidth=1.8];', ...lines.map((line) => `  ${line}`), '}', ''].join('\n');
}

/** A goal may have the name of a ticket. */
const waiting = (requester: string): string => `waits: ${requester}`;

function ticketNode({
  ticket_id,
  suggested_name,
  goal,
  status,
  counterexample,
  cpu_seconds,
}: TicketRow): string {
  const fill = fills[status];
  const about = [
    `${ticket_id}, ${status}, ${cpu_seconds.toFixed(1)} CPU-s`,
    goal,
    ...(counterexample === null ? [] : [`false: ${counterexample}`]),
  ];
  const attributes = [
    `label=${dotText(suggested_name)}`,
    `tooltip=${dotText(about.join('\n'))}`,
    ...(fill === undefined ? [] : ['style=filled', `fillcolor=${dotText(fill)}`]),
  ];
  return `${dotText(ticket_id)} [${attributes.join(', ')}];`;
}
