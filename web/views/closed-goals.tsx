import type { JSX } from 'preact';
import { defaultGoalQuery, type GoalListRow } from '../../src/shared/api.ts';
import { useAnswer } from '../data/context.ts';
import { ago, plural, seconds } from '../data/format.ts';
import { Card, Empty, Shown } from '../parts/blocks.tsx';
import { State } from '../parts/marks.tsx';
import { href } from '../route.ts';

/** The goals that were closed last, however they ended. */
export function Closed({
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
        status: ['solved', 'refuted', 'unsolved'],
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
