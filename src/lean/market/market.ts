import type { Clock } from '../../core/clock.ts';
import type { EventBus } from '../../core/events.ts';
import type { Verdict } from '../../core/verdict.ts';
import type { Ticket } from '../../shared/events.ts';
import type { TicketRow } from '../../shared/ledger.ts';
import { LedgerConflict, type TicketReads } from '../../store/ledger/ledger.ts';
import type { Gate } from '../gate/gate.ts';
import type { RequestLimits } from '../worker.ts';
import { isSameText, similarity } from './similarity.ts';

/** What somebody asks for; the market adds a number. */
export type LemmaRequest = Omit<Ticket, 'ticket_id' | 'status' | 'completed_proof'>;

export type Requested =
  | { readonly kind: 'opened'; readonly ticket: TicketRow; readonly similar: readonly Similar[] }
  /** The same lemma was asked for before: whoever asked now waits for that ticket. */
  | { readonly kind: 'known'; readonly ticket: TicketRow }
  /** It is proved already; the proof is a hint, to be judged where it is used. */
  | { readonly kind: 'reused'; readonly ticket: TicketRow };

export interface Similar {
  readonly ticket: TicketRow;
  /** 1: the same identity, or the same text. */
  readonly score: number;
}

export type Claimed =
  | { readonly kind: 'claimed'; readonly ticket: TicketRow }
  | { readonly kind: 'taken'; readonly ticket: TicketRow }
  | { readonly kind: 'no-ticket' };

export type Completed =
  | { readonly kind: 'judged'; readonly ticket: TicketRow; readonly verdict: Verdict }
  /** Somebody else works on it, or has completed it. */
  | { readonly kind: 'taken'; readonly ticket: TicketRow }
  | { readonly kind: 'no-ticket' };

/** Below this, tickets that share a few words are no help. */
const similarEnough = 0.5;

/**
 * Where helper lemmas are asked for and delivered. A ticket is open until somebody claims it; a claim that expires leaves
 * it open again; it is completed by a proof that the gate accepts, and stays so. The ledger keeps all of that, and decides
 * between two who claim at the same moment.
 */
export class Market {
  readonly #tickets: TicketReads;
  readonly #bus: EventBus;
  readonly #clock: Clock;

  /** What happens goes to the bus, whose journal is the ledger that `tickets` reads. */
  constructor(tickets: TicketReads, bus: EventBus, clock: Clock) {
    this.#tickets = tickets;
    this.#bus = bus;
    this.#clock = clock;
  }

  /** Opens a ticket, unless the same lemma has been asked for already. */
  request(request: LemmaRequest): Requested {
    const similar = this.search(request.goal, request.goal_hash ?? null);
    const same = similar.find(({ ticket, score }) => score === 1 && standsOnTheSame(ticket, request))?.ticket;
    if (same) return { kind: same.status === 'completed' ? 'reused' : 'known', ticket: same };
    return { kind: 'opened', ticket: this.#open(request), similar };
  }

  /** Open tickets, the most urgent first. */
  open(limit = Infinity): TicketRow[] {
    return this.#tickets
      .tickets()
      .filter(({ status }) => status === 'open')
      .slice(0, limit);
  }

  retrieve(id: string): TicketRow | undefined {
    return this.#tickets.ticket(id);
  }

  /** Tickets of the same identity first, then those whose text is most alike; completed ones before others that are as alike. */
  search(goal: string, goalHash: string | null, limit = 5): Similar[] {
    const found = new Map<string, Similar>();
    const same = goalHash === null ? [] : this.#tickets.ticketsOf(goalHash);
    for (const ticket of same) found.set(ticket.ticket_id, { ticket, score: 1 });
    for (const ticket of this.#tickets.ticketsLike(goal, 50)) {
      const score = isSameText(ticket.goal, goal) ? 1 : Math.min(0.99, similarity(ticket.goal, goal));
      if (!found.has(ticket.ticket_id) && score >= similarEnough)
        found.set(ticket.ticket_id, { ticket, score });
    }
    const isDone = ({ ticket }: Similar): number => Number(ticket.status === 'completed');
    return [...found.values()]
      .sort((first, second) => second.score - first.score || isDone(second) - isDone(first))
      .slice(0, limit);
  }

  /** Whoever has a ticket may claim it again, for longer. */
  claim(id: string, claimant: string, seconds: number): Claimed {
    const ticket = this.retrieve(id);
    if (!ticket) return { kind: 'no-ticket' };
    const expires = this.#clock.date().getTime() + Math.round(seconds * 1000);
    try {
      this.#bus.emit('ticket-claimed', { ticket_id: id, claimant, expires });
    } catch (error) {
      if (!(error instanceof LedgerConflict)) throw error;
      return { kind: 'taken', ticket: this.#get(id) };
    }
    return { kind: 'claimed', ticket: this.#get(id) };
  }

  /** Only a proof that the gate accepts, as far as `replayed`, completes a ticket. */
  async complete(
    id: string,
    claimant: string,
    proof: string,
    gate: Pick<Gate, 'check'>,
    limits: RequestLimits = {},
  ): Promise<Completed> {
    const ticket = this.retrieve(id);
    if (!ticket) return { kind: 'no-ticket' };
    if (ticket.status === 'completed' || (ticket.status === 'claimed' && ticket.claimant !== claimant))
      return { kind: 'taken', ticket };
    const claim = { preamble: preambleOf(ticket), statement: statementOf(ticket), proof };
    const verdict = await gate.check(claim, limits);
    const { assurance } = verdict;
    if (verdict.verdict === 'accepted' && (assurance === 'replayed' || assurance === 'second-kernel'))
      this.#bus.emit('ticket-completed', { ticket_id: id, claimant, completed_proof: proof, assurance });
    return { kind: 'judged', ticket: this.#get(id), verdict };
  }

  /** lem-2026-01-31-0007; another process may take the same number first. */
  #open(request: LemmaRequest): TicketRow {
    const day = this.#clock.date().toISOString().slice(0, 10);
    for (let number = this.#tickets.tickets().length + 1; ; number++) {
      const ticket_id = `lem-${day}-${String(number).padStart(4, '0')}`;
      if (this.retrieve(ticket_id)) continue;
      try {
        this.#bus.emit('ticket-opened', { ...request, ticket_id, status: 'open', completed_proof: null });
        return this.#get(ticket_id);
      } catch (error) {
        if (!(error instanceof LedgerConflict) || !this.retrieve(ticket_id)) throw error;
      }
    }
  }

  #get(id: string): TicketRow {
    const ticket = this.retrieve(id);
    if (!ticket) throw new Error(`ticket ${id} was there a moment ago`);
    return ticket;
  }
}

/** What Lean has to prove: a ticket may give only the type. */
export function statementOf({ goal, suggested_name }: Pick<Ticket, 'goal' | 'suggested_name'>): string {
  return /^\s*(?:theorem|lemma)\s/.test(goal) ? goal : `theorem ${suggested_name} : ${goal}`;
}

export function preambleOf({ context }: Pick<Ticket, 'context'>): string {
  return context[0] ?? '';
}

/** A statement means something only on its preamble. */
function standsOnTheSame(ticket: TicketRow, request: LemmaRequest): boolean {
  return preambleOf(ticket).trim() === preambleOf(request).trim();
}
