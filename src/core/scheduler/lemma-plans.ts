import type { Ticket } from '../../shared/events.ts';
import type { BlockedOn } from '../strategy.ts';
import type { Emit } from './attempt-log.ts';
import type { LemmaRequest, LemmaSide, Memory, Rows } from './domain.ts';
import type { Clock } from '../clock.ts';
import { lemmaTicket, openTicket } from './lemma-ticket.ts';
import type { Schedule } from './schedule.ts';

/** What plans need from the engine. */
export interface PlanHost<Goal> {
  readonly domain: {
    readonly rows: Pick<Rows<Goal, never, never, never>, 'goal'>;
    readonly lemmas?: Pick<LemmaSide<Goal, never>, 'request' | 'goalOf'>;
  };
  readonly memory: Pick<Memory, 'similarTicket'>;
  readonly schedule: Schedule;
  readonly run: string;
  readonly clock: Pick<Clock, 'date'>;
  readonly emit: Emit;
  readonly add: (goal: Goal, requester: string) => boolean;
  readonly withdraw: (goal: string, reason: string) => void;
}

/** An attempt that lacks nothing but some lemmas, and the arm that it is credited to. */
export interface BlockedAttempt<Artifact> {
  readonly strategy: string;
  readonly arm: string;
  readonly outcome: BlockedOn<Artifact>;
}

export interface Assembled<Artifact> {
  readonly strategy: string;
  readonly arm: string;
  readonly candidate: Artifact;
}

interface PlanUnderWay<Artifact> extends BlockedAttempt<Artifact> {
  /** A proof for each lemma, as they come. */
  readonly proofs: (string | undefined)[];
  /** By ticket: which lemma it is, and the goal that is to prove it. */
  readonly tickets: Map<string, { readonly index: number; readonly goal: string }>;
}

/**
 * Plans that wait for their lemmas. Each lemma is a ticket and a goal of its own; when the last proof is there the plan is a
 * candidate, and when one of them is given up the whole plan is. The goal itself finishes its round meanwhile, and then waits.
 *
 *     blocked ──tickets──▶ under way ──last proof──▶ assembled: offered to the gate at the goal's next turn
 *                              └──a lemma is given up──▶ dropped; the others of the plan are withdrawn
 */
export class LemmaPlans<Goal, Artifact> {
  readonly #host: PlanHost<Goal>;
  readonly #plans = new Map<string, PlanUnderWay<Artifact>>();
  /** Lemmas that a plan of this run was dropped for: no other waits for one of them. */
  readonly #givenUp = new Set<string>();
  #tickets = 0;

  constructor(host: PlanHost<Goal>) {
    this.#host = host;
  }

  /** Asks for the lemmas of a plan, unless the goal has one already or is itself someone's lemma. */
  async open(id: string, goal: Goal, attempt: BlockedAttempt<Artifact>): Promise<void> {
    const { domain, memory, schedule } = this.#host;
    if (!domain.lemmas || this.#plans.has(id) || schedule.goal(id).requester !== null) return;
    const { lemmas } = attempt.outcome;
    if (lemmas.some((statement) => this.#givenUp.has(statement))) return;
    const plan: PlanUnderWay<Artifact> = {
      ...attempt,
      proofs: lemmas.map(() => undefined),
      tickets: new Map(),
    };
    this.#plans.set(id, plan);
    for (const [index, statement] of lemmas.entries()) {
      const request = domain.lemmas.request(goal, statement);
      const known = await memory.similarTicket(request);
      if (known?.status === 'completed' && known.completed_proof !== null)
        plan.proofs[index] = known.completed_proof;
      else this.#ask(id, plan, index, request, known);
    }
  }

  /** The candidate of a plan whose last proof has come; it is handed out once. */
  take(id: string): Assembled<Artifact> | undefined {
    const plan = this.#plans.get(id);
    const proofs = plan?.proofs.filter((proof) => proof !== undefined) ?? [];
    if (!plan || proofs.length < plan.proofs.length) return undefined;
    this.#plans.delete(id);
    const { strategy, arm, outcome } = plan;
    return { strategy, arm, candidate: outcome.assemble(proofs) };
  }

  /** The lemma of a ticket is proved. False: it belongs to no plan. */
  deliver(ticket: string, proof: string): boolean {
    for (const plan of this.#plans.values()) {
      const lemma = plan.tickets.get(ticket);
      if (!lemma) continue;
      plan.proofs[lemma.index] = proof;
      return true;
    }
    return false;
  }

  /** A goal is closed for good: a plan of its own is not wanted any more, and one that needed it will never be whole. */
  drop(closed: string, isSolved: boolean): void {
    for (const [id, plan] of this.#plans) {
      const lemmas = [...plan.tickets.values()].filter(({ index }) => plan.proofs[index] === undefined);
      const isGivenUp = !isSolved && lemmas.some(({ goal }) => goal === closed);
      if (id !== closed && !isGivenUp) continue;
      this.#plans.delete(id);
      for (const { goal, index } of lemmas)
        if (goal === closed) this.#givenUp.add(plan.outcome.lemmas[index] ?? '');
      for (const { goal } of lemmas)
        if (goal !== closed) this.#host.withdraw(goal, 'the plan that wanted it is over');
    }
  }

  #ask(
    id: string,
    plan: PlanUnderWay<Artifact>,
    index: number,
    request: LemmaRequest,
    known: Ticket | undefined,
  ): void {
    const { domain, schedule, run, emit, add, clock } = this.#host;
    const asked = {
      ticket_id: `${run}-plan-${++this.#tickets}`,
      requester: id,
      priority: schedule.goal(id).priority,
    };
    const ticket = lemmaTicket(request, asked, known);
    const lemma = domain.lemmas?.goalOf(ticket);
    if (lemma === undefined) return;
    const { goal } = domain.rows.goal(lemma);
    plan.tickets.set(ticket.ticket_id, { index, goal });
    openTicket(emit, { ...ticket, lemma_goal: goal }, clock);
    add(lemma, id);
  }
}
