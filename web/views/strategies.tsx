import type { JSX } from 'preact';
import type { RunDetail, Stats } from '../../src/shared/api.ts';
import { outcomeKinds } from '../../src/shared/events.ts';
import type { StrategyHour, StrategyRow } from '../../src/shared/ledger.ts';
import { useAnswer } from '../data/context.ts';
import { count, percent, seconds } from '../data/format.ts';
import { Card, Empty, Shown } from '../parts/blocks.tsx';
import { Bar, Columns, Legend, Spark, Stack } from '../parts/marks.tsx';
import { replaceQuery, type Route } from '../route.ts';
import { Heading } from './heading.tsx';
import type { ViewProps } from './props.ts';

const spans = { day: 'last 24 hours', run: 'this run', all: 'since the beginning' } as const;
type Span = keyof typeof spans;
const hourMs = 3_600_000;

export function StrategiesView({ route, run }: ViewProps): JSX.Element {
  const stats = useAnswer(
    `stats ${run}`,
    async (source) => await source.stats(run),
    ({ type }) => type === 'attempt-finished' || type === 'candidate-judged',
  );
  const course = useAnswer(
    `run ${run}`,
    async (source) => await source.run(run),
    ({ type }) => type === 'slate-started' || type === 'attempt-finished',
  );
  const detail = course.kind === 'here' ? course.value : null;
  return (
    <Shown answer={stats}>{(value) => <Strategies route={route} stats={value} detail={detail} />}</Shown>
  );
}

function Strategies({
  route,
  stats,
  detail,
}: {
  route: Route;
  stats: Stats;
  detail: RunDetail | null;
}): JSX.Element {
  const wanted = route.query.get('span');
  const span: Span = wanted === 'run' || wanted === 'all' ? wanted : 'day';
  const rows = { day: stats.arms_last_day, run: detail?.arms ?? [], all: stats.arms }[span];
  return (
    <>
      <Heading
        title="Strategies"
        right={
          <div class="chips" role="group" aria-label="Time">
            {(Object.keys(spans) as Span[]).map((each) => (
              <button
                key={each}
                type="button"
                class="chip"
                aria-pressed={each === span}
                onClick={() => replaceQuery(route, { span: each === 'day' ? null : each })}
              >
                {spans[each]}
              </button>
            ))}
          </div>
        }
      >
        Strategy performance
      </Heading>
      <div class="grid">
        <Card title="Attempts and proofs" note={spans[span]}>
          {rows.length === 0 ? (
            <Empty title="No attempts in this period" />
          ) : (
            <Table rows={rows} hours={stats.hours} now={stats.at} />
          )}
        </Card>
        <Scores detail={detail} />
      </div>
    </>
  );
}

function Table({
  rows,
  hours,
  now,
}: {
  rows: readonly StrategyRow[];
  hours: readonly StrategyHour[];
  now: number;
}): JSX.Element {
  const strategies = [...new Set(rows.map(({ strategy }) => strategy))];
  return (
    <>
      <div class="scroll">
        <table class="middle">
          <thead>
            <tr>
              <th>Strategy</th>
              <th class="n">Attempts</th>
              <th class="n">Proofs</th>
              <th title="of the attempts that were not cancelled">Proved</th>
              <th class="n">Mean time</th>
              <th class="n">CPU per proof</th>
              <th style={{ width: '180px' }}>Outcomes</th>
              <th>Per hour, last 24 hours</th>
            </tr>
          </thead>
          {strategies.map((strategy) => {
            const arms = rows.filter((row) => row.strategy === strategy);
            return (
              <tbody class="group" key={strategy}>
                <Line name={strategy} rows={arms} hours={byHour(hours, strategy, now)} />
                {arms.length > 1 || arms[0]?.arm !== strategy
                  ? arms.map((row) => <Line key={row.arm} name={row.arm} rows={[row]} isArm />)
                  : null}
              </tbody>
            );
          })}
        </table>
      </div>
      <Legend parts={outcomeParts(rows).filter(({ value }) => value > 0)} />
    </>
  );
}

function Line({
  name,
  rows,
  hours,
  isArm = false,
}: {
  name: string;
  rows: readonly StrategyRow[];
  hours?: readonly { whole: number; part: number }[];
  isArm?: boolean;
}): JSX.Element {
  const total = (value: (row: StrategyRow) => number): number =>
    rows.reduce((sum, row) => sum + value(row), 0);
  const attempts = total((row) => row.attempts);
  const successes = total((row) => row.successes);
  const cpu = total((row) => row.cpu_seconds);
  // cancelled attempts are not counted
  const decided = attempts - total((row) => row.outcomes.cancelled ?? 0);
  return (
    <tr class={isArm ? 'sub' : ''}>
      <td>{isArm ? name : <b>{name}</b>}</td>
      <td class="n">{count(attempts)}</td>
      <td class="n">{count(successes)}</td>
      <td style={{ whiteSpace: 'nowrap' }}>
        <Bar share={successes / decided} /> <span class="quiet">{percent(successes / decided)}</span>
      </td>
      <td class="n">{attempts === 0 ? '–' : seconds(total((row) => row.wall_seconds) / attempts)}</td>
      <td class="n">{successes === 0 ? '–' : seconds(cpu / successes)}</td>
      <td>
        <Stack thin label={`Outcomes of ${name}`} parts={outcomeParts(rows)} />
      </td>
      <td>
        {hours === undefined ? null : <Columns values={hours} label={`Attempts of ${name} by the hour`} />}
      </td>
    </tr>
  );
}

function outcomeParts(rows: readonly StrategyRow[]): { name: string; value: number }[] {
  return outcomeKinds.map((name) => ({
    name,
    value: rows.reduce((sum, row) => sum + (row.outcomes[name] ?? 0), 0),
  }));
}

function byHour(
  hours: readonly StrategyHour[],
  strategy: string,
  now: number,
): { whole: number; part: number }[] {
  const last = Math.floor(now / hourMs) * hourMs;
  const mine = hours.filter((row) => row.strategy === strategy);
  return Array.from({ length: 24 }, (_, index) => {
    const row = mine.find(({ hour }) => hour === last - (23 - index) * hourMs);
    return { whole: row?.attempts ?? 0, part: row?.successes ?? 0 };
  });
}

/** A small line chart per arm: its score at every choice. */
function Scores({ detail }: { detail: RunDetail | null }): JSX.Element {
  const series = new Map<string, { score: number; mean: number; trials: number }[]>();
  for (const point of detail?.scores ?? [])
    for (const choice of point.arms) series.set(choice.arm, [...(series.get(choice.arm) ?? []), choice]);
  const arms = [...series].sort(([one], [two]) => one.localeCompare(two));
  return (
    <Card title="Scores over time" note="per choice in this run: mean reward plus exploration">
      {arms.length === 0 ? (
        <Empty title="No choices yet" />
      ) : (
        <div class="scroll">
          <table class="middle">
            <thead>
              <tr>
                <th>Arm</th>
                <th>Score</th>
                <th class="n">Now</th>
                <th>Mean reward</th>
                <th class="n">Now</th>
                <th class="n">Trials</th>
                <th class="n">Chosen</th>
              </tr>
            </thead>
            <tbody>
              {arms.map(([arm, points]) => (
                <tr key={arm}>
                  <td>{arm}</td>
                  <td>
                    <Spark
                      values={points.map(({ score }) => score)}
                      width={180}
                      label={`Score of ${arm} over time`}
                    />
                  </td>
                  <td class="n">{points.at(-1)?.score.toFixed(3)}</td>
                  <td>
                    <Spark
                      values={points.map(({ mean }) => mean)}
                      width={180}
                      label={`Mean reward of ${arm} over time`}
                    />
                  </td>
                  <td class="n">{points.at(-1)?.mean.toFixed(3)}</td>
                  <td class="n">{count(points.at(-1)?.trials ?? 0)}</td>
                  <td class="n">{count(points.length)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Card>
  );
}
