import { onTestFinished } from 'vitest';
import type { RunEvent } from '../../src/shared/events.ts';

export interface Message {
  readonly event: string;
  readonly id: number | undefined;
  readonly data: unknown;
}

/** A client of /api/events that reads message by message. */
export class Listening {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #decoder = new TextDecoder();
  #text = '';

  constructor(body: ReadableStream<Uint8Array>) {
    this.#reader = body.getReader();
  }

  async next(): Promise<Message> {
    for (;;) {
      const end = this.#text.indexOf('\n\n');
      if (end >= 0) {
        const message = parse(this.#text.slice(0, end));
        this.#text = this.#text.slice(end + 2);
        return message;
      }
      const { done, value } = await this.#reader.read();
      if (done) throw new Error('the stream has ended');
      this.#text += this.#decoder.decode(value, { stream: true });
    }
  }

  /** The next one that is not a heartbeat. */
  async nextNews(): Promise<Message> {
    for (;;) {
      const message = await this.next();
      if (message.event !== 'heartbeat') return message;
    }
  }

  async events(): Promise<readonly RunEvent[]> {
    const { event, data } = await this.nextNews();
    if (event !== 'events') throw new Error(`expected events, not ${event}`);
    return data as RunEvent[];
  }

  async close(): Promise<void> {
    await this.#reader.cancel();
  }
}

export async function listen(port: number, query = '', lastEventId?: number): Promise<Listening> {
  const headers = lastEventId === undefined ? {} : { 'last-event-id': String(lastEventId) };
  const response = await fetch(`http://127.0.0.1:${port}/api/events${query}`, { headers });
  if (!response.ok || !response.body) throw new Error(`answered ${response.status}`);
  const listening = new Listening(response.body);
  onTestFinished(async () => await listening.close());
  return listening;
}

function parse(text: string): Message {
  const fields = new Map(
    text.split('\n').map((line): [string, string] => {
      const colon = line.indexOf(': ');
      return [line.slice(0, colon), line.slice(colon + 2)];
    }),
  );
  const id = fields.get('id');
  return {
    event: fields.get('event') ?? '',
    id: id === undefined ? undefined : Number(id),
    data: JSON.parse(fields.get('data') ?? 'null') as unknown,
  };
}
