import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { GoalView as Goal } from '../../src/shared/api.ts';
import { isClosed } from '../../src/shared/goal-query.ts';
import type { AttemptRow } from '../../src/shared/ledger.ts';
import { useAnswer, useData, useNow } from '../data/context.ts';
import { count, moment, plural, seconds } from '../data/format.ts';
import { inShell } from '../data/shell.ts';
import { reasonOf } from '../data/reasons.ts';
import { Card, Code, CopyButton, Facts, Figures, Shown } from '../parts/blocks.tsx';
import { State } from '../parts/marks.tsx';
import { href } from '../route.ts';
import { Rules, TaskBlock } from './arc-task.tsx';
import { useControl } from './controls.tsx';
import { Attempts } from './gantt.tsx';
import { Heading } from './heading.tsx';
import { LeanBlock } from './lean-block.tsx';
import { Searches } from './search.tsx';
import { Trail } from './trail.tsx';
import type { ViewProps } from './props.ts';

/** A single goal: statement, status, attempts with their reasons, and the proof. */
export function GoalView({ goal, run }: ViewProps & { goal: string }): JSX.Element {
  const answer = useAnswer(
    `goal ${run} ${goal}`,
    async (source) => await source.goal(run, goal),
    (event) => 'goal' in event && event.goal === goal,
  );
  return <Shown answer={answer}>{(value) => <Page goal={value} run={run} />}</Shown>;
}

function Page({ goal, run }: { goal: Goal; run: string }): JSX.Element {
  const now = useNow();
  const isTask = goal.topic === 'arc';
  return (
    <>
      <a class="quiet link" href={href(['goals'], { run: run === 'latest' ? null : run })}>
        Goals
      </a>
      <Heading title={goal.goal} right={<WhatToDo goal={goal} />}>
        <State of={goal.status} />
      </Heading>
      <div class="grid">
        {isTask ? <TaskBlock goal={goal} /> : <LeanBlock goal={goal} now={now} />}
        <Outcome goal={goal} />
        {isTask ? <Rules goal={goal} /> : null}
        <Card>
          <Figures
            figures={[
              { name: 'Attempts', value: count(goal.attempts), word: 'attempt' },
              { name: 'CPU used', value: seconds(goal.cpu_seconds), word: 'used CPU' },
              { name: 'Difficulty', value: goal.difficulty.toFixed(2), word: 'difficulty' },
              { name: 'Priority', value: goal.priority.toFixed(2), word: 'priority' },
            ]}
          />
        </Card>
        <Attempts goal={goal} now={now} />
        {isTask ? null : <Searches goal={goal} run={run} />}
        <InRuns goal={goal} now={now} />
        <details class="more">
          <summary class="link">Details: why these arms, features, identity</summary>
          <div class="grid">
            <Card title="Why these arms" note={plural(goal.slates.length, 'decision')}>
              <Trail goal={goal} />
            </Card>
            <About goal={goal} now={now} />
          </div>
        </details>
      </div>
    </>
  );
}

/** The same goal in other runs: cost and outcome. */
function InRuns({ goal, now }: { goal: Goal; now: number }): JSX.Element | null {
  if (goal.runs.length < 2) return null;
  return (
    <Card title="In all runs" note={plural(goal.runs.length, 'run')}>
      <ul class="feed runs-of-goal">
        {goal.runs.map((each) => (
          <li key={each.run}>
            <State of={each.status} />
            <a class="link cut" href={href(['goals', each.goal], { run: each.run })}>
              {each.label ?? each.command}, {moment(each.started, now)}
            </a>
            <span class="quiet">{each.run === goal.run ? 'shown' : ''}</span>
            <span class="n quiet">{plural(each.attempts, 'attempt')}</span>
            <span class="n">{seconds(each.cpu_seconds)}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** The result for an open goal: the counterexample, or the closest script with its remaining goals and Lean's message. */
function Outcome({ goal }: { goal: Goal }): JSX.Element {
  if (goal.proofs.length > 0) return <></>;
  if (goal.refuted !== null)
    return (
      <Card title="Counterexample" note="the statement is false">
        <Code text={goal.refuted} label="instance" tone="bad" copy lean />
      </Card>
    );
  if (goal.latest_error === null && goal.reason === null) return <></>;
  const closest = closestOf(goal.attempt_rows);
  return (
    <>
      {closest === undefined ? null : (
        <Card title="The closest script" note={`by ${closest.arm}`}>
          <Code text={closest.tactics.join('\n')} label="closest script" copy lean />
          <p class="label under">Left open: {plural(closest.next_goals.length, 'goal')}</p>
          <Code text={closest.next_goals.join('\n\n')} label="what was left open" lean />
        </Card>
      )}
      <Card title={goal.topic === 'arc' ? 'Last message' : 'Last message from Lean'} note={reasonOf(goal)}>
        {goal.latest_error === null ? (
          <p class="quiet">None yet.</p>
        ) : (
          <Code text={goal.latest_error} label="latest error" tone="bad" copy />
        )}
      </Card>
    </>
  );
}

/** Among attempts with progress, the one that left the fewest goals; of equals, the one with the shortest script. */
function closestOf(attempts: readonly AttemptRow[]): AttemptRow | undefined {
  return attempts
    .filter(({ tactics, next_goals }) => tactics.length > 0 && next_goals.length > 0)
    .toSorted(
      (one, two) => one.next_goals.length - two.next_goals.length || lengthLeft(one) - lengthLeft(two),
    )[0];
}

function lengthLeft({ next_goals }: AttemptRow): number {
  return next_goals.join('').length;
}

function About({ goal, now }: { goal: Goal; now: number }): JSX.Element {
  const features = Object.entries(goal.features ?? {});
  return (
    <Card title="About this goal">
      <Facts
        facts={[
          ['Topic', goal.topic ?? '–'],
          ['Label', goal.label ?? '–'],
          ['Latest attempt', goal.latest === null ? '–' : moment(goal.latest, now)],
          ['Identity', <span class="mono">{goal.goal_hash ?? 'not examined yet'}</span>],
          ['Environment', <span class="mono">{goal.fingerprint ?? '–'}</span>],
          [
            'Features',
            features.length === 0
              ? '–'
              : features.map(([name, value]) => `${name} ${round(value)}`).join(' · '),
          ],
          [
            'Helper lemmas',
            goal.tickets.length === 0
              ? 'none requested'
              : goal.tickets.map((ticket) => ticket.suggested_name).join(', '),
          ],
          ...goal.controls.map(
            (control) =>
              [
                moment(control.at, now),
                `${control.action} requested${control.obeyed === null ? '' : (control.obeyed.refused ?? ', done')}`,
              ] as const,
          ),
        ]}
      />
    </Card>
  );
}

const round = (value: number): string => String(Math.round(value * 100) / 100);

/** Actions: requests to an active run, or commands that retry the goal in a new run. */
function WhatToDo({ goal }: { goal: Goal }): JSX.Element | null {
  const { source } = useData();
  const runs = useAnswer(
    'runs',
    async (each) => await each.runs(),
    ({ type }) => type === 'run-started' || type === 'run-finished',
  );
  if (runs.kind !== 'here') return null;
  const isLive = runs.value.runs.some(({ run, state }) => run === goal.run && state === 'live');
  if (isLive) return source.canControl ? <Actions goal={goal} /> : null;
  if (goal.status === 'solved' || goal.topic === 'arc') return null;
  return <CopyButton text={`orch retry ${inShell(goal.goal)} --run ${goal.run}`} what="retry command" />;
}

function Actions({ goal }: { goal: Goal }): JSX.Element {
  const { said, isBusy, send } = useControl();
  const [priority, setPriority] = useState(goal.priority.toFixed(2));
  const { run } = goal;
  return (
    <>
      <span class="quiet" role="status">
        {said}
      </span>
      <button
        class="button"
        type="button"
        disabled={isBusy || goal.status === 'solved'}
        onClick={() => send({ run, action: 'retry', goal: goal.goal }, 'retry requested')}
      >
        Retry
      </button>
      <button
        class="button"
        type="button"
        disabled={isBusy || isClosed(goal.status)}
        onClick={() => send({ run, action: 'cancel', goal: goal.goal }, 'cancel requested')}
      >
        Cancel
      </button>
      <form
        class="row"
        onSubmit={(event) => {
          event.preventDefault();
          send(
            { run, action: 'priority', goal: goal.goal, priority: Number(priority) },
            'priority requested',
          );
        }}
      >
        <input
          class="field"
          style={{ width: '76px' }}
          type="number"
          min="0"
          max="1"
          step="0.05"
          aria-label="Priority, 0 to 1"
          value={priority}
          onInput={(event) => setPriority(event.currentTarget.value)}
        />
        <button class="button" type="submit" disabled={isBusy || isClosed(goal.status)}>
          Set priority
        </button>
      </form>
    </>
  );
}
