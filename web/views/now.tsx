import type { JSX } from 'preact';
import type { Stats } from '../../src/shared/api.ts';
import { goalStatuses } from '../../src/shared/ledger.ts';
import { useAnswer, useNow } from '../data/context.ts';
import { count, percent, seconds } from '../data/format.ts';
import { Card, Empty, Figures, Shown } from '../parts/blocks.tsx';
import { Legend, Stack } from '../parts/marks.tsx';
import { Closed, Failures } from './closed-goals.tsx';
import { Controls } from './controls.tsx';
import { Cpu, Progress } from './course-charts.tsx';
import { Groups } from './goal-groups.tsx';
import { Heading, RunLine } from './heading.tsx';
import { LastLook } from './last-look.tsx';
import { Lanes } from './lanes.tsx';
import type { ViewProps } from './props.ts';

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
      <Empty title="No runs yet">
        Start one in another terminal, <code>orch bank</code> or <code>orch run FILE</code>. It appears here
        automatically.
      </Empty>
    );
  const total = goalStatuses.reduce((sum, status) => sum + stats.goals[status], 0);
  const parts = ['solved', 'refuted', 'unsolved', 'stopped', 'racing', 'parked', 'queued'] as const;
  const query = wanted === 'latest' ? {} : { run: wanted };
  return (
    <>
      <Heading title="Now" right={run.state === 'live' ? <Controls run={run} /> : undefined}>
        <RunLine run={run} now={now} />
      </Heading>
      <LastLook run={run.run} />
      <div class="grid">
        <Card>
          <Figures
            figures={[
              {
                name: 'Goals proved',
                value: count(stats.goals.solved),
                of: `of ${count(total)}`,
                word: 'solved',
              },
              {
                name: 'Not proved',
                value: count(stats.goals.unsolved + stats.goals.refuted + stats.goals.stopped),
                note: withoutProof(stats.goals),
                word: 'refuted',
              },
              {
                name: 'Attempts in progress',
                value: count(run.state === 'live' ? stats.in_flight.length : 0),
              },
              { name: 'CPU used', value: seconds(run.so_far.cpu_seconds), word: 'used CPU' },
              {
                name: run.state === 'finished' ? 'Utilisation' : 'CPU now',
                value: percent(run.so_far.utilisation),
                note: `target ${percent(run.config.cpu_target)}`,
                word: run.state === 'finished' ? 'utilisation' : 'target',
              },
              {
                name: run.state === 'live' ? 'Time left' : 'Wall clock',
                value: run.state === 'live' ? timeLeft(stats, now) : seconds(run.so_far.wall_seconds),
              },
            ]}
          />
          <div style={{ marginTop: '18px' }}>
            <Stack label="Goals" parts={parts.map((name) => ({ name, value: stats.goals[name] }))} />
            <Legend parts={parts.map((name) => ({ name, value: stats.goals[name] }))} />
          </div>
        </Card>
        <div class="w7 column">
          <Failures run={wanted} now={now} query={query} />
          <Closed run={wanted} now={now} query={query} />
          <Groups run={wanted} query={query} />
        </div>
        <div class="w5 column">
          <Lanes stats={stats} now={now} query={query} />
          <Cpu run={run.run} isLive={run.state === 'live'} />
          <Progress run={run.run} />
          {run.state === 'live' ? <Queue stats={stats} /> : null}
        </div>
      </div>
    </>
  );
}

function withoutProof({ refuted, stopped }: Stats['goals']): string {
  return [
    ...(refuted > 0 ? [`${count(refuted)} refuted`] : []),
    ...(stopped > 0 ? [`${count(stopped)} not finished`] : []),
  ].join(', ');
}

/** Time until the timeout; without one, the estimate at the current pace. */
function timeLeft({ run, goals }: Stats, now: number): string {
  if (run === null) return '–';
  const passed = (now - run.started) / 1000;
  const { timeout } = run.config;
  const closed = goals.solved + goals.refuted + goals.unsolved;
  const open = goals.queued + goals.racing + goals.parked;
  const atThisPace = closed === 0 ? null : Math.round((passed / closed) * open);
  const most = timeout === null ? null : Math.max(0, Math.round(timeout - passed));
  if (atThisPace === null && most === null) return '–';
  return seconds(Math.min(atThisPace ?? Infinity, most ?? Infinity));
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
      {open === 0 ? <p class="quiet">No goals waiting.</p> : null}
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
