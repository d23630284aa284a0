import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { defaultGoalQuery, type GoalListRow } from '../../src/shared/api.ts';
import { useAnswer } from '../data/context.ts';
import { ago, plural, seconds } from '../data/format.ts';
import { reasonOf } from '../data/reasons.ts';
import { Card, Code, Empty, Shown } from '../parts/blocks.tsx';
import { State } from '../parts/marks.tsx';
import { href } from '../route.ts';
import { ProofButtons } from './lean-block.tsx';

interface ListProps {
  readonly run: string;
  readonly now: number;
  readonly query: Record<string, string>;
}

/** Goals that may need attention: not proved, newest first. Renders nothing if there are none. */
export function Failures({ run, now, query }: ListProps): JSX.Element | null {
  const page = useAnswer(
    `failures ${run}`,
    async (source) =>
      await source.goals(run, {
        ...defaultGoalQuery,
        status: ['unsolved', 'refuted', 'stopped'],
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
        <a class="link" href={href(['goals'], { ...query, status: 'unsolved,refuted,stopped' })}>
          all {page.value.total}
        </a>
      }
    >
      <List goals={page.value.goals} now={now} query={query} />
    </Card>
  );
}

/** The most recently proved goals. */
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
  const [isOpen, setOpen] = useState(false);
  return (
    <li>
      <State of={goal.status} words={false} />
      <a class="link cut" href={href(['goals', goal.goal], query)}>
        {goal.goal}
      </a>
      <span class="quiet cut">{howItEnded(goal)}</span>
      <span class="n">{seconds(goal.cpu_seconds)}</span>
      <span class="n quiet">{goal.latest === null ? '' : ago(goal.latest, now)}</span>
      {goal.status !== 'solved' ? null : (
        <button class="chip" type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          proof
        </button>
      )}
      {isOpen ? <Proof goal={goal.goal} run={goal.run} /> : null}
    </li>
  );
}

function Proof({ goal, run }: { goal: string; run: string }): JSX.Element {
  const answer = useAnswer(
    `goal ${run} ${goal}`,
    async (source) => await source.goal(run, goal),
    () => false,
  );
  return (
    <div class="all">
      <Shown answer={answer}>
        {(value) => (
          <>
            <Code text={value.proofs.at(-1)?.proof ?? ''} label="proof" tone="good" lean />
            <div class="row under">
              <ProofButtons goal={value} />
            </div>
          </>
        )}
      </Shown>
    </div>
  );
}

function howItEnded({ status, attempts, reason, refuted }: GoalListRow): string {
  if (refuted !== null) return `false; counterexample: ${refuted}`;
  if (status !== 'solved') return reasonOf({ status, reason });
  return attempts === 0 ? 'proof reused' : plural(attempts, 'attempt');
}
