import { countsAsSolved } from '../../shared/assurance.ts';
import type { Clock } from '../../core/clock.ts';
import type { Journal } from '../../core/journal.ts';
import type { Verdict } from '../gate/verdict.ts';
import { type EventBodies, type EventType, type Ticket, eventOf } from '../../shared/events.ts';
import type { TicketRow } from '../../shared/ledger.ts';
import { LedgerConflict, type Tickets } from '../../store/ledger/ledger.ts';
import { readConstraints } from '../gate/constraints.ts';
import type { Gate } from '../gate/gate.ts';
import type { RequestLimits } from '../toolchain/worker.ts';
import { declarationOf, solutionProof, theoremOf, wantsValue } from './lemma.ts';
import { asHave } from '../base/signature.ts';
import { fromGiven } from './missing.ts';
import { isSameText, similarity } from '../premises/similarity.ts';
import { environmentOf } from '../project/environment.ts';
import { standingOf, standsOnTheSame } from './standing.ts';

type Lemma = Pick<Ticket, 'kind' | 'goal' | 'goal_hash' | 'context' | 'environment'>;

/** A request without its number, which the market adds. */
export type TicketRequest = Omit<Ticket, 'ticket_id' | 'status' | 'completed_proof'>;

export type Requested =
  | { readonly kind: 'opened'; readonly ticket: TicketRow; readonly similar: readonly Similar[] }
  /** The same lemma was requested before: the new requester waits for that ticket. */
  | { readonly kind: 'known'; readonly ticket: TicketRow }
  /** It is already proved. The proof is a hint: the gate judges it again where it is used. */
  | { readonly kind: 'reused'; readonly ticket: TicketRow }
  /** It is known to be false, so no work starts. */
  | { readonly kind: 'refuted'; readonly ticket: TicketRow };

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
  /** Someone else works on it, or has completed it. */
  | { readonly kind: 'taken'; readonly ticket: TicketRow }
  | { readonly kind: 'no-ticket' };

export type TicketGate = Pick<Gate, 'check' | 'judgeFile'>;

const postedPrefix = 'lem-';
/** Below this, tickets share only a few words and are not worth showing. */
const similarEnough = 0.5;

/**
 * The market, where helper lemmas are requested and delivered. A ticket is open until it is claimed; when a
 * claim expires, it is open again; a proof that the gate accepts completes it for good. The ledger stores all
 * of this and decides between simultaneous claims.
 */
export class Market {
  readonly #tickets: Tickets;
  readonly #journal: Pick<Journal, 'append'>;
  readonly #clock: Clock;

  /** `tickets` reads the ledger that the journal writes. */
  constructor(tickets: Tickets, journal: Pick<Journal, 'append'>, clock: Clock) {
    this.#tickets = tickets;
    this.#journal = journal;
    this.#clock = clock;
  }

  /** Opens a ticket, unless the same lemma has already been requested. */
  async request(request: TicketRequest): Promise<Requested> {
    const similar = await this.search(request.goal, request.goal_hash ?? null);
    const same = sameAmong(similar, request);
    if (!same) return { kind: 'opened', ticket: await this.#open(request), similar };
    if (same.status === 'completed') return { kind: 'reused', ticket: same };
    if (same.status === 'refuted') return { kind: 'refuted', ticket: same };
    await this.#join(same, request);
    return { kind: 'known', ticket: same };
  }

  /** Records a lemma that the gate has found false, so that it is not requested again. */
  async refute(request: TicketRequest, counterexample: string): Promise<TicketRow> {
    const { ticket_id } = (await this.same(request)) ?? (await this.#open(request));
    await this.refuteTicket(ticket_id, counterexample, request.goal_hash ?? null);
    return await this.#get(ticket_id);
  }

  async refuteTicket(
    ticket_id: string,
    counterexample: string,
    goal_hash: string | null = null,
  ): Promise<void> {
    await this.#append('ticket-refuted', { ticket_id, goal_hash, counterexample });
  }

  /** The ticket for the same lemma with the same dependencies, if one exists. */
  async same(request: Lemma): Promise<TicketRow | undefined> {
    return sameAmong(await this.search(request.goal, request.goal_hash ?? null), request);
  }

  /** Open tickets posted by users, not by runs, most urgent first. */
  async posted(): Promise<TicketRow[]> {
    return (await this.open()).filter(({ ticket_id }) => ticket_id.startsWith(postedPrefix));
  }

  /** Open tickets, most urgent first. */
  async open(limit = Infinity): Promise<TicketRow[]> {
    const all = await this.#tickets.all();
    return all.filter(({ status }) => status === 'open').slice(0, limit);
  }

  /** Puts a goal or a node of the blueprint on the critical path, or takes it off. */
  async pin(name: string, is_pinned: boolean): Promise<void> {
    await this.#append('pinned', { name, is_pinned });
  }

  async pins(): Promise<string[]> {
    return await this.#tickets.pins();
  }

  async retrieve(id: string): Promise<TicketRow | undefined> {
    return await this.#tickets.ticket(id);
  }

  /**
   * Tickets of the same identity first, then those with the most similar text; of equally similar ones,
   * completed tickets first.
   */
  async search(goal: string, goalHash: string | null, limit = 5): Promise<Similar[]> {
    const found = new Map<string, Similar>();
    const same = goalHash === null ? [] : await this.#tickets.ofGoal(goalHash);
    for (const ticket of same) found.set(ticket.ticket_id, { ticket, score: 1 });
    for (const ticket of await this.#tickets.like(goal, 50)) {
      const score = isSameText(ticket.goal, goal) ? 1 : Math.min(0.99, similarity(ticket.goal, goal));
      if (!found.has(ticket.ticket_id) && score >= similarEnough)
        found.set(ticket.ticket_id, { ticket, score });
    }
    const isDone = ({ ticket }: Similar): number => Number(ticket.status === 'completed');
    return [...found.values()]
      .sort((first, second) => second.score - first.score || isDone(second) - isDone(first))
      .slice(0, limit);
  }

  /** The holder of a ticket may claim it again, for longer. */
  async claim(id: string, claimant: string, seconds: number): Promise<Claimed> {
    const ticket = await this.retrieve(id);
    if (!ticket) return { kind: 'no-ticket' };
    const expires = this.#clock.date().getTime() + Math.round(seconds * 1000);
    try {
      await this.#append('ticket-claimed', { ticket_id: id, claimant, expires });
    } catch (error) {
      if (!(error instanceof LedgerConflict)) throw error;
      return { kind: 'taken', ticket: await this.#get(id) };
    }
    return { kind: 'claimed', ticket: await this.#get(id) };
  }

  /** Only a proof that the gate accepts at assurance `replayed` completes a ticket. */
  async complete(
    id: string,
    claimant: string,
    proof: string,
    gate: TicketGate,
    limits: RequestLimits = {},
  ): Promise<Completed> {
    const ticket = await this.retrieve(id);
    if (!ticket) return { kind: 'no-ticket' };
    if (ticket.status === 'completed' || (ticket.status === 'claimed' && ticket.claimant !== claimant))
      return { kind: 'taken', ticket };
    const claim = {
      ...standingOf(ticket),
      statement: theoremOf(ticket),
      proof: solutionProof(ticket, proof),
      constraints: ticket.constraints,
      secondKernel: 'final',
    } as const;
    const judged = asRefactoring(ticket, proof, await gate.check(claim, limits));
    const verdict = await asDefinition(ticket, proof, judged, gate, limits);
    if (countsAsSolved(verdict)) {
      const { assurance } = verdict;
      await this.#append('ticket-completed', { ticket_id: id, claimant, completed_proof: proof, assurance });
      await this.#completeMerged(ticket, claimant, proof, gate);
    }
    return { kind: 'judged', ticket: await this.#get(id), verdict };
  }

  /** Open lemmas with the same dependencies, except one. */
  async openBeside(ticket: TicketRow): Promise<TicketRow[]> {
    return (await this.open()).filter(
      (one) => one.ticket_id !== ticket.ticket_id && one.kind === 'lemma' && standsOnTheSame(one, ticket),
    );
  }

  /** A ticket follows from a more general one, which is worked on in its place. */
  async merge(ticket_id: string, into_ticket: string): Promise<void> {
    await this.#append('ticket-merged', { ticket_id, into_ticket });
  }

  /** Delivers the tickets that follow from a newly proved lemma; the gate judges each. */
  async #completeMerged(
    general: TicketRow,
    claimant: string,
    proof: string,
    gate: Pick<Gate, 'check'>,
  ): Promise<void> {
    const given = asHave(theoremOf(general), 'given');
    if (given === undefined) return;
    for (const ticket of await this.#tickets.all()) {
      if (ticket.status !== 'merged' || ticket.merged_into !== general.ticket_id) continue;
      const completed_proof = `by\n  ${given} := ${proof.replaceAll('\n', '\n  ')}\n  ${fromGiven}`;
      const claim = { ...standingOf(ticket), statement: theoremOf(ticket), proof: completed_proof };
      const verdict = await gate.check({ ...claim, constraints: ticket.constraints, secondKernel: 'final' });
      if (!countsAsSolved(verdict)) continue;
      const { ticket_id } = ticket;
      const { assurance } = verdict;
      await this.#append('ticket-completed', { ticket_id, claimant, completed_proof, assurance });
    }
  }

  /** A requester that asks twice is listed once. */
  async #join({ ticket_id }: TicketRow, { requester, priority }: TicketRequest): Promise<void> {
    const all = await this.#tickets.requests();
    if (!all.some((one) => one.ticket_id === ticket_id && one.requester === requester))
      await this.#append('ticket-joined', { ticket_id, requester, priority });
  }

  /** lem-2026-01-31-0007; another process may take the same number first. */
  async #open(request: TicketRequest): Promise<TicketRow> {
    const day = this.#clock.date().toISOString().slice(0, 10);
    for (let number = (await this.#tickets.all()).length + 1; ; number++) {
      const ticket_id = `${postedPrefix}${day}-${String(number).padStart(4, '0')}`;
      if (await this.retrieve(ticket_id)) continue;
      try {
        await this.#append('ticket-opened', { ...request, ticket_id, status: 'open', completed_proof: null });
        return await this.#get(ticket_id);
      } catch (error) {
        if (!(error instanceof LedgerConflict) || !(await this.retrieve(ticket_id))) throw error;
      }
    }
  }

  /** Market events belong to no run. */
  async #append<Type extends EventType>(type: Type, body: EventBodies[Type]): Promise<void> {
    const at = this.#clock.date().getTime();
    await this.#journal.append([eventOf({ type, run: 'market', at }, body)]);
  }

  async #get(id: string): Promise<TicketRow> {
    const ticket = await this.retrieve(id);
    if (!ticket) throw new Error(`ticket ${id} disappeared from the ledger`);
    return ticket;
  }
}

const size = (text: string): number => text.replaceAll(/\s+/g, ' ').trim().length;

/** The proof that a refactoring replaces comes after the preamble. */
function asRefactoring(
  { kind, context: [, before = ''] }: TicketRow,
  proof: string,
  verdict: Verdict,
): Verdict {
  if (kind !== 'refactor' || verdict.verdict !== 'accepted' || size(proof) < size(before)) return verdict;
  const message = `refactor: ${size(proof)} characters are not fewer than the ${size(before)} of the existing proof`;
  return { ...verdict, verdict: 'rejected', kind: 'constraint', message, assurance: null };
}

/** Lean must be able to compile a definition or an instance, unless the ticket says `noncomputable`. */
async function asDefinition(
  ticket: TicketRow,
  value: string,
  verdict: Verdict,
  gate: TicketGate,
  limits: RequestLimits,
): Promise<Verdict> {
  const { noncomputable } = readConstraints(ticket.constraints);
  if (!wantsValue(ticket) || noncomputable || verdict.verdict !== 'accepted') return verdict;
  const { preamble, environment = environmentOf(preamble) } = standingOf(ticket);
  const text = `${preamble}\n${declarationOf(ticket)} := ${value}\n`;
  const { messages, verdicts } = await gate.judgeFile({ text, environment }, limits);
  const unknown = verdicts.find((one) => one.verdict === 'unknown' && one.kind !== 'no-theorem');
  if (unknown) return unknown;
  const own = preamble.split('\n').length;
  const error = messages.find(({ severity, start }) => severity === 'error' && start[0] > own);
  if (!error) return verdict;
  const message = `Lean cannot compile it, and the ticket does not say noncomputable: ${error.text}`;
  return { ...verdict, verdict: 'rejected', kind: 'constraint', message, assurance: null };
}

/** The meaning of a statement depends on its preamble and environment. */
function sameAmong(similar: readonly Similar[], request: Lemma): TicketRow | undefined {
  const { kind = 'lemma' } = request;
  const isSame = ({ ticket, score }: Similar): boolean =>
    score === 1 && ticket.kind === kind && standsOnTheSame(ticket, request);
  return similar.find(isSame)?.ticket;
}
