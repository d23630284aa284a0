import type { RunEvent } from '../shared/events.ts';
import type { LedgerFile } from './ledger-file.ts';

export interface Batch {
  readonly events: readonly RunEvent[];
  /** The number of the last event. */
  readonly seq: number;
  /** As a server-sent message, built once for all clients. */
  readonly message: Uint8Array;
}

export interface TailListener {
  readonly batch: (batch: Batch) => void;
  /** The file was replaced, or too many events came at once. */
  readonly reset: (seq: number) => void;
}

/**
 * Polls five times per second while clients are connected, else once. A database that sends notifications is polled on each
 * one, and once per second in case one was lost.
 */
const watchedMs = 200;
const unwatchedMs = 1000;
/** A client that missed more events than this reloads everything, which is cheaper for both sides. */
export const largestGap = 5000;

/**
 * Follows the ledger's events for all clients. Events are read and serialised once, so each further client costs only the
 * sending.
 */
export class Tail {
  readonly #ledger: LedgerFile;
  readonly #listeners = new Set<TailListener>();
  readonly #onFailure: (error: unknown) => void;
  #watched = 0;
  #lastFailure = '';
  #timer: NodeJS.Timeout | undefined;
  #seq: number;
  #looking: Promise<void> = Promise.resolve();
  #isClosed = false;
  #unfollow: (() => Promise<void>) | undefined;

  static async open(ledger: LedgerFile, onFailure: (error: unknown) => void): Promise<Tail> {
    const { journal } = await ledger.read();
    const tail = new Tail(ledger, onFailure, await journal.lastSeq());
    tail.#unfollow = await journal.follow?.(() => void tail.#pollAndGoOn());
    return tail;
  }

  private constructor(ledger: LedgerFile, onFailure: (error: unknown) => void, seq: number) {
    this.#ledger = ledger;
    this.#onFailure = onFailure;
    this.#seq = seq;
    this.#schedule();
  }

  /** Number of the last event passed on. */
  get seq(): number {
    return this.#seq;
  }

  /** Number of connected clients. */
  get watched(): number {
    return this.#watched;
  }

  /** `isClient`: polls more often. Returns a function that unsubscribes. */
  listen(listener: TailListener, isClient = false): () => void {
    this.#listeners.add(listener);
    if (isClient && ++this.#watched === 1) this.#schedule();
    return () => {
      if (this.#listeners.delete(listener) && isClient) this.#watched--;
    };
  }

  /** Polls now. Polls never overlap, so events are passed on once and in order. */
  async poll(): Promise<void> {
    const look = this.#looking.then(async () => await this.#look());
    this.#looking = look.catch(() => undefined);
    await look;
  }

  async #look(): Promise<void> {
    const { journal } = await this.#ledger.read();
    const last = await journal.lastSeq();
    if (last === this.#seq) return;
    if (last < this.#seq || last - this.#seq > largestGap) {
      this.#seq = last;
      for (const { reset } of this.#listeners) reset(last);
      return;
    }
    const batch = batchOf(await journal.eventsSince(this.#seq, largestGap));
    if (!batch) return;
    this.#seq = batch.seq;
    for (const listener of this.#listeners) listener.batch(batch);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#listeners.clear();
    await this.#unfollow?.();
  }

  #schedule(): void {
    clearTimeout(this.#timer);
    if (this.#isClosed) return;
    const isWaiting = this.#watched > 0 && !this.#unfollow;
    this.#timer = setTimeout(() => void this.#pollAndGoOn(), isWaiting ? watchedMs : unwatchedMs);
  }

  async #pollAndGoOn(): Promise<void> {
    try {
      await this.poll();
      this.#lastFailure = '';
    } catch (error) {
      // do not repeat the same error five times per second
      if (String(error) !== this.#lastFailure) this.#onFailure(error);
      this.#lastFailure = String(error);
    }
    this.#schedule();
  }
}

/** Undefined for no events. */
export function batchOf(events: readonly RunEvent[]): Batch | undefined {
  const seq = events.at(-1)?.seq;
  return seq === undefined ? undefined : { events, seq, message: eventMessage('events', events, seq) };
}

const encoder = new TextEncoder();

/** One server-sent message. JSON contains no line breaks, so one line of data is enough. */
export function eventMessage(event: string, data: unknown, id?: number): Uint8Array {
  const idLine = id === undefined ? '' : `id: ${id}\n`;
  return encoder.encode(`event: ${event}\n${idLine}data: ${JSON.stringify(data)}\n\n`);
}
