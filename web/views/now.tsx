import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import {
  defaultGoalQuery,
  type GoalListRow,
  type InFlightAttempt,
  type Stats,
} from '../../src/shared/api.ts';
import { goalStatuses } from '../../src/shared/ledger.ts';
import type { ViewProps } from '../app.tsx';
import { useAnswer, useNow } from '../data/context.ts';
import { ago, bytes, count, percent, plural, seconds, whole } from '../data/format.ts';
import { Card, Empty, Figures, Shown } from '../parts/blocks.tsx';
import { Chart, type Line } from '../parts/chart.tsx';
import { Legend, Stack, State } from '../parts/marks.tsx';
import { href } from '../route.ts';
import { Controls } from './controls.tsx';
import { Heading, RunLine } from './heading.tsx';
import { useCourse, type TimedSample } from './series.ts';

const windowMs = 5 * 60_000;

/** One screen that answers "what is happening right now?". */
export function NowView({ run }: ViewProps): JSX.Element {
  const stats = useAnswer(
    `stats ${run}`,
    async (source) => await source.stats(run),
    () => true,
  );
  return <Shown answer={stats}>{(value) => <Overview stats={value} run={run} />}</Shown>;
}

function Overview({ stats, run: wanted }: { stats: Stats; run: string }): JSX.Element {
  const now = useNow();
  const { run } = stats;
  if (run === null)
    return (
      <Empty title="The ledger knows no run yet">
        Start one in another terminal, <code>orch bank</code> or <code>orch run FILE</code>: it shows up here
        by itself.
      </Empty>
    );
  const total = goalStatuses.reduce((sum, status) => sum + stats.goals[status], 0);
  const parts = ['solved', 'unsolved', 'racing', 'parked', 'queued'] as const;
  const spent = run.cpu_seconds ?? stats.sample?.cpu_seconds ?? null;
  const query = wanted === 'latest' ? {} : { run: wanted };
  return (
    <>
      <Heading title="Now" right={run.state === 'live' ? <Controls run={run} /> : undefined}>
        <RunLine run={run} now={now} />
      </Heading>
      <div class="grid">
        <Card>
          <Figures
            figures={[
              { name: 'Goals proved', value: count(stats.goals.solved), of: `of ${count(total)}` },
              { name: 'Closed without a proof', value: count(stats.goals.unsolved) },
              { name: 'Attempts under way', value: count(run.state === 'live' ? stats.in_flight.length : 0) },
              { name: 'CPU used', value: seconds(spent) },
              {
                name: run.state === 'finished' ? 'Utilisation' : 'CPU now',
                value: percent(run.utilisation ?? stats.sample?.utilisation),
                of: `target ${percent(run.config.cpu_target)}`,
              },
            ]}
          />
          <div style={{ marginTop: '18px' }}>
            <Stack label="Goals" parts={parts.map((name) => ({ name, value: stats.goals[name] }))} />
            <Legend parts={parts.map((name) => ({ name, value: stats.goals[name] }))} />
          </div>
        </Card>
        <div class="w5 column">
          {run.state === 'live' ? <Workers stats={stats} now={now} query={query} /> : null}
          <Queue stats={stats} />
          <Progress run={run.run} />
        </div>
        <div class="w7 column">
          <Cpu run={run.run} isLive={run.state === 'live'} />
          <Closed run={wanted} now={now} query={query} />
        </div>
      </div>
    </>
  );
}

function Workers({
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
              <span class="cut">
                {goal === null ? (
                  <span class="quiet">idle</span>
                ) : (
                  <>
                    <a class="link" href={href(['goals', goal], query)}>
                      {goal}
                    </a>{' '}
                    <span class="quiet">{arm}</span>
                  </>
                )}
              </span>
              <span class="n">{sinceOf(stats.in_flight, goal, now)}</span>
              <span class="n quiet" title={pid === null ? '' : `process ${pid}`}>
                {bytes(resident_bytes)}
              </span>
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

/** How fast goals are closed, and how many of them with a proof. */
function Progress({ run }: { run: string }): JSX.Element {
  const { progress: points } = useCourse(run);
  const lines = useMemo(
    (): Line[] => [
      { name: 'closed', colour: '--ink-3', values: points.map(({ closed }) => closed) },
      {
        name: 'proved',
        colour: '--accent',
        fill: '--accent-wash',
        values: points.map(({ solved }) => solved),
      },
    ],
    [points],
  );
  const times = useMemo(() => points.map(({ at }) => at), [points]);
  return (
    <Card title="Goals closed" note="over the whole run">
      {points.length < 2 ? (
        <Empty title="No goal closed yet" />
      ) : (
        <Chart
          times={times}
          lines={lines}
          format={whole}
          label="Closed and proved goals over time"
          height={172}
        />
      )}
    </Card>
  );
}

function Cpu({ run, isLive }: { run: string; isLive: boolean }): JSX.Element {
  const { samples } = useCourse(run);
  const { times, lines } = useMemo(() => cpuLines(samples, windowMs), [samples]);
  return (
    <Card title="CPU against target" note={isLive ? 'last five minutes' : 'its last five minutes'}>
      {times.length < 2 ? (
        <Empty title="No samples yet">A run writes one a second.</Empty>
      ) : (
        <Chart
          times={times}
          lines={lines}
          format={percent}
          label="CPU of orch against its target"
          height={172}
          top={1}
        />
      )}
    </Card>
  );
}

export function cpuLines(
  all: readonly TimedSample[],
  span: number,
): { times: readonly number[]; lines: readonly Line[] } {
  const end = all.at(-1)?.at ?? 0;
  const samples = all.filter(({ at }) => at >= end - span);
  return {
    times: samples.map(({ at }) => at),
    lines: [
      {
        name: 'others',
        colour: '--line-strong',
        fill: '--wash',
        values: samples.map(({ others }) => others),
      },
      {
        name: 'target',
        colour: '--ink-3',
        dashed: true,
        values: samples.map(({ cpu_target }) => cpu_target),
      },
      { name: 'orch', colour: '--accent', values: samples.map(({ utilisation }) => utilisation) },
    ],
  };
}

function Closed({
  run,
  now,
  query,
}: {
  run: string;
  now: number;
  query: Record<string, string>;
}): JSX.Element {
  const page = useAnswer(
    `closed ${run}`,
    async (source) =>
      await source.goals(run, {
        ...defaultGoalQuery,
        status: ['solved', 'unsolved'],
        sort: 'latest',
        limit: 8,
      }),
    ({ type }) => type === 'goal-closed' || type === 'run-started',
  );
  return (
    <Card
      title="Last closed goals"
      note={
        <a class="link" href={href(['goals'], query)}>
          all goals
        </a>
      }
    >
      <Shown answer={page}>
        {({ goals }) =>
          goals.length === 0 ? (
            <Empty title="None closed yet" />
          ) : (
            <ul class="feed closed">
              {goals.map((goal) => (
                <ClosedGoal key={goal.goal} goal={goal} now={now} query={query} />
              ))}
            </ul>
          )
        }
      </Shown>
    </Card>
  );
}

function ClosedGoal({
  goal,
  now,
  query,
}: {
  goal: GoalListRow;
  now: number;
  query: Record<string, string>;
}): JSX.Element {
  return (
    <li>
      <State of={goal.status} words={false} />
      <a class="link cut" href={href(['goals', goal.goal], query)}>
        {goal.goal}
      </a>
      <span class="quiet cut">{howItEnded(goal)}</span>
      <span class="n">{seconds(goal.cpu_seconds)}</span>
      <span class="n quiet">{goal.latest === null ? '' : ago(goal.latest, now)}</span>
    </li>
  );
}

function howItEnded({ status, attempts, reason }: GoalListRow): string {
  if (status !== 'solved') return reason ?? '';
  return attempts === 0 ? 'known from before' : plural(attempts, 'attempt');
}

function Queue({ stats }: { stats: Stats }): JSX.Element {
  const rows = [
    ['easy', stats.queue.easy],
    ['medium', stats.queue.medium],
    ['hard', stats.queue.hard],
  ] as const;
  const open = rows.reduce((sum, [, value]) => sum + value, 0);
  const most = Math.max(1, ...rows.map(([, value]) => value));
  return (
    <Card title="Queue by difficulty" note={`${count(open)} open`}>
      {open === 0 ? <p class="quiet">Nothing waits.</p> : null}
      <div class="queue" hidden={open === 0}>
        {rows.map(([name, value]) => (
          <div key={name}>
            <span>{name}</span>
            <span class="track">
              <i style={{ width: `${(value / most) * 100}%` }} />
            </span>
            <b class="n">{count(value)}</b>
          </div>
        ))}
      </div>
    </Card>
  );
}
