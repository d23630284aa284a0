import type { Clock } from '../clock.ts';
import type { Emit } from './attempt-log.ts';
import type { LemmaRequest, LemmaSide, Memory, ProvedLemma, Rows } from './domain.ts';
import { claimantOf, lemmaTicket, openTicket, renewMs } from './lemma-ticket.ts';
import type { LemmaPlans } from './lemma-plans.ts';
import type { Proof } from './race.ts';
import type { Schedule } from './schedule.ts';

/** The part of the engine that the trade uses. */
export interface Trader<Goal, Work> {
  readonly domain: {
    readonly rows: Pick<Rows<Goal, never, never, never>, 'goal'>;
    readonly lemmas?: LemmaSide<Goal, Work>;
  };
  readonly memory: Pick<Memory, 'similarTicket' | 'newlySettled' | 'claim'>;
  readonly schedule: Schedule;
  readonly goals: Map<string, Goal>;
  readonly run: string;
  readonly clock: Pick<Clock, 'date'>;
  readonly emit: Emit;
  readonly add: (goal: Goal, requester: string) => void;
  /** Handles lemmas that plans wait for. */
  readonly plans: Pick<LemmaPlans<Goal, never>, 'deliver'>;
}

/**
 * Backtracking: an unsolved goal requests a helper lemma. A known lemma is lent at once; any other becomes a
 * ticket and a goal, whose proof wakes the requester.
 */
export class LemmaTrade<Goal, Work> {
  /** Goals that do not use finished lemmas. */
  readonly #alone = new Set<string>();
  readonly #engine: Trader<Goal, Work>;
  #renewedAt = 0;

  constructor(engine: Trader<Goal, Work>) {
    this.#engine = engine;
  }

  /**
   * Undefined if the domain has no lemmas, or the lemma is known to be false. A goal also waits for a ticket
   * that is already open. The run works on such a ticket only if it is unclaimed, so work is never duplicated.
   */
  async ask(id: string, request: LemmaRequest): Promise<'lent' | 'asked' | undefined> {
    const { domain, memory, schedule, run, emit, add } = this.#engine;
    if (!domain.lemmas) return undefined;
    const similar = await memory.similarTicket(request);
    if (similar?.status === 'completed' && similar.completed_proof !== null) {
      this.#lend(id, { statement: similar.goal, proof: similar.completed_proof });
      emit('note', { level: 'info', text: `${id} reuses the lemma of ticket ${similar.ticket_id}` });
      return 'lent';
    }
    if (similar?.status === 'refuted') return undefined;
    const { priority } = schedule.goal(id);
    // a ticket with constraints is never shared, because only work on that ticket respects them
    if (similar && similar.constraints.length === 0) {
      const { ticket_id } = similar;
      emit('ticket-joined', { ticket_id, requester: id, priority });
      const isTaken = schedule.ticketsUnderWay.includes(ticket_id) || similar.status !== 'open';
      if (!isTaken && (await memory.claim(ticket_id))) add(domain.lemmas.goalOf(similar), id);
      return 'asked';
    }
    const ticket_id = `${run}-lemma-${this.#engine.goals.size}`;
    const ticket = lemmaTicket(request, { ticket_id, requester: id, priority }, similar);
    openTicket(emit, ticket, run, this.#engine.clock);
    add(domain.lemmas.goalOf(ticket), id);
    return 'asked';
  }

  /**
   * The goal with matching finished lemmas, for one visit. Not in the first round, not even those stated above it: most goals need none, and a longer context slows down every closer.
   */
  async withFound(id: string, goal: Goal, at: number): Promise<Goal> {
    const { domain, schedule, emit } = this.#engine;
    const { lemmas } = domain;
    if (!lemmas?.shelf || schedule.goal(id).round === 0 || this.#alone.has(id)) return goal;
    await this.hear(at);
    const found = lemmas.shelf.find(goal);
    if (found.length === 0) return goal;
    const names = found.map(({ statement }) =>
      statement
        .trim()
        .split(/[\s:({[]/, 2)
        .join(' '),
    );
    emit('note', { level: 'info', text: `${id} may use completed lemmas: ${names.join(', ')}` });
    return found.reduceRight<Goal>((given, lemma) => lemmas.lend(given, lemma), goal);
  }

  /** Lean cannot read the lemmas at the goal's position, so later visits do not try again. */
  leaveAlone(id: string): void {
    this.#alone.add(id);
  }

  /** A proved goal: others can use it, and if it was a helper lemma, goals that wait for it continue. */
  deliver(id: string, { text, assurance }: Pick<Proof<never, never>, 'text' | 'assurance'>): void {
    const { domain, schedule, emit, run, plans } = this.#engine;
    domain.lemmas?.shelf?.add(this.#goal(id), text);
    const { statement } = domain.rows.goal(this.#goal(id));
    for (const ticket_id of schedule.ticketsOf(id)) {
      if (!plans.deliver(ticket_id, text))
        for (const goal of schedule.requestersOf(ticket_id)) this.#lend(goal, { statement, proof: text });
      emit('ticket-completed', { ticket_id, claimant: claimantOf(run), completed_proof: text, assurance });
    }
  }

  /** A false goal: it is not requested again, and goals that wait for it continue without it. */
  refuted(id: string, goalHash: string, counterexample: string): void {
    const { domain, schedule, emit } = this.#engine;
    domain.lemmas?.refuted?.({ goal: this.#goal(id), goalHash, counterexample });
    for (const ticket_id of schedule.ticketsOf(id))
      emit('ticket-refuted', { ticket_id, goal_hash: goalHash, counterexample });
  }

  /** Collects tickets settled elsewhere, on the command line or by another run. True if a goal waited for one. */
  async collect(at: number): Promise<boolean> {
    const { schedule, memory } = this.#engine;
    if (at - this.#renewedAt >= renewMs && schedule.ticketsUnderWay.length > 0) {
      this.#renewedAt = at;
      for (const ticket of schedule.ticketsUnderWay) await memory.claim(ticket);
    }
    return schedule.hasOpenTickets && (await this.hear(at));
  }

  /** Tickets that others have completed or refuted. True if a goal of this run waited for one. */
  async hear(at: number): Promise<boolean> {
    const { domain, memory, schedule, run } = this.#engine;
    let isWanted = false;
    for (const ticket of await memory.newlySettled()) {
      const { ticket_id, goal: statement, goal_hash = null, completed_proof, counterexample } = ticket;
      const requesters = schedule.requestersOf(ticket_id);
      if (completed_proof === null) {
        if (counterexample === null || !domain.lemmas) continue;
        domain.lemmas.refuted?.({ goal: domain.lemmas.goalOf(ticket), goalHash: goal_hash, counterexample });
        isWanted ||= requesters.length > 0;
        schedule.apply({ type: 'ticket-refuted', run, at, ticket_id, goal_hash, counterexample });
        continue;
      }
      domain.lemmas?.shelf?.add(domain.lemmas.goalOf(ticket), completed_proof);
      const isPlanned = this.#engine.plans.deliver(ticket_id, completed_proof);
      if (requesters.length === 0 && !isPlanned) continue;
      isWanted = true;
      for (const goal of requesters) this.#lend(goal, { statement, proof: completed_proof });
      const body = { ticket_id, claimant: 'market', completed_proof, assurance: 'replayed' };
      // the worker that completed it has already recorded this event
      schedule.apply({ type: 'ticket-completed', run, at, ...body });
    }
    return isWanted;
  }

  #lend(requester: string, lemma: ProvedLemma): void {
    const { domain, goals } = this.#engine;
    const goal = this.#goal(requester);
    goals.set(requester, domain.lemmas?.lend(goal, lemma) ?? goal);
  }

  #goal(id: string): Goal {
    const goal = this.#engine.goals.get(id);
    if (goal === undefined) throw new Error(`no goal ${id}`);
    return goal;
  }
}
