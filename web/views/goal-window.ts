import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { GoalListRow, GoalPage, GoalQuery } from '../../src/shared/api.ts';
import type { EventType, RunEvent } from '../../src/shared/events.ts';
import { repeated, useData, useEvents } from '../data/context.ts';
import { rowAfter } from '../data/goal-row.ts';
import { paced } from '../data/pace.ts';
import { Recent } from '../data/recent.ts';

/** Rows per request. A screen shows about twenty rows, so at most two pages, however many goals exist. */
const pageSize = 100;

export interface GoalWindow {
  /** Null until the first page has loaded. */
  readonly page: GoalPage | null;
  readonly refused: string | null;
  readonly row: (index: number) => GoalListRow | undefined;
}

type Query = Omit<GoalQuery, 'offset' | 'limit'>;

/** Cached state of a query, so that the back button restores the list immediately. */
interface Loaded {
  page: GoalPage | null;
  refused: string | null;
  readonly rows: Map<number, LoadedPage>;
}
interface LoadedPage {
  /** Number of the last event included. */
  readonly seq: number;
  readonly goals: readonly GoalListRow[];
}
const remembered = new Recent<Loaded>(20);
/** An answer is at most a few seconds old; at most this many events may have followed it. */
const recentEvents = 2000;

const touching: ReadonlySet<EventType> = new Set([
  'run-started',
  'goal-added',
  'goal-examined',
  'slate-started',
  'goal-parked',
  'goal-closed',
  'attempt-finished',
]);

/** The goals between two indices of a sorted, filtered list, loaded page by page as they come into view. */
export function useGoalWindow(run: string, query: Query, first: number, last: number): GoalWindow {
  const { source } = useData();
  const key = JSON.stringify([run, query]);
  const loaded = useMemo(() => remember(key), [key]);
  const [, setVersion] = useState(0);
  const wanted = useRef({ first, last });
  wanted.current = { first, last };
  const load = useRef<(again: boolean) => void>(() => {});
  const known = useRef(0);
  const recent = useRef<readonly RunEvent[]>([]);

  useEffect(() => {
    let isOver = false;
    const stale = new Set<number>();
    const pending = new Map<number, Promise<void>>();
    const ask = async (number: number): Promise<void> => {
      try {
        const page = await source.goals(run, { ...query, offset: number * pageSize, limit: pageSize });
        loaded.page = page;
        loaded.refused = null;
        loaded.rows.set(number, page);
        applied(loaded, recent.current); // the page may predate these events
        stale.delete(number);
      } catch (error) {
        loaded.refused = error instanceof Error ? error.message : String(error);
      }
      pending.delete(number);
      if (!isOver) paced(() => setVersion((version) => version + 1));
    };
    const fetchPage = async (number: number): Promise<void> => {
      const asked = pending.get(number) ?? ask(number);
      pending.set(number, asked);
      await asked;
    };
    const inView = (): number[] => {
      const from = Math.floor(wanted.current.first / pageSize);
      const to = Math.floor(Math.max(wanted.current.first, wanted.current.last - 1) / pageSize);
      return Array.from({ length: to - from + 1 }, (_, index) => from + index);
    };
    const refresh = repeated(async () => {
      const visible = inView();
      // mark the other pages as stale; they are requested again when they come into view
      for (const number of loaded.rows.keys()) if (!visible.includes(number)) stale.add(number);
      await Promise.all(visible.map(fetchPage));
      if (loaded.page !== null && loaded.page.seq < known.current) refresh(); // the answer predates the event that triggered the request
    });
    load.current = (again) => {
      if (again) return refresh();
      for (const number of inView())
        if (!loaded.rows.has(number) || stale.has(number)) void fetchPage(number);
    };
    refresh();
    return () => {
      isOver = true;
    };
  }, [key, source]);

  useEffect(() => load.current(false), [first, last]);
  useEvents(
    (events) => {
      const touched = events.findLast(({ type }) => touching.has(type));
      if (touched === undefined) return;
      known.current = touched.seq ?? known.current;
      recent.current = [...recent.current, ...events].slice(-recentEvents);
      if (applied(loaded, events)) setVersion((version) => version + 1);
      load.current(true);
    },
    () => load.current(true),
  );

  // keep the previous query's rows until this one is answered, so that nothing flickers while the user types
  const answered = useRef(loaded);
  if (loaded.page !== null || loaded.refused !== null) answered.current = loaded;
  const { page, refused, rows } = answered.current;
  return {
    page,
    refused,
    row: (index) => rows.get(Math.floor(index / pageSize))?.goals[index % pageSize],
  };
}

/** Applies events to the loaded rows; returns whether any changed. */
function applied(loaded: Loaded, events: readonly RunEvent[]): boolean {
  const byGoal = Map.groupBy(events, (event) => ('goal' in event ? `${event.run} ${event.goal ?? ''}` : ''));
  const last = events.at(-1)?.seq ?? 0;
  let hasChanged = false;
  for (const [number, page] of loaded.rows) {
    if (last <= page.seq) continue;
    const goals = page.goals.map((row) => {
      const mine = (byGoal.get(`${row.run} ${row.goal}`) ?? []).filter(({ seq = 0 }) => seq > page.seq);
      hasChanged ||= mine.length > 0;
      return mine.reduce(rowAfter, row);
    });
    loaded.rows.set(number, { seq: last, goals });
  }
  return hasChanged;
}

function remember(key: string): Loaded {
  const known = remembered.get(key) ?? { page: null, refused: null, rows: new Map() };
  remembered.set(key, known);
  return known;
}
