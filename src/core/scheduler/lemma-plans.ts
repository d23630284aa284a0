import type { Ticket } from '../../shared/events.ts';
import type { BlockedOn } from '../strategy.ts';
import type { Emit } from './attempt-log.ts';
import type { LemmaRequest, LemmaSide, Memory, Rows } from './domain.ts';
import type { Clock } from '../clock.ts';
import { lemmaTicket, openTicket } from './lemma-ticket.ts';
import type { Schedule } from './schedule.ts';

/** The part of the engine that plans use. */
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

/** An attempt that lacks only some lemmas, and the arm to credit. */
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
  /** A proof per lemma, as they arrive. */
  readonly proofs: (string | undefined)[];
  /** By ticket: the index of the lemma, and the goal that should prove it. */
  readonly tickets: Map<string, { readonly index: number; readonly goal: string }>;
}

/**
 * Plans that wait for their lemmas. Each lemma is a ticket and a goal of its own. When the last proof arrives, the plan becomes a candidate; when one lemma is given up, so is the plan. Meanwhile the goal finishes its round, then waits.
 *
 *     blocked ──tickets──▶ under way ──last proof──▶ assembled: offered to the gate at the goal's next turn
 *                              └──a lemma is given up──▶ dropped; the others of the plan are withdrawn
 */
export class LemmaPlans<Goal, Artifact> {
  readonly #host: PlanHost<Goal>;
  readonly #plans = new Map<string, PlanUnderWay<Artifact>>();
  /** Lemmas that made a plan of this run fail: no other plan waits for them. */
  readonly #givenUp = new Set<string>();
  #tickets = 0;

  constructor(host: PlanHost<Goal>) {
    this.#host = host;
  }

  /** Requests the lemmas of a plan, unless the goal has a plan already or is itself a lemma. */
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
    const wanted = [];
    for (const statement of lemmas) {
      const request = domain.lemmas.request(goal, statement);
      wanted.push({ request, known: await memory.similarTicket(request) });
    }
    if (wanted.some(({ known }) => known?.status === 'refuted')) {
      this.#plans.delete(id);
      return;
    }
    for (const [index, { request, known }] of wanted.entries()) {
      if (known?.status === 'completed' && known.completed_proof !== null)
        plan.proofs[index] = known.completed_proof;
      else this.#ask(id, plan, index, request, known);
    }
  }

  /** The candidate of a completed plan, handed out once. */
  take(id: string): Assembled<Artifact> | undefined {
    const plan = this.#plans.get(id);
    const proofs = plan?.proofs.filter((proof) => proof !== undefined) ?? [];
    if (!plan || proofs.length < plan.proofs.length) return undefined;
    this.#plans.delete(id);
    const { strategy, arm, outcome } = plan;
    return { strategy, arm, candidate: outcome.assemble(proofs) };
  }

  /** Records a proved lemma. False if its ticket belongs to no plan. */
  deliver(ticket: string, proof: string): boolean {
    for (const plan of this.#plans.values()) {
      const lemma = plan.tickets.get(ticket);
      if (!lemma) continue;
      plan.proofs[lemma.index] = proof;
      return true;
    }
    return false;
  }

  /** A goal is closed: drops its own plan, and any plan that needed it as a lemma. */
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
    openTicket(emit, { ...ticket, lemma_goal: goal }, run, clock);
    add(lemma, id);
  }
}
