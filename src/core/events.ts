import { setImmediate } from 'node:timers/promises';
import { type EventBodies, type EventType, type RunEvent, eventOf } from '../shared/events.ts';
import type { Clock } from './clock.ts';
import type { Journal } from './journal.ts';

export type Listener = (event: RunEvent) => void;

/**
 * The path of events: first into the journal (the ledger), whose failure ends the run, then to the listeners,
 * whose failures affect no other listener. Listeners never receive an event that a crash could undo.
 *
 *     emit ──▶ waiting ──one batch at a time──▶ durable ──▶ delivered to the listeners
 *                └─ held: nothing is written until `flush`, and then as one batch
 *
 * When the journal fails, waiting events are dropped, `onFailure` is called once, and every later call throws.
 */
export class EventBus {
  readonly #run: string;
  readonly #clock: Clock;
  readonly #journal: Pick<Journal, 'append'>;
  readonly #listeners = new Set<Listener>();
  #onFailure: (error: Error) => void = () => undefined;
  #waiting: RunEvent[] = [];
  #isHeld = false;
  #writing: Promise<void> | undefined;
  #failure: Error | undefined;

  constructor(run: string, clock: Clock, journal: Pick<Journal, 'append'>) {
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

  /** Called when the journal fails: callers that emit without waiting must learn that events are no longer stored. */
  onFailure(handle: (error: Error) => void): void {
    this.#onFailure = handle;
  }

  /** `at`: the time that a decision was based on, so that it can be replayed. */
  emit<Type extends EventType>(type: Type, body: EventBodies[Type], at = this.#clock.date().getTime()): void {
    if (this.#failure) throw this.#failure;
    this.#waiting.push(eventOf({ type, run: this.#run, at }, body));
    if (!this.#isHeld) this.#write();
  }

  /** Events from here to the next `flush` are written in one transaction. */
  hold(): void {
    this.#isHeld = true;
  }

  /** Resolves when every emitted event is durable and delivered. */
  async flush(): Promise<void> {
    this.#isHeld = false;
    this.#write();
    await this.#writing;
    if (this.#failure) throw this.#failure;
  }

  #write(): void {
    this.#writing ??= this.#writeAll().finally(() => (this.#writing = undefined));
  }

  /** Events emitted while a batch is written form the next batch. */
  async #writeAll(): Promise<void> {
    await setImmediate(); // one batch per turn of the event loop
    while (this.#waiting.length > 0 && !this.#isHeld && !this.#failure) {
      const batch = this.#waiting;
      this.#waiting = [];
      try {
        this.#tell(batch, await this.#journal.append(batch));
      } catch (error) {
        this.#fail(error instanceof Error ? error : new Error(String(error)));
      }
    }
  }

  #tell(batch: readonly RunEvent[], last: number): void {
    for (const [index, event] of batch.entries()) {
      const numbered = { ...event, seq: last - batch.length + 1 + index };
      for (const listener of this.#listeners) {
        try {
          listener(numbered);
        } catch (error) {
          // a failing dashboard or terminal must not end a run; its owner is notified
          process.emitWarning(error instanceof Error ? error : String(error));
        }
      }
    }
  }

  #fail(error: Error): void {
    this.#failure = error;
    this.#waiting = [];
    this.#onFailure(error);
  }
}
