import type { Clock } from '../clock.ts';
import type { Emit } from './attempt-log.ts';
import type { LemmaRequest, LemmaSide, Memory, ProvedLemma, Rows } from './domain.ts';
import type { GoalState } from './goal-state.ts';
import { engineName, lemmaTicket, openTicket } from './lemma-ticket.ts';
import type { LemmaPlans } from './lemma-plans.ts';
import type { Proof } from './race.ts';
import type { Schedule } from './schedule.ts';

/** What the trade needs of the engine. */
export interface Trader<Goal, Work> {
  readonly domain: {
    readonly rows: Pick<Rows<Goal, never, never, never>, 'goal'>;
    readonly lemmas?: LemmaSide<Goal, Work>;
  };
  readonly memory: Pick<Memory, 'similarTicket' | 'newlyCompleted'>;
  readonly schedule: Schedule;
  readonly goals: Map<string, Goal>;
  readonly run: string;
  readonly clock: Pick<Clock, 'date'>;
  readonly emit: Emit;
  readonly add: (goal: Goal, requester: string) => void;
  /** Handles lemmas that plans wait for. */
  readonly plans: Pick<LemmaPlans<Goal, never>, 'deliver'>;
}

/** The ticket, from a goal's plan, that another goal should prove. */
function ticketFor({ plan }: Readonly<GoalState>, lemmaGoal: string): string | undefined {
  return [...(plan?.goals ?? [])].find(([, goal]) => goal === lemmaGoal)?.[0];
}

/**
 * Backtracking: an unsolved goal asks for a helper lemma. A known lemma is lent at once; any other becomes a ticket and a goal, whose proof wakes the requester.
 */
export class LemmaTrade<Goal, Work> {
  /** Goals that do not use finished lemmas. */
  readonly #alone = new Set<string>();
  readonly #engine: Trader<Goal, Work>;

  constructor(engine: Trader<Goal, Work>) {
    this.#engine = engine;
  }

  /** Undefined if the domain has no lemmas. */
  async ask(id: string, request: LemmaRequest): Promise<'lent' | 'asked' | undefined> {
    const { domain, memory, schedule, run, emit, add } = this.#engine;
    if (!domain.lemmas) return undefined;
    const similar = await memory.similarTicket(request);
    if (similar?.status === 'completed' && similar.completed_proof !== null) {
      this.#lend(id, { statement: similar.goal, proof: similar.completed_proof });
      emit('note', { level: 'info', text: `${id} reuses the lemma of ticket ${similar.ticket_id}` });
      return 'lent';
    }
    const asked = {
      ticket_id: `${run}-lemma-${this.#engine.goals.size}`,
      requester: id,
      priority: schedule.goal(id).priority,
    };
    const ticket = lemmaTicket(request, asked, similar);
    openTicket(emit, ticket, this.#engine.clock);
    add(domain.lemmas.goalOf(ticket), id);
    return 'asked';
  }

  /**
   * The goal with matching finished lemmas, for one visit. Not in the first round: most goals need none, and a longer context slows down every closer.
   */
  async withFound(id: string, goal: Goal, at: number): Promise<Goal> {
    const { domain, schedule, emit } = this.#engine;
    const { lemmas } = domain;
    if (!lemmas?.shelf || schedule.goal(id).round === 0 || this.#alone.has(id)) return goal;
    await this.#hearOfCompleted(at);
    const found = lemmas.shelf.find(goal);
    if (found.length === 0) return goal;
    const names = found.map(({ statement }) =>
      statement
        .trim()
        .split(/[\s:({[]/, 2)
        .join(' '),
    );
    emit('note', { level: 'info', text: `${id} may use what is finished: ${names.join(', ')}` });
    return found.reduceRight<Goal>((given, lemma) => lemmas.lend(given, lemma), goal);
  }

  /** The lemmas found cannot be read at the goal's position, so later visits do not try again. */
  leaveAlone(id: string): void {
    this.#alone.add(id);
  }

  /** A proved goal: others can use it, and if it was a helper lemma, its requester continues. */
  deliver(id: string, { text, assurance }: Pick<Proof<never, never>, 'text' | 'assurance'>): void {
    const { domain, schedule, emit } = this.#engine;
    domain.lemmas?.shelf?.add(this.#goal(id), text);
    const { requester } = schedule.goal(id);
    const planned = requester === null ? undefined : ticketFor(schedule.goal(requester), id);
    if (planned !== undefined) {
      this.#engine.plans.deliver(planned, text);
      const body = { ticket_id: planned, claimant: engineName, completed_proof: text, assurance };
      emit('ticket-completed', body);
      return;
    }
    const ticket = requester === null ? undefined : schedule.goal(requester).ticket;
    if (requester === null || !ticket) return;
    this.#lend(requester, { statement: domain.rows.goal(this.#goal(id)).statement, proof: text });
    emit('ticket-completed', {
      ticket_id: ticket.id,
      claimant: engineName,
      completed_proof: text,
      assurance,
    });
  }

  /** Collects tickets completed elsewhere, on the command line or by another run. True if a goal waited for one. */
  async collect(at: number): Promise<boolean> {
    return this.#engine.schedule.hasOpenTickets && (await this.#hearOfCompleted(at));
  }

  async #hearOfCompleted(at: number): Promise<boolean> {
    const { domain, memory, schedule, run } = this.#engine;
    let isWanted = false;
    for (const ticket of await memory.newlyCompleted()) {
      const { ticket_id, goal: statement, completed_proof } = ticket;
      if (completed_proof !== null) domain.lemmas?.shelf?.add(domain.lemmas.goalOf(ticket), completed_proof);
      const requesters = schedule.requestersOf(ticket_id);
      const isPlanned = completed_proof !== null && this.#engine.plans.deliver(ticket_id, completed_proof);
      if (completed_proof === null || (requesters.length === 0 && !isPlanned)) continue;
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
