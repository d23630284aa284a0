import { createContext } from 'preact';
import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import type { RunEvent } from '../../src/shared/events.ts';
import type { Connection, ConnectionState } from './connection.ts';
import { paced } from './pace.ts';
import { Recent } from './recent.ts';
import type { Source } from './source.ts';

export interface Data {
  readonly source: Source;
  /** Null in a report, which never changes. */
  readonly connection: Connection | null;
}

export const DataContext = createContext<Data | null>(null);

export function useData(): Data {
  const data = useContext(DataContext);
  if (data === null) throw new Error('a view outside the page');
  return data;
}

export type Answer<Value> =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'refused'; readonly why: string }
  | { readonly kind: 'here'; readonly value: Value };

/** The last answer to each query: a view that is opened again shows it immediately, then refreshes it. */
const remembered = new Recent<unknown>(60);
/** Pause between two queries of a view; the server does not update an answer more often. */
const askAgainMs = 250;

/** The source's answer to a query, refreshed when events affect it. `key` identifies the query. */
export function useAnswer<Value>(
  key: string,
  ask: (source: Source) => Promise<Value>,
  touches: (event: RunEvent) => boolean,
): Answer<Value> {
  const { source } = useData();
  const [answer, setAnswer] = useState<{ key: string; answer: Answer<Value> }>();
  const current = useRef({ ask, touches });
  current.current = { ask, touches };
  const again = useRef<() => void>(() => {});
  const known = useRef(0);

  useEffect(() => {
    let isOver = false;
    let wanted = known.current;
    let asksLeft = 0;
    const repeat = repeated(async () => {
      if (wanted !== known.current) asksLeft = asksForNews;
      wanted = known.current;
      const next = await answerOf(current.current.ask(source));
      if (next.kind === 'here') remembered.set(key, next.value);
      if (isOver) return;
      paced(() => {
        if (!isOver) setAnswer({ key, answer: next });
      });
      if (next.kind === 'here' && isOlder(next.value, wanted, --asksLeft > 0)) repeat();
    });
    again.current = repeat;
    repeat();
    return () => {
      isOver = true;
    };
  }, [key, source]);

  useEvents(
    (events) => {
      const touching = events.filter((event) => current.current.touches(event));
      if (touching.length === 0) return;
      known.current = touching.at(-1)?.seq ?? known.current;
      again.current();
    },
    () => again.current(),
  );

  if (answer?.key === key) return answer.answer;
  const last = remembered.get(key);
  return last === undefined ? { kind: 'waiting' } : { kind: 'here', value: last as Value };
}

async function answerOf<Value>(asked: Promise<Value>): Promise<Answer<Value>> {
  try {
    return { kind: 'here', value: await asked };
  } catch (error) {
    return { kind: 'refused', why: error instanceof Error ? error.message : String(error) };
  }
}

/**
 * The server updates an answer only a few times per second, so the answer may not include the event that triggered
 * the query. Most answers contain the number of the last event they include; the others are requested a few more
 * times.
 */
function isOlder(answer: unknown, seq: number, isNews: boolean): boolean {
  const { seq: counted } = answer as { readonly seq?: number };
  return counted === undefined ? isNews : counted < seq;
}
const asksForNews = 3;

/** Runs immediately, then on each call, one at a time with a pause between; never while the page is hidden. */
export function repeated(work: () => Promise<void>): () => void {
  let isBusy = false;
  let isWanted = false;
  const start = async (): Promise<void> => {
    if (isBusy || document.hidden) {
      isWanted = true;
      if (!isBusy) document.addEventListener('visibilitychange', () => void start(), { once: true });
      return;
    }
    isBusy = true;
    isWanted = false;
    await work();
    setTimeout(() => {
      isBusy = false;
      if (isWanted) void start();
    }, askAgainMs);
  };
  return () => void start();
}

/** Receives events as they arrive, and a signal when everything must be reloaded. */
export function useEvents(hear: (events: readonly RunEvent[]) => void, reset: () => void): void {
  const { connection } = useData();
  const current = useRef({ hear, reset });
  current.current = { hear, reset };
  useEffect(
    () =>
      connection?.listen({
        events: (events) => paced(() => current.current.hear(events)),
        reset: () => paced(() => current.current.reset()),
      }),
    [connection],
  );
}

export function useConnectionState(): ConnectionState | null {
  const { connection } = useData();
  const [state, setState] = useState(connection?.state ?? null);
  useEffect(() => {
    setState(connection?.state ?? null); // the first message may have arrived before this effect ran
    return connection?.listen({ state: setState });
  }, [connection]);
  return state;
}

/** The current time, updated every second; constant in a report. */
export function useNow(): number {
  const { source } = useData();
  const [now, setNow] = useState(source.made ?? Date.now());
  useEffect(() => {
    if (source.made !== null) return;
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [source]);
  return now;
}
