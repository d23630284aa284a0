import type { JSX } from 'preact';
import type { Stats } from '../../src/shared/api.ts';
import { goalStatuses } from '../../src/shared/ledger.ts';
import { useAnswer, useNow } from '../data/context.ts';
import { count, percent, seconds } from '../data/format.ts';
import { Card, Empty, Figures, Shown } from '../parts/blocks.tsx';
import { Legend, Stack } from '../parts/marks.tsx';
import { Closed } from './closed-goals.tsx';
import { Controls } from './controls.tsx';
import { Cpu, Progress } from './course-charts.tsx';
import { Heading, RunLine } from './heading.tsx';
import { Workers } from './workers.tsx';
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
      <Empty title="The ledger knows no run yet">
        Start one in another terminal, <code>orch bank</code> or <code>orch run FILE</code>: it shows up here
        by itself.
      </Empty>
    );
  const total = goalStatuses.reduce((sum, status) => sum + stats.goals[status], 0);
  const parts = ['solved', 'refuted', 'unsolved', 'racing', 'parked', 'queued'] as const;
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
              {
                name: 'Closed without a proof',
                value: count(stats.goals.unsolved + stats.goals.refuted),
                ...(stats.goals.refuted > 0 && { of: `${count(stats.goals.refuted)} refuted` }),
              },
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
