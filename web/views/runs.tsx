import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { RunSummary } from '../../src/shared/api.ts';
import { useAnswer, useData, useNow } from '../data/context.ts';
import { count, moment, percent, seconds } from '../data/format.ts';
import { Card, Empty, Shown } from '../parts/blocks.tsx';
import { Bar } from '../parts/marks.tsx';
import { href } from '../route.ts';
import { Heading, sourcesOf } from './heading.tsx';
import type { ViewProps } from './props.ts';

/** All runs, newest first; two of them can be laid side by side. */
export function RunsView({ run }: ViewProps): JSX.Element {
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
              <Table
                runs={value.runs}
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

/** The older one first: gains and losses read forward in time. */
function inOrder(chosen: readonly string[], runs: readonly RunSummary[]): readonly string[] {
  return [...chosen].sort(
    (one, two) => runs.findIndex(({ run }) => run === two) - runs.findIndex(({ run }) => run === one),
  );
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
            <th class="n">CPU</th>
            <th class="n">Wall clock</th>
            <th class="n">Utilisation</th>
            <th class="n">Seed</th>
            <th>Toolchain</th>
          </tr>
        </thead>
        <tbody>
          {runs.map((run, index) => (
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
                <a class="link" href={href(['now'], { run: index === 0 ? null : run.run })}>
                  {run.command}
                </a>{' '}
                <span class="quiet">{sourcesOf(run)}</span>
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
              <td class="n">{seconds(run.cpu_seconds)}</td>
              <td class="n">{seconds(run.wall_seconds)}</td>
              <td class="n">{percent(run.utilisation)}</td>
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
  return run.reason === 'timeout' ? 'time was up' : (run.reason ?? 'finished');
}
