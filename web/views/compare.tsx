import type { JSX } from 'preact';
import type { Cell, ComparedGoal, RunComparison } from '../../src/shared/api.ts';
import { useAnswer, useNow } from '../data/context.ts';
import { useMemo } from 'preact/hooks';
import { count, moment, percent, plural, seconds, whole } from '../data/format.ts';
import { Card, Shown } from '../parts/blocks.tsx';
import { Chart } from '../parts/chart.tsx';
import { href } from '../route.ts';
import { Heading } from './heading.tsx';

/** Compares two runs: first the totals, then the goals that differ. */
export function CompareView({ a, b }: { a: string; b: string }): JSX.Element {
  const answer = useAnswer(
    `compare ${a} ${b}`,
    async (source) => await source.compare(a, b),
    (event) => event.type === 'goal-closed' && (event.run === a || event.run === b),
  );
  return (
    <>
      <a class="quiet link" href={href(['runs'])}>
        Runs
      </a>
      <Heading title="Two runs">A is the older, B the newer</Heading>
      <Shown answer={answer}>{(value) => <Comparison of={value} />}</Shown>
    </>
  );
}

function Comparison({ of }: { of: RunComparison }): JSX.Element {
  const now = useNow();
  const isOpen = of.a.state === 'live' || of.b.state === 'live';
  return (
    <div class="grid">
      <Card
        note={isOpen ? 'one run is still active: goals it has not reached count as not proved' : undefined}
      >
        <div class="scroll">
          <table class="compare">
            <thead>
              <tr>
                <th>{plural(of.both, 'goal')} in both</th>
                <th>A, {moment(of.a.started, now)}</th>
                <th>B, {moment(of.b.started, now)}</th>
              </tr>
            </thead>
            <tbody>
              {of.totals.map(({ name, a, b }) => (
                <tr key={name}>
                  <td>{names[name] ?? name}</td>
                  <td>{cell(name, a)}</td>
                  <td>{cell(name, b)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </Card>
      <Card title="Goals proved since the start of each run">
        <Overlay progress={of.progress} />
      </Card>
      <Goals title="Gained" note="proved in B, not in A" goals={of.gained} run={of.b.run} />
      <Goals title="Lost" note="proved in A, not in B" goals={of.lost} run={of.b.run} />
      <Goals title="Cheaper in B" goals={of.faster} run={of.b.run} />
      <Goals title="More expensive in B" goals={of.slower} run={of.b.run} />
      {of.only_in_a.length + of.only_in_b.length === 0 ? null : (
        <Card title="Only in one of them">
          <p class="quiet">
            {plural(of.only_in_a.length, 'goal')} only in A, {plural(of.only_in_b.length, 'goal')} only in B.
          </p>
        </Card>
      )}
    </div>
  );
}

/** The progress of both runs on one time axis: goals proved by each at every time in either. */
function Overlay({ progress: { a, b } }: { progress: RunComparison['progress'] }): JSX.Element {
  const { times, lines } = useMemo(() => {
    const at = [...new Set([...a, ...b].map((point) => point.at))].toSorted((one, two) => one - two);
    const along = (points: typeof a): (number | null)[] =>
      at.map((time) =>
        time > (points.at(-1)?.at ?? 0) ? null : (points.findLast((point) => point.at <= time)?.solved ?? 0),
      );
    return {
      times: at,
      lines: [
        { name: 'A', colour: '--ink-3', values: along(a) },
        { name: 'B', colour: '--accent', values: along(b) },
      ],
    };
  }, [a, b]);
  return (
    <Chart
      times={times}
      lines={lines}
      format={whole}
      moment={(at) => seconds(Math.round(at / 1000))}
      label="Goals proved in A and in B over time"
      height={172}
    />
  );
}

/** The server uses the names of the ledger's columns. */
const names: Readonly<Record<string, string>> = {
  goals_total: 'Goals',
  goals_solved: 'Proved',
  cpu_seconds: 'CPU used',
  wall_seconds: 'Wall clock',
  utilisation: 'Utilisation',
  profile: 'Profile',
  cpu_target: 'CPU target',
  workers: 'Workers',
  seed: 'Seed',
  toolchain: 'Toolchain',
  version: 'Version',
};

function cell(name: string, value: Cell): string {
  if (value === null) return '–';
  if (typeof value === 'string') return value;
  if (name.endsWith('_seconds')) return seconds(value);
  if (name === 'utilisation' || name === 'cpu_target') return percent(value);
  return Number.isInteger(value) ? count(value) : value.toFixed(2);
}

function Goals({
  title,
  note,
  goals,
  run,
}: {
  title: string;
  note?: string;
  goals: readonly ComparedGoal[];
  run: string;
}): JSX.Element {
  return (
    <Card class="w6" title={`${title}: ${count(goals.length)}`} note={note}>
      {goals.length === 0 ? (
        <p class="quiet">None.</p>
      ) : (
        <table class="compare">
          <thead>
            <tr>
              <th>Goal</th>
              <th>CPU in A</th>
              <th>CPU in B</th>
            </tr>
          </thead>
          <tbody>
            {goals.map(({ goal, cpu_seconds_a, cpu_seconds_b }) => (
              <tr key={goal}>
                <td style={{ overflowWrap: 'anywhere' }}>
                  <a class="link" href={href(['goals', goal], { run })}>
                    {goal}
                  </a>
                </td>
                <td>{seconds(cpu_seconds_a)}</td>
                <td>{seconds(cpu_seconds_b)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Card>
  );
}
