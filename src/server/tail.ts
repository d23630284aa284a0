import type { RunEvent } from '../shared/events.ts';
import type { LedgerFile } from './ledger-file.ts';

export interface Batch {
  readonly events: readonly RunEvent[];
  /** The number of the last one. */
  readonly seq: number;
  /** As a server-sent message; made once for all clients. */
  readonly message: Uint8Array;
}

export interface TailListener {
  readonly batch: (batch: Batch) => void;
  /** The file was replaced by another, or too much has happened at once. */
  readonly reset: (seq: number) => void;
}

/** With somebody watching five times a second, else once: an event is seen within a fifth of a second. */
const watchedMs = 200;
const unwatchedMs = 1000;
/** Whoever missed more events than this loads everything again: that is cheaper for both sides. */
export const largestGap = 5000;

/**
 * Follows the ledger's events: the one poller that all clients share. What a client costs the run is therefore only what
 * sending costs; reading and writing out happen once.
 */
export class Tail {
  readonly #ledger: LedgerFile;
  readonly #listeners = new Set<TailListener>();
  readonly #onFailure: (error: unknown) => void;
  #watched = 0;
  #lastFailure = '';
  #timer: NodeJS.Timeout | undefined;
  #seq: number;

  constructor(ledger: LedgerFile, onFailure: (error: unknown) => void) {
    this.#ledger = ledger;
    this.#onFailure = onFailure;
    this.#seq = ledger.read().lastSeq();
    this.#schedule();
  }

  /** Everything up to here was handed on. */
  get seq(): number {
    return this.#seq;
  }

  /** How many clients watch. */
  get watched(): number {
    return this.#watched;
  }

  /** `isClient`: it wants to hear soon. The answer ends it. */
  listen(listener: TailListener, isClient = false): () => void {
    this.#listeners.add(listener);
    if (isClient && ++this.#watched === 1) this.#schedule();
    return () => {
      if (this.#listeners.delete(listener) && isClient) this.#watched--;
    };
  }

  /** Look now. */
  poll(): void {
    const ledger = this.#ledger.read();
    const last = ledger.lastSeq();
    if (last === this.#seq) return;
    if (last < this.#seq || last - this.#seq > largestGap) {
      this.#seq = last;
      for (const { reset } of this.#listeners) reset(last);
      return;
    }
    const batch = batchOf(ledger.eventsSince(this.#seq, largestGap));
    if (!batch) return;
    this.#seq = batch.seq;
    for (const listener of this.#listeners) listener.batch(batch);
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#listeners.clear();
  }

  #schedule(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(
      () => {
        try {
          this.poll();
          this.#lastFailure = '';
        } catch (error) {
          // five times a second would be too often to say the same
          if (String(error) !== this.#lastFailure) this.#onFailure(error);
          this.#lastFailure = String(error);
        }
        this.#schedule();
      },
      this.#watched > 0 ? watchedMs : unwatchedMs,
    );
  }
}

/** Undefined for no events. */
export function batchOf(events: readonly RunEvent[]): Batch | undefined {
  const seq = events.at(-1)?.seq;
  return seq === undefined ? undefined : { events, seq, message: messageOf('events', events, seq) };
}

const encoder = new TextEncoder();

/** One server-sent message. JSON has no line ends, so one line of data is enough. */
export function messageOf(event: string, data: unknown, id?: number): Uint8Array {
  const idLine = id === undefined ? '' : `id: ${id}\n`;
  return encoder.encode(`event: ${event}\n${idLine}data: ${JSON.stringify(data)}\n\n`);
}
