import type { JSX } from 'preact';
import type { InFlightAttempt, Stats } from '../../src/shared/api.ts';
import { bytes } from '../data/format.ts';
import { Card, Empty } from '../parts/blocks.tsx';
import { href } from '../route.ts';

/** What each worker does this second. */
export function Workers({
  stats,
  now,
  query,
}: {
  stats: Stats;
  now: number;
  query: Record<string, string>;
}): JSX.Element {
  const workers = stats.sample?.workers ?? [];
  const busy = workers.filter(({ goal }) => goal !== null).length;
  return (
    <Card title="Workers" note={workers.length > 0 ? `${busy} of ${workers.length} busy` : undefined}>
      {workers.length === 0 ? (
        <Empty title="No worker yet">Lean is being started.</Empty>
      ) : (
        <ul class="feed workers">
          {workers.map(({ pid, goal, arm, resident_bytes }, index) => (
            <li key={pid ?? index}>
              <span class="dot" data-on={goal === null ? undefined : true} />
              {goal === null ? (
                <span class="quiet">idle</span>
              ) : (
                <a class="link cut" href={href(['goals', goal], query)}>
                  {goal}
                </a>
              )}
              <span class="n">{sinceOf(stats.in_flight, goal, now)}</span>
              <span class="n quiet" title={pid === null ? '' : `process ${pid}`}>
                {bytes(resident_bytes)}
              </span>
              {arm === null ? null : <span class="quiet arms">{arm}</span>}
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

/** A goal's arms race in one worker: it has worked on the goal since the first of them. */
function sinceOf(attempts: readonly InFlightAttempt[], goal: string | null, now: number): string {
  const starts = attempts.filter((attempt) => attempt.goal === goal).map(({ started }) => started);
  return starts.length === 0 ? '' : `${Math.max(0, Math.round((now - Math.min(...starts)) / 1000))} s`;
}
