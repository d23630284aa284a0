import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { percent, whole } from '../data/format.ts';
import { Card, Empty } from '../parts/blocks.tsx';
import { Chart, type Line } from '../parts/chart.tsx';
import { useCourse, type TimedSample } from './series.ts';

const windowMs = 5 * 60_000;

/** Rates of closed and proved goals. */
export function Progress({ run }: { run: string }): JSX.Element {
  const { answer, progress: points } = useCourse(run);
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
      {answer.kind === 'waiting' ? (
        <div class="empty" aria-busy="true" />
      ) : points.length < 2 ? (
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

export function Cpu({ run, isLive }: { run: string; isLive: boolean }): JSX.Element {
  const { answer, samples } = useCourse(run);
  const { times, lines } = useMemo(() => cpuLines(samples, windowMs), [samples]);
  return (
    <Card title="CPU against target" note={isLive ? 'last five minutes' : 'its last five minutes'}>
      {answer.kind === 'waiting' ? (
        <div class="empty" aria-busy="true" />
      ) : times.length < 2 ? (
        <Empty title={isLive ? 'No samples yet' : 'No samples'}>A run writes one per second.</Empty>
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
        name: 'allowed',
        colour: '--ink-3',
        dashed: true,
        values: samples.map(({ cpu_target }) => cpu_target),
      },
      { name: 'orch', colour: '--accent', values: samples.map(({ utilisation }) => utilisation) },
    ],
  };
}
