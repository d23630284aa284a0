import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Marketplace } from '../../src/shared/api.ts';
import type { TicketRow } from '../../src/shared/ledger.ts';
import { useAnswer, useData, useNow } from '../data/context.ts';
import { ago, count, moment } from '../data/format.ts';
import { unlockedBy } from '../data/unlocks.ts';
import { Card, Code, Empty, Figures, Shown } from '../parts/blocks.tsx';
import { State } from '../parts/marks.tsx';
import { href } from '../route.ts';
import { Heading } from './heading.tsx';

/** Requests for helper lemmas: the requester, the lemma, and who proved it. */
export function MarketView(): JSX.Element {
  const market = useAnswer(
    'market',
    async (source) => await source.marketplace(),
    ({ type }) => type.startsWith('ticket-'),
  );
  return (
    <>
      <Heading title="Market">Requested helper lemmas</Heading>
      <Shown answer={market}>{(value) => <Tickets market={value} />}</Shown>
    </>
  );
}

function Tickets({ market }: { market: Marketplace }): JSX.Element {
  const now = useNow();
  return (
    <div class="grid">
      <Card>
        <Figures
          figures={[
            { name: 'Open', value: count(market.open) },
            { name: 'Claimed', value: count(market.claimed) },
            { name: 'Completed', value: count(market.completed) },
            { name: 'Refuted', value: count(market.refuted) },
            { name: 'Merged', value: count(market.merged) },
          ]}
        />
      </Card>
      {market.tickets.length === 0 ? (
        <Card>
          <Empty title="No tickets">
            When three strategies or all arms have failed on a goal, a ticket asks for a lemma that would
            help.
          </Empty>
        </Card>
      ) : (
        market.tickets.map((ticket) => (
          <Ticket
            key={ticket.ticket_id}
            ticket={ticket}
            waiting={market.requests.filter(({ ticket_id }) => ticket_id === ticket.ticket_id)}
            unlocks={unlockedBy(ticket.ticket_id, market)}
            now={now}
          />
        ))
      )}
    </div>
  );
}

/** Makes a finished lemma a theorem of the project, on a separate branch. */
function Promote({ ticket }: { ticket: string }): JSX.Element | null {
  const { source } = useData();
  const [said, setSaid] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  if (!source.canControl) return null;
  const promote = async (): Promise<void> => {
    setBusy(true);
    setSaid('Promoting: this may take minutes');
    try {
      const { name, message } = await source.promote(ticket);
      setSaid(`${name}: ${message}`);
    } catch (error) {
      setSaid(error instanceof Error ? error.message : String(error));
    }
    setBusy(false);
  };
  return (
    <p>
      <button class="button" type="button" disabled={isBusy} onClick={() => void promote()}>
        Promote
      </button>{' '}
      <span class="quiet" role="status">
        {said ?? 'adds it to the project as a theorem, on a branch and with a pull request'}
      </span>
    </p>
  );
}

/** Links to the goal that waits for it; for other requesters, to goals that mention the name. */
function linkOf({ requester, run }: TicketRow): string {
  return run === null ? href(['goals'], { q: requester }) : href(['goals', requester], { run });
}

function Ticket({
  ticket,
  waiting,
  unlocks,
  now,
}: {
  ticket: TicketRow;
  waiting: Marketplace['requests'];
  unlocks: readonly string[];
  now: number;
}): JSX.Element {
  return (
    <Card
      class="w6"
      title={
        <span class="row">
          <State of={ticket.status} words={false} />
          {ticket.suggested_name}
        </span>
      }
      note={`${ticket.status}, priority ${ticket.priority.toFixed(2)}`}
    >
      <Code text={ticket.goal} label="lemma" copy lean />
      {ticket.completed_proof === null ? null : (
        <div style={{ marginTop: '8px' }}>
          <Code text={ticket.completed_proof} label="proof of the lemma" tone="good" copy lean />
        </div>
      )}
      {ticket.counterexample === null ? null : <p>False, for example: {ticket.counterexample}</p>}
      {ticket.merged_into === null ? null : <p>Follows from {ticket.merged_into}</p>}
      {ticket.cpu_seconds === 0 ? null : (
        <p>
          {ticket.cpu_seconds.toFixed(1)} CPU-s so far:{' '}
          {waiting.map((one) => `${one.requester} ${one.cpu_seconds.toFixed(1)}`).join(', ')}
        </p>
      )}
      {waiting.length < 2 ? null : <p>Waiting: {waiting.map(({ requester }) => requester).join(', ')}</p>}
      {unlocks.length === 0 || (ticket.status !== 'open' && ticket.status !== 'claimed') ? null : (
        <p>Would unlock: {unlocks.join(', ')}</p>
      )}
      {ticket.status === 'completed' ? <Promote ticket={ticket.ticket_id} /> : null}
      <p class="quiet" style={{ marginTop: '10px' }}>
        for{' '}
        <a class="link" href={linkOf(ticket)}>
          {ticket.requester}
        </a>
        , opened {ago(ticket.opened, now)}
        {ticket.claimant === null
          ? ''
          : ticket.status === 'completed'
            ? ` · by ${ticket.claimant}`
            : ` · claimed by ${ticket.claimant}`}
        {ticket.expires === null ? '' : ` until ${moment(ticket.expires, now)}`}
        {ticket.assurance === null ? '' : ` · ${ticket.assurance}`}
        {ticket.constraints.length === 0 ? '' : ` · ${ticket.constraints.join(', ')}`}
      </p>
    </Card>
  );
}
