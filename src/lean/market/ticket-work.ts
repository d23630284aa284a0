import os from 'node:os';
import { claimantOf, claimSeconds, renewMs } from '../../core/scheduler/lemma-ticket.ts';
import type { TicketRow } from '../../shared/ledger.ts';
import type { TicketGate } from './market.ts';
import type { LeanGoal, Outcomes } from '../goals/goal.ts';
import { theoremOf, ticketGoal, withLemma } from './lemma.ts';
import type { Market } from './market.ts';

/**
 * After ten minutes without a proof, a ticket is open to everyone again: the last renewal happens one claim
 * length before.
 */
const longestSeconds = 600;
const renewals = (longestSeconds - claimSeconds) / (renewMs / 1000);

/**
 * Lemmas requested by users, as goals of a run. The run claims them while it works on them. A proof completes
 * the ticket when the gate accepts it again, as for every other contributor. The claims of a run that ends or
 * dies expire, so others can take the tickets.
 */
export class TicketWork {
  readonly #market: Market;
  readonly #fits: (ticket: TicketRow) => boolean;
  /** The tickets claimed by this run, and how often each claim may still be renewed. */
  readonly #taken = new Map<string, number>();
  readonly #delivered = new Set<string>();
  /** Two processes never work on the same ticket. */
  readonly #name = claimantOf(`${os.hostname()}:${process.pid}`);

  /** `fits`: which of the open tickets this run can work on. */
  constructor(market: Market, fits: (ticket: TicketRow) => boolean) {
    this.#market = market;
    this.#fits = fits;
  }

  /** Claims open tickets and returns them as goals, without those that another process claimed first. */
  async takeOn(): Promise<LeanGoal[]> {
    const goals: LeanGoal[] = [];
    for (const ticket of await this.#market.posted()) {
      // a value of a type is for people and agents to choose
      if (ticket.kind !== 'lemma' && ticket.kind !== 'refactor') continue;
      if (this.#taken.has(ticket.ticket_id) || !this.#fits(ticket)) continue;
      const { kind } = await this.#market.claim(ticket.ticket_id, this.#name, claimSeconds);
      if (kind !== 'claimed') continue;
      this.#taken.set(ticket.ticket_id, renewals);
      goals.push(await this.#goalOf(ticket));
    }
    return goals;
  }

  /** Delivers proofs and refutations; returns the tickets that are now settled. */
  async deliver({ proved, refuted }: Outcomes, gate: TicketGate): Promise<string[]> {
    const taken: string[] = [];
    for (const [id, counterexample] of refuted) {
      if (this.#delivered.has(id) || !this.#taken.has(id)) continue;
      this.#delivered.add(id);
      await this.#market.refuteTicket(id, counterexample);
      taken.push(id);
    }
    for (const { goal, proof } of proved) {
      if (this.#delivered.has(goal.id) || !this.#taken.has(goal.id)) continue;
      this.#delivered.add(goal.id);
      const answer = await this.#market.complete(goal.id, this.#name, proof, gate);
      if (answer.kind === 'judged' && answer.ticket.status === 'completed') taken.push(goal.id);
    }
    return taken;
  }

  /** During a run: adds new tickets as goals, and resumes goals whose lemma has been proved. */
  follow(
    engine: { add(goal: LeanGoal): boolean; note(level: 'info' | 'warning', text: string): void },
    gate: TicketGate,
    outcomes: () => Outcomes,
  ): () => Promise<void> {
    const look = async (): Promise<void> => {
      for (const id of await this.deliver(outcomes(), gate)) engine.note('info', `ticket ${id} is settled`);
      await this.#renew();
      for (const goal of await this.takeOn()) {
        engine.note('info', `ticket ${goal.id} was added to the run`);
        engine.add(goal);
      }
    };
    const tell = (error: unknown): void => engine.note('warning', `tickets: ${String(error)}`);
    let last = Promise.resolve();
    const timer = setInterval(() => {
      last = last.then(look).catch(tell);
    }, renewMs);
    return async () => {
      clearInterval(timer);
      await last;
    };
  }

  async #renew(): Promise<void> {
    for (const [id, left] of this.#taken) {
      if (left === 0 || this.#delivered.has(id)) continue;
      this.#taken.set(id, left - 1);
      await this.#market.claim(id, this.#name, claimSeconds);
    }
  }

  /** With the lemmas of the tickets it depends on, as far as they are proved. */
  async #goalOf(ticket: TicketRow): Promise<LeanGoal> {
    let goal = ticketGoal(ticket);
    for (const id of ticket.dependencies) {
      const other = await this.#market.retrieve(id);
      if (other?.completed_proof)
        goal = withLemma(goal, { statement: theoremOf(other), proof: other.completed_proof });
    }
    return goal;
  }
}
