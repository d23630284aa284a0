import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { GoalStatus } from '../../src/shared/ledger.ts';
import { useAnswer, useData } from '../data/context.ts';
import { clock, count } from '../data/format.ts';
import { closedSince, forgetLastLook, lastLook } from '../data/last-look.ts';
import { href } from '../route.ts';

/** What happened since the user last looked; empty if nothing did. */
export function LastLook({ run }: { run: string }): JSX.Element | null {
  const { source } = useData();
  const [since, setSince] = useState(lastLook);
  useEffect(() => {
    const turned = (): void => {
      if (!document.hidden) setSince(lastLook());
    };
    document.addEventListener('visibilitychange', turned);
    return () => document.removeEventListener('visibilitychange', turned);
  }, []);
  return since === null || source.made !== null ? null : (
    <Since
      run={run}
      since={since}
      forget={() => {
        forgetLastLook();
        setSince(null);
      }}
    />
  );
}

function Since({
  run,
  since,
  forget,
}: {
  run: string;
  since: number;
  forget: () => void;
}): JSX.Element | null {
  const query = closedSince(since);
  const page = useAnswer(
    `since ${run} ${since}`,
    async (source) => await source.goals(run, query),
    ({ type }) => type === 'goal-closed',
  );
  if (page.kind !== 'here' || page.value.total === 0) return null;
  const of = (status: GoalStatus): number =>
    page.value.groups.find(({ name }) => name === status)?.total ?? 0;
  const notProved = of('unsolved') + of('refuted');
  return (
    <div class="banner" role="status">
      <span>
        Since you last looked at {clock(since)}: {count(of('solved'))} proved, {count(notProved)} not proved.
      </span>
      <a class="link" href={href(['goals'], { since: String(since), sort: 'latest' })}>
        Show them
      </a>
      <button class="button" type="button" onClick={forget}>
        Dismiss
      </button>
    </div>
  );
}
