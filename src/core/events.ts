import type { EventBodies, EventType, RunEvent } from '../shared/events.ts';
import type { Clock } from './clock.ts';

export type Listener = (event: RunEvent) => void;

/**
 * Where events go: first into the journal (the ledger), whose failure ends the run, then to the listeners, whose failures
 * nobody else sees.
 */
export class EventBus {
  readonly #run: string;
  readonly #clock: Clock;
  readonly #journal: Listener;
  readonly #listeners = new Set<Listener>();

  constructor(run: string, clock: Clock, journal: Listener) {
    this.#run = run;
    this.#clock = clock;
    this.#journal = journal;
  }

  get run(): string {
    return this.#run;
  }

  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** `at` is given where a decision was made on the clock, so that it can be made again. */
  emit<Type extends EventType>(type: Type, body: EventBodies[Type], at = this.#clock.date().getTime()): void {
    const event = { type, run: this.#run, at, ...body } as RunEvent;
    this.#journal(event);
    for (const listener of this.#listeners) {
      try {
        listener(event);
      } catch (error) {
        // a page or a terminal that breaks must not end a run; its owner hears of it
        process.emitWarning(error instanceof Error ? error : String(error));
      }
    }
  }
}
