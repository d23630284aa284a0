import { projectPath } from './network-source.ts';
import { silenceMs, type ServerMessages } from '../../src/shared/api.ts';
import type { RunEvent } from '../../src/shared/events.ts';

/**
 * The stream of events.
 *
 *     connecting ── a message ──▶ live ── an error, or 12 s of silence ──▶ stale since the last message
 *                                  ▲                                        │
 *                                  └──────────────── a message ─────────────┘
 *
 * A browser reconnects by itself and sends the last event id (Last-Event-ID). If it gives up (the response is not a stream),
 * or after silence, we open a new stream with the id in its URL. A hidden page closes its stream: a browser allows six
 * connections per server, so a seventh tab would wait forever.
 */
export type ConnectionState =
  | { readonly kind: 'connecting' | 'live' }
  | { readonly kind: 'stale'; readonly since: number };

export interface Listener {
  events?(events: readonly RunEvent[]): void;
  /** Too many events were missed: reload everything shown. */
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
  #opened = Date.now();
  /** Events may have been missed: reload everything on the next message. */
  #hasGap = false;

  /** `since`: the last event already received. */
  start(since?: number): void {
    this.#seq = since;
    this.#open();
    setInterval(() => this.#check(), checkMs);
    document.addEventListener('visibilitychange', () => this.#show(!document.hidden));
    addEventListener('pagehide', () => this.#show(false));
    addEventListener('pageshow', ({ persisted }) => {
      if (persisted) this.#show(true);
    });
  }

  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #show(isSeen: boolean): void {
    if (isSeen === (this.#stream !== undefined)) return;
    if (isSeen) return this.#open();
    this.#stream?.close();
    this.#stream = undefined;
    this.#hasGap = true;
  }

  #open(): void {
    this.#opened = Date.now();
    this.#stream?.close();
    const since = this.#seq === undefined ? '' : `?since=${this.#seq}`;
    const stream = new EventSource(`${projectPath()}/api/events${since}`);
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
      this.#become({ kind: 'live' });
      hear(JSON.parse(message.data) as ServerMessages[Name]);
      if (!this.#hasGap) return;
      this.#hasGap = false;
      for (const listener of this.#listeners) listener.reset?.();
    });
  }

  #check(): void {
    if (this.#stream === undefined) return;
    const isSilent = Date.now() - Math.max(this.#heard, this.#opened) > silenceMs;
    if (isSilent) this.#lost();
    if (isSilent || this.#stream?.readyState === EventSource.CLOSED) this.#open();
  }

  #lost(): void {
    this.#hasGap = true;
    if (this.state.kind !== 'stale') this.#become({ kind: 'stale', since: this.#heard });
  }

  #become(state: ConnectionState): void {
    if (state.kind === this.state.kind) return;
    this.state = state;
    for (const listener of this.#listeners) listener.state?.(state);
  }
}
