import type { Clock } from '../core/clock.ts';
import type { LedgerFile } from './ledger-file.ts';
import { batchOf, largestGap, eventMessage, type Tail } from './tail.ts';

/** Proxies and sleeping laptops cut silent connections. A page that receives nothing for 12 s reports that. */
const heartbeatMs = 5000;
/** Maximum unread bytes per client; beyond that, the client must reload everything. */
const unreadBytes = 4 * 2 ** 20;

interface LiveParts {
  readonly ledger: LedgerFile;
  readonly tail: Tail;
  readonly clock: Clock;
}

/** The stream of server-sent events for one client. `since`: the last event it has; undefined: only new ones. */
export function liveStream(
  { ledger, tail, clock }: LiveParts,
  since: number | undefined,
): ReadableStream<Uint8Array> {
  let stop: (() => void) | undefined;
  let isOver = false;
  return new ReadableStream<Uint8Array>(
    {
      async start(controller) {
        let isLagging = false;
        const send = (message: Uint8Array): void => {
          const isFull = (controller.desiredSize ?? 0) <= 0;
          if (isLagging && isFull) return;
          // a reset replaces everything dropped, this message included
          controller.enqueue(isLagging ? eventMessage('reset', { seq: tail.seq }, tail.seq) : message);
          isLagging = (controller.desiredSize ?? 0) <= 0;
        };
        const heartbeat = (): void =>
          send(eventMessage('heartbeat', { seq: tail.seq, at: clock.date().getTime() }));
        const timer = setInterval(heartbeat, heartbeatMs);
        stop = () => clearInterval(timer);
        await tail.poll();
        heartbeat();
        // new events may arrive while the missed ones are read; repeat until there is no gap between the two
        let seq: number;
        let messages: Uint8Array[];
        do {
          seq = tail.seq;
          messages = await missed(ledger, seq, since);
        } while (tail.seq !== seq);
        for (const message of messages) send(message);
        if (isOver) return;
        const unlisten = tail.listen(
          {
            batch: ({ message }) => send(message),
            reset: (last) => send(eventMessage('reset', { seq: last }, last)),
          },
          true,
        );
        stop = () => {
          clearInterval(timer);
          unlisten();
        };
      },
      cancel() {
        isOver = true;
        stop?.();
      },
    },
    new ByteLengthQueuingStrategy({ highWaterMark: unreadBytes }),
  );
}

/** Events that a reconnecting client has missed. */
async function missed(ledger: LedgerFile, seq: number, since: number | undefined): Promise<Uint8Array[]> {
  if (since === undefined || since === seq) return [];
  if (since > seq || seq - since > largestGap) return [eventMessage('reset', { seq }, seq)];
  const found = await (await ledger.read()).journal.eventsSince(since, largestGap);
  const events = found.filter((event) => (event.seq ?? 0) <= seq);
  return batchOf(events) ? [eventMessage('events', events, seq)] : [];
}
