import type { LeanEngine } from './engine.ts';
import type { RunEvent } from '../shared/events.ts';

/**
 * The events of a running engine, in order. Leaving the loop stops the run: attempts in flight are cancelled and have ended when the loop is over.
 */
export async function* eventsOf(
  open: (listener: (event: RunEvent) => void) => Promise<LeanEngine>,
  signal: AbortSignal | undefined,
): AsyncGenerator<RunEvent, void, undefined> {
  const waiting: RunEvent[] = [];
  let news = Promise.withResolvers<void>();
  let isOver = false;
  const engine = await open((event) => {
    waiting.push(event);
    news.resolve();
  });
  const stop = (): void => engine.stop();
  signal?.addEventListener('abort', stop, { once: true });
  if (signal?.aborted) stop();
  const ended = engine.run().finally(() => {
    isOver = true;
    news.resolve();
  });
  ended.catch(() => undefined); // reported below, after every event
  try {
    for (;;) {
      yield* waiting.splice(0);
      if (isOver && waiting.length === 0) break;
      await news.promise;
      news = Promise.withResolvers<void>();
    }
    await ended;
  } finally {
    signal?.removeEventListener('abort', stop);
    stop();
    await ended.catch(() => undefined);
  }
}
