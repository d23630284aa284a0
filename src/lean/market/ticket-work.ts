import os from 'node:os';
import { claimantOf, claimSeconds, renewMs } from '../../core/scheduler/lemma-ticket.ts';
import type { TicketRow } from '../../shared/ledger.ts';
import type { Gate } from '../gate/gate.ts';
import type { LeanGoal, Outcomes } from '../goals/goal.ts';
import { theoremOf, ticketGoal, withLemma } from './lemma.ts';
import type { Market } from './market.ts';

/** What a run has not proved after ten minutes is anybody's again: the last renewal is a claim's length before. */
const longestSeconds = 600;
const renewals = (longestSeconds - claimSeconds) / (renewMs / 1000);

/**
 * Lemmas that people ask for, as goals of a run: claimed while the run works on them, and completed by a proof that the gate
 * accepts once more, as anybody's would be. A run that ends or dies gives back what it has not proved: its claims run out.
 */
export class TicketWork {
  readonly #market: Market;
  readonly #fits: (ticket: TicketRow) => boolean;
  /** What this run has taken on, and how often its claim may still be renewed. */
  readonly #taken = new Map<string, number>();
  readonly #delivered = new Set<string>();
  /** Two processes never work on the same ticket. */
  readonly #name = claimantOf(`${os.hostname()}:${process.pid}`);

  /** `fits`: which of the open tickets this run can work on. */
  constructor(market: Market, fits: (ticket: TicketRow) => boolean) {
    this.#market = market;
    this.#fits = fits;
  }

  /** Claims what is open, as goals; what someone else is quicker to claim is his. */
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

  /** Hands in what is proved or refuted; the answer names those that are settled now. */
  async deliver({ proved, refuted }: Outcomes, gate: Pick<Gate, 'check'>): Promise<string[]> {
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

  /** During a run: tickets that are posted meanwhile join it, and goals that wait for a lemma get it at once. */
  follow(
    engine: { add(goal: LeanGoal): boolean; note(level: 'info' | 'warning', text: string): void },
    gate: Pick<Gate, 'check'>,
    outcomes: () => Outcomes,
  ): () => Promise<void> {
    const look = async (): Promise<void> => {
      for (const id of await this.deliver(outcomes(), gate)) engine.note('info', `ticket ${id} is settled`);
      await this.#renew();
      for (const goal of await this.takeOn()) {
        engine.note('info', `ticket ${goal.id} is taken on`);
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

  /** With the lemmas of the tickets that it depends on, where they are there. */
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
