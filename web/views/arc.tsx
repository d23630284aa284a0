import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { defaultGoalQuery, type GoalListRow } from '../../src/shared/api.ts';
import { useAnswer } from '../data/context.ts';
import { count, plural } from '../data/format.ts';
import { Card, Empty, Shown } from '../parts/blocks.tsx';
import { GridImage, taskOf } from '../parts/grids.tsx';
import { State } from '../parts/marks.tsx';
import { Reliability } from '../parts/reliability.tsx';
import { href, replaceQuery } from '../route.ts';
import { Heading } from './heading.tsx';
import type { ViewProps } from './props.ts';

const step = 60;

/** Every ARC task of a run as a small picture; failures first, with a search by name. */
export function ArcView({ route, run }: ViewProps): JSX.Element {
  const search = route.query.get('q') ?? '';
  const [limit, setLimit] = useState(step);
  const tasks = useAnswer(
    `arc ${run} ${limit} ${search}`,
    async (source) => await source.goals(run, { ...defaultGoalQuery, topic: 'arc', search, limit }),
    ({ type }) => type === 'goal-closed' || type === 'goal-added' || type === 'run-started',
  );
  return (
    <>
      <Heading title="ARC">
        {tasks.kind === 'here'
          ? `${plural(tasks.value.total, 'task')}, ${count(tasks.value.counts.solved)} with a rule that fits`
          : ''}
      </Heading>
      <div class="tools" role="search">
        <input
          class="field search"
          type="search"
          placeholder="Search tasks"
          aria-label="Search tasks"
          value={search}
          onInput={(event) => replaceQuery(route, { q: event.currentTarget.value })}
        />
      </div>
      <Shown answer={tasks}>
        {({ goals, total }) =>
          goals.length === 0 ? (
            <Empty title={search === '' ? 'No ARC tasks in this run' : 'No matching tasks'} />
          ) : (
            <>
              <ul class="thumbnails">
                {goals.map((goal) => (
                  <Thumbnail key={goal.goal} goal={goal} run={run} />
                ))}
              </ul>
              {goals.length < total ? (
                <button
                  class="button under"
                  type="button"
                  onClick={() => setLimit(Math.min(500, limit + step))}
                >
                  Show more
                </button>
              ) : null}
            </>
          )
        }
      </Shown>
      <Card title="Confidence" note="stated probability across, share that was right up; tasks not fitted on">
        <Reliability />
      </Card>
    </>
  );
}

/** The first training pair, which identifies a task better than its name. */
function Thumbnail({ goal, run }: { goal: GoalListRow; run: string }): JSX.Element {
  const [pair] = taskOf(goal.statement).train;
  return (
    <li>
      <a href={href(['goals', goal.goal], { run: run === 'latest' ? null : run })}>
        {pair === undefined ? null : (
          <span class="pair">
            <GridImage rows={pair.input} name="first input" most={72} />
            <GridImage rows={pair.output} name="first output" most={72} />
          </span>
        )}
        <span class="row">
          <State of={goal.status} words={false} /> <span class="mono cut">{goal.goal}</span>
        </span>
      </a>
    </li>
  );
}
