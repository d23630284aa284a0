import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { RunSummary } from '../../src/shared/api.ts';
import { endWord } from '../../src/shared/run-end.ts';
import { useAnswer, useData, useNow } from '../data/context.ts';
import { count, moment, percent, seconds } from '../data/format.ts';
import { Card, Empty, Shown } from '../parts/blocks.tsx';
import { Bar, Spark } from '../parts/marks.tsx';
import { href, replaceQuery } from '../route.ts';
import { Heading, sourcesOf } from './heading.tsx';
import type { ViewProps } from './props.ts';

/** All runs, newest first; two of them can be compared. */
export function RunsView({ route, run }: ViewProps): JSX.Element {
  const filter = route.query.get('q') ?? '';
  const { source } = useData();
  const runs = useAnswer(
    'runs',
    async (each) => await each.runs(),
    ({ type }) => type === 'run-started' || type === 'run-finished' || type === 'goal-closed',
  );
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const toggle = (id: string): void =>
    setChosen((old) => (old.includes(id) ? old.filter((each) => each !== id) : [...old, id].slice(-2)));
  const [a, b] = inOrder(chosen, runs.kind === 'here' ? runs.value.runs : []);
  return (
    <>
      <Heading
        title="Runs"
        right={
          source.made === null ? (
            a !== undefined && b !== undefined ? (
              <a class="button main" href={href(['runs', 'compare', a, b])}>
                Compare these two
              </a>
            ) : (
              <span class="quiet">Choose two to compare</span>
            )
          ) : undefined
        }
      />
      <Shown answer={runs}>
        {(value) =>
          value.runs.length === 0 ? (
            <Empty title="No runs yet" />
          ) : (
            <Card>
              <div class="tools" role="search">
                <input
                  class="field search"
                  type="search"
                  placeholder="Label, command, file, state"
                  aria-label="Filter runs"
                  value={filter}
                  onInput={(event) => replaceQuery(route, { q: event.currentTarget.value })}
                />
              </div>
              <Table
                runs={value.runs.filter((each) => matches(each, filter))}
                looked={run}
                chosen={chosen}
                toggle={source.made === null ? toggle : null}
              />
            </Card>
          )
        }
      </Shown>
    </>
  );
}

/** The older run first, so that gains and losses read forward in time. */
function inOrder(chosen: readonly string[], runs: readonly RunSummary[]): readonly string[] {
  return [...chosen].sort(
    (one, two) => runs.findIndex(({ run }) => run === two) - runs.findIndex(({ run }) => run === one),
  );
}

/** Comparable runs have the same command and sources. */
const kindOf = (run: RunSummary): string => `${run.command} ${sourcesOf(run)}`;

/** The fraction proved in comparable runs, oldest first, up to this run. */
function Trend({ runs, upTo }: { runs: readonly RunSummary[]; upTo: RunSummary }): JSX.Element {
  const earlier = runs.filter(({ started }) => started <= upTo.started).toReversed();
  if (earlier.length < 2) return <span class="quiet">–</span>;
  const shares = earlier.map((run) => run.goals_solved / Math.max(1, run.goals_total));
  const label = `share proved, ${earlier.length} runs: ${shares.map((share) => percent(share)).join(', ')}`;
  return <Spark values={shares} width={84} height={20} label={label} />;
}

/** Matches the filter text with label, command, sources, id, state and toolchain. */
function matches(run: RunSummary, text: string): boolean {
  const told = [run.label, run.command, ...run.sources, run.run, stateWord(run), run.toolchain]
    .join(' ')
    .toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => told.includes(word));
}

function Table({
  runs,
  looked,
  chosen,
  toggle,
}: {
  runs: readonly RunSummary[];
  looked: string;
  chosen: readonly string[];
  toggle: ((run: string) => void) | null;
}): JSX.Element {
  const now = useNow();
  const trends = Map.groupBy(runs, kindOf);
  return (
    <div class="scroll">
      <table>
        <thead>
          <tr>
            {toggle === null ? null : <th aria-label="Compare" />}
            <th>Run</th>
            <th>Started</th>
            <th>State</th>
            <th>Proved</th>
            <th title="share proved in the runs of the same command and sources, up to this one">Trend</th>
            <th class="n">CPU</th>
            <th class="n">Wall clock</th>
            <th class="n">Utilisation</th>
            <th class="n">Seed</th>
            <th>Toolchain</th>
          </tr>
        </thead>
        <tbody>
          {runs.map((run) => (
            <tr key={run.run}>
              {toggle === null ? null : (
                <td>
                  <input
                    type="checkbox"
                    aria-label={`Compare run ${run.run}`}
                    checked={chosen.includes(run.run)}
                    onChange={() => toggle(run.run)}
                  />
                </td>
              )}
              <td>
                <a class="link" href={href(['now'], { run: run.run })}>
                  {run.label ?? run.command}
                </a>{' '}
                <span class="quiet">
                  {run.label === null ? '' : `${run.command} `}
                  {sourcesOf(run)}
                </span>
                <span class="mono quiet block">{run.run}</span>
                <a class="quiet link" href={href(['runs', 'history'], { run: run.run })}>
                  history
                </a>
                {run.run === looked ? <span class="tag">shown</span> : null}
              </td>
              <td class="nowrap">{moment(run.started, now)}</td>
              <td class="nowrap">
                <span class="row">
                  <span
                    class="dot"
                    data-on={run.state === 'live' ? true : undefined}
                    data-warn={run.state === 'lost' ? true : undefined}
                  />
                  {stateWord(run)}
                </span>
              </td>
              <td class="nowrap">
                <Bar share={run.goals_solved / run.goals_total} /> {count(run.goals_solved)}
                <span class="quiet"> of {count(run.goals_total)}</span>
              </td>
              <td>
                <Trend runs={trends.get(kindOf(run)) ?? []} upTo={run} />
              </td>
              <td class="n">{seconds(run.so_far.cpu_seconds)}</td>
              <td class="n">{seconds(run.so_far.wall_seconds)}</td>
              <td class="n">{percent(run.so_far.utilisation)}</td>
              <td class="n">{run.seed}</td>
              <td class="quiet nowrap">{run.toolchain}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function stateWord(run: RunSummary): string {
  if (run.state === 'live') return run.paused ? 'paused' : 'running';
  if (run.state === 'lost') return 'lost';
  return endWord(run.reason ?? 'finished');
}
