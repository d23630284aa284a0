import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { GoalQuery } from '../../src/shared/api.ts';
import { useAnswer, useData } from '../data/context.ts';
import { inShell } from '../data/shell.ts';
import { plural } from '../data/format.ts';

/** Maximum retries per click. */
const most = 500;

/** Retries every goal of a filter: sends requests to an active run, or offers the command to copy if it has ended. */
export function RetryAll({
  run,
  query,
  found,
}: {
  run: string;
  query: GoalQuery;
  found: number;
}): JSX.Element | null {
  const { source } = useData();
  const [said, setSaid] = useState<string | null>(null);
  const stats = useAnswer(
    `stats ${run}`,
    async (each) => await each.stats(run),
    ({ type }) => type === 'run-started' || type === 'run-finished',
  );
  const isLive = stats.kind === 'here' && stats.value.run?.state === 'live';
  if (found === 0 || query.status.length === 0 || query.status.includes('solved')) return null;
  if (isLive && !source.canControl) return null;
  const retry = async (): Promise<void> => {
    setSaid('…');
    try {
      const { goals } = await source.goals(run, { ...query, group: null, offset: 0, limit: most });
      if (isLive) for (const { goal } of goals) await source.control({ run, action: 'retry', goal });
      else
        await navigator.clipboard.writeText(
          `orch retry ${goals.map(({ goal }) => inShell(goal)).join(' ')} --run ${run}`,
        );
      setSaid(isLive ? `${plural(goals.length, 'retry')} requested` : 'Copied');
    } catch (error) {
      setSaid(error instanceof Error ? error.message : String(error));
    }
  };
  const what = plural(Math.min(found, most), 'goal');
  return (
    <p>
      <button class="button" type="button" onClick={() => void retry()}>
        <span aria-live="polite">
          {said ?? (isLive ? `Retry ${what}` : `Copy retry command for ${what}`)}
        </span>
      </button>
    </p>
  );
}
