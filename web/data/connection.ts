import { silenceMs, type ServerMessages } from '../../src/shared/api.ts';
import type { RunEvent } from '../../src/shared/events.ts';

/**
 * The stream of events.
 *
 *     connecting ── a message ──▶ live ── an error, or 12 s of silence ──▶ stale since the last message
 *                                  ▲                                        │
 *                                  └──────────────── a message ─────────────┘
 *
 * A browser takes up a lost stream by itself and says where it was (Last-Event-ID); where it gives up (an answer that is no
 * stream) and after silence we open a new one, and say it in the address.
 */
export type ConnectionState =
  | { readonly kind: 'connecting' | 'live' }
  | { readonly kind: 'stale'; readonly since: number };

export interface Listener {
  events?(events: readonly RunEvent[]): void;
  /** Too much has happened meanwhile: whatever is shown has to be loaded again. */
  reset?(): void;
  state?(state: ConnectionState): void;
}

const checkMs = 1000;

export class Connection {
  state: ConnectionState = { kind: 'connecting' };
  readonly #listeners = new Set<Listener>();
  #stream: EventSource | undefined;
  #seq: number | undefined;
  #heard = Date.now();

  /** `since`: what the reader has seen already. */
  start(since?: number): void {
    this.#seq = since;
    this.#open();
    setInterval(() => this.#check(), checkMs);
  }

  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #open(): void {
    this.#stream?.close();
    const stream = new EventSource(
      this.#seq === undefined ? '/api/events' : `/api/events?since=${this.#seq}`,
    );
    this.#stream = stream;
    this.#on('heartbeat', () => {});
    this.#on('events', (events) => {
      const fresh = events.filter(({ seq }) => seq === undefined || seq > (this.#seq ?? 0));
      if (fresh.length === 0) return;
      this.#seq = fresh.at(-1)?.seq ?? this.#seq;
      for (const listener of this.#listeners) listener.events?.(fresh);
    });
    this.#on('reset', ({ seq }) => {
      this.#seq = seq;
      for (const listener of this.#listeners) listener.reset?.();
    });
    stream.addEventListener('error', () => this.#lost());
  }

  #on<Name extends keyof ServerMessages>(name: Name, hear: (message: ServerMessages[Name]) => void): void {
    this.#stream?.addEventListener(name, (message: MessageEvent<string>) => {
      this.#heard = Date.now();
      const wasLost = this.state.kind === 'stale';
      this.#become({ kind: 'live' });
      hear(JSON.parse(message.data) as ServerMessages[Name]);
      // another process may have written meanwhile, and a new server may have forgotten what it sent
      if (wasLost) for (const listener of this.#listeners) listener.reset?.();
    });
  }

  #check(): void {
    const isSilent = Date.now() - this.#heard > silenceMs;
    if (isSilent) this.#lost();
    if (isSilent || this.#stream?.readyState === EventSource.CLOSED) this.#open();
  }

  #lost(): void {
    if (this.state.kind !== 'stale') this.#become({ kind: 'stale', since: this.#heard });
  }

  #become(state: ConnectionState): void {
    if (state.kind === this.state.kind) return;
    this.state = state;
    for (const listener of this.#listeners) listener.state?.(state);
  }
}
