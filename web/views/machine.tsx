import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import type { RunDetail } from '../../src/shared/api.ts';
import { useNow } from '../data/context.ts';
import { bytes, clock, count, percent, seconds, whole } from '../data/format.ts';
import { Card, Empty, Facts, Figures, Shown } from '../parts/blocks.tsx';
import { Chart, type Line } from '../parts/chart.tsx';
import { cpuLines } from './course-charts.tsx';
import { Heading, RunLine } from './heading.tsx';
import { useCourse, type TimedSample } from './series.ts';
import type { ViewProps } from './props.ts';

/** Resource usage over the whole run. */
export function MachineView({ run }: ViewProps): JSX.Element {
  const { samples, answer } = useCourse(run);
  return <Shown answer={answer}>{(detail) => <Machine detail={detail} samples={samples} />}</Shown>;
}

function Machine({ detail, samples }: { detail: RunDetail; samples: readonly TimedSample[] }): JSX.Element {
  const now = useNow();
  const { run } = detail;
  return (
    <>
      <Heading title="Machine">
        <RunLine run={run} now={now} />
      </Heading>
      <div class="grid">
        <Card>
          <Figures
            figures={[
              {
                name: run.state === 'live' ? 'CPU now' : 'Utilisation',
                value: percent(run.so_far.utilisation),
                of: `target ${percent(run.config.cpu_target)}`,
              },
              { name: 'CPU used', value: seconds(run.so_far.cpu_seconds) },
              {
                name: run.state === 'live' ? 'Memory now' : 'Peak memory',
                value:
                  samples.length === 0
                    ? '–'
                    : bytes(memoryOf(run.state === 'live' ? samples.slice(-1) : samples)),
              },
              { name: 'Workers', value: count(run.config.workers) },
              { name: 'Cores', value: count(run.config.cores) },
            ]}
          />
        </Card>
        {samples.length < 2 ? (
          <Card>
            <Empty title={run.state === 'live' ? 'No samples yet' : 'No samples'}>
              A run writes one per second.
            </Empty>
          </Card>
        ) : (
          <Charts samples={samples} />
        )}
        <Card title="Settings of the run" class="w6">
          <Settings detail={detail} />
        </Card>
        <Card title="Notes" class="w6" note="newest first">
          {detail.notes.length === 0 ? (
            <p class="quiet">None.</p>
          ) : (
            <ul class="feed">
              {detail.notes.map((note, index) => (
                <li key={note.seq ?? index} style={{ gridTemplateColumns: '68px minmax(0, 1fr)' }}>
                  <span class="quiet">{clock(note.at)}</span>
                  <span style={{ overflowWrap: 'anywhere' }}>{note.text}</span>
                </li>
              ))}
            </ul>
          )}
        </Card>
      </div>
    </>
  );
}

const memoryOf = (samples: readonly TimedSample[]): number =>
  Math.max(...samples.map(({ resident_bytes }) => resident_bytes));

function Charts({ samples }: { samples: readonly TimedSample[] }): JSX.Element {
  const cpu = useMemo(() => cpuLines(samples, Infinity), [samples]);
  const { times } = cpu;
  const memory = useMemo(
    (): Line[] => [
      {
        name: 'resident',
        colour: '--accent',
        fill: '--accent-wash',
        values: samples.map((each) => each.resident_bytes),
      },
    ],
    [samples],
  );
  const workers = useMemo(
    (): Line[] => [
      {
        name: 'started',
        colour: '--ink-3',
        dashed: true,
        values: samples.map((each) => each.workers.length),
      },
      {
        name: 'busy',
        colour: '--accent',
        values: samples.map((each) => each.workers.filter(({ goal }) => goal !== null).length),
      },
    ],
    [samples],
  );
  const queue = useMemo(
    (): Line[] => [
      { name: 'parked', colour: '--line-strong', values: samples.map((each) => each.parked) },
      { name: 'queued', colour: '--accent', values: samples.map((each) => each.queued) },
    ],
    [samples],
  );
  return (
    <>
      <Card title="CPU, as a share of all cores">
        <Chart times={times} lines={cpu.lines} format={percent} label="CPU over time" top={1} />
      </Card>
      <Card title="Memory" class="w4">
        <Chart times={times} lines={memory} format={bytes} label="Memory over time" height={150} />
      </Card>
      <Card title="Workers" class="w4">
        <Chart times={times} lines={workers} format={whole} label="Workers over time" height={150} />
      </Card>
      <Card title="Waiting goals and helper lemmas" class="w4">
        <Chart times={times} lines={queue} format={whole} label="Queue over time" height={150} />
      </Card>
    </>
  );
}

function Settings({ detail: { run } }: { detail: RunDetail }): JSX.Element {
  const { config } = run;
  return (
    <Facts
      facts={[
        ['Profile', config.profile],
        ['Toolchain', run.toolchain],
        ['Seed', run.seed],
        ['Time limit', config.timeout === null ? 'none' : seconds(config.timeout)],
        ['CPU per goal', seconds(config.goal_cpu)],
        ['Light and heavy slots', `${config.max_light}, ${config.max_heavy}`],
        ['Escalation threshold', config.escalate_threshold],
        [
          'Strategies',
          run.strategies
            .map(({ name, unavailable }) => (unavailable === null ? name : `${name} (${unavailable})`))
            .join(', '),
        ],
      ]}
    />
  );
}
