import type { JSX } from 'preact';
import { defaultGoalQuery, type GoalListRow } from '../../src/shared/api.ts';
import { useAnswer } from '../data/context.ts';
import { ago, plural, seconds } from '../data/format.ts';
import { reasonOf } from '../data/reasons.ts';
import { Card, Empty, Shown } from '../parts/blocks.tsx';
import { State } from '../parts/marks.tsx';
import { href } from '../route.ts';

interface ListProps {
  readonly run: string;
  readonly now: number;
  readonly query: Record<string, string>;
}

/** Goals that a person may have to look at: not proved, newest first. Renders nothing if there are none. */
export function Failures({ run, now, query }: ListProps): JSX.Element | null {
  const page = useAnswer(
    `failures ${run}`,
    async (source) =>
      await source.goals(run, {
        ...defaultGoalQuery,
        status: ['unsolved', 'refuted'],
        sort: 'latest',
        limit: 6,
      }),
    ({ type }) => type === 'goal-closed' || type === 'run-started',
  );
  if (page.kind !== 'here' || page.value.total === 0) return null;
  return (
    <Card
      title="Not proved"
      note={
        <a class="link" href={href(['goals'], { ...query, status: 'unsolved,refuted' })}>
          all {page.value.total}
        </a>
      }
    >
      <List goals={page.value.goals} now={now} query={query} />
    </Card>
  );
}

/** The goals that were proved last. */
export function Closed({ run, now, query }: ListProps): JSX.Element {
  const page = useAnswer(
    `closed ${run}`,
    async (source) =>
      await source.goals(run, { ...defaultGoalQuery, status: ['solved'], sort: 'latest', limit: 8 }),
    ({ type }) => type === 'goal-closed' || type === 'run-started',
  );
  return (
    <Card
      title="Last proved"
      note={
        <a class="link" href={href(['goals'], query)}>
          all goals
        </a>
      }
    >
      <Shown answer={page}>
        {({ goals }) =>
          goals.length === 0 ? (
            <Empty title="None proved yet" />
          ) : (
            <List goals={goals} now={now} query={query} />
          )
        }
      </Shown>
    </Card>
  );
}

function List({
  goals,
  now,
  query,
}: Omit<ListProps, 'run'> & { goals: readonly GoalListRow[] }): JSX.Element {
  return (
    <ul class="feed closed">
      {goals.map((goal) => (
        <ClosedGoal key={goal.goal} goal={goal} now={now} query={query} />
      ))}
    </ul>
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

function howItEnded({ status, attempts, reason, refuted }: GoalListRow): string {
  if (refuted !== null) return `false; counterexample: ${refuted}`;
  if (status !== 'solved') return reasonOf({ status, reason });
  return attempts === 0 ? 'known from before' : plural(attempts, 'attempt');
}
