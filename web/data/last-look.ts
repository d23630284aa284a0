import { useEffect, useState } from 'preact/hooks';
import { defaultGoalQuery } from '../../src/shared/api.ts';
import { useData } from './context.ts';

/** When the page was last visible. Saved whenever it is hidden, so that another visit can read it. */
const key = 'orch-last-look';
/** Browsers limit timers of hidden pages to one per minute. */
const checkMs = 15_000;

export function lastLook(): number | null {
  const kept = localStorage.getItem(key);
  return kept === null ? null : Number(kept);
}

export function forgetLastLook(): void {
  localStorage.removeItem(key);
}

/** Goals closed after a time, grouped by outcome. */
export const closedSince = (since: number) =>
  ({
    ...defaultGoalQuery,
    status: ['solved', 'refuted', 'unsolved'],
    group: 'status',
    since,
    limit: 1,
  }) as const;

/** Number of goals closed since the page was hidden; 0 while it is visible. */
export function useSinceLastLook(run: string): number {
  const { source } = useData();
  const [closed, setClosed] = useState(0);
  useEffect(() => {
    if (source.made !== null) return;
    let timer = 0;
    const check = async (): Promise<void> => {
      const page = await source.goals(run, closedSince(lastLook() ?? Date.now())).catch(() => null);
      if (page !== null && document.hidden) setClosed(page.total);
    };
    const turned = (): void => {
      clearInterval(timer);
      setClosed(0);
      if (!document.hidden) return;
      localStorage.setItem(key, String(Date.now()));
      timer = window.setInterval(() => void check(), checkMs);
    };
    document.addEventListener('visibilitychange', turned);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', turned);
    };
  }, [source, run]);
  return closed;
}
