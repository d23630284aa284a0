import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { GoalView as Goal } from '../../src/shared/api.ts';
import { isClosed } from '../../src/shared/goal-query.ts';
import type { AttemptRow } from '../../src/shared/ledger.ts';
import { useAnswer, useData, useNow } from '../data/context.ts';
import { ago, bytes, clock, count, moment, plural, seconds } from '../data/format.ts';
import { Card, Code, Empty, Facts, Figures, Shown } from '../parts/blocks.tsx';
import { State } from '../parts/marks.tsx';
import { GridTaskView } from '../parts/grids.tsx';
import { href } from '../route.ts';
import { useControl } from './controls.tsx';
import { Heading } from './heading.tsx';
import { Trail } from './trail.tsx';
import type { ViewProps } from './props.ts';

/** A goal's own page: what it says, how it stands, what was tried and why, and the proof. */
export function GoalView({ goal, run }: ViewProps & { goal: string }): JSX.Element {
  const answer = useAnswer(
    `goal ${run} ${goal}`,
    async (source) => await source.goal(run, goal),
    (event) => 'goal' in event && event.goal === goal,
  );
  return <Shown answer={answer}>{(value) => <Page goal={value} run={run} />}</Shown>;
}

function Page({ goal, run }: { goal: Goal; run: string }): JSX.Element {
  const { source } = useData();
  const now = useNow();
  return (
    <>
      <a class="quiet link" href={href(['goals'], { run: run === 'latest' ? null : run })}>
        Goals
      </a>
      <Heading title={goal.goal} right={source.canControl ? <Actions goal={goal} /> : undefined}>
        <State of={goal.status} />
      </Heading>
      <div class="grid">
        <Card title="Statement" note={goal.source ?? undefined} class="w8">
          {goal.topic === 'arc' ? (
            <GridTaskView statement={goal.statement} />
          ) : (
            <Code text={goal.statement} label="statement" copy />
          )}
          {goal.preamble.trim() === '' ? null : (
            <details style={{ marginTop: '10px' }}>
              <summary class="quiet link">
                What it stands on, {plural(goal.preamble.split('\n').length, 'line')}
              </summary>
              <Code text={goal.preamble} label="preamble" />
            </details>
          )}
        </Card>
        <Card class="w4">
          <Figures
            figures={[
              { name: 'Attempts', value: count(goal.attempts) },
              { name: 'CPU used', value: seconds(goal.cpu_seconds) },
              { name: 'Difficulty', value: goal.difficulty.toFixed(2) },
              { name: 'Priority', value: goal.priority.toFixed(2) },
            ]}
          />
        </Card>
        <Outcome goal={goal} now={now} />
        <Card title="Why these arms" note={plural(goal.slates.length, 'decision')} class="w6">
          <Trail goal={goal} />
        </Card>
        <Attempts goal={goal} />
        <About goal={goal} now={now} />
      </div>
    </>
  );
}

/** The proof if there is one, or the instance that refutes the goal; else Lean's latest words, whole. */
function Outcome({ goal, now }: { goal: Goal; now: number }): JSX.Element {
  const proof = goal.proofs.at(-1);
  if (proof !== undefined)
    return (
      <Card title="Proof" note={`found by ${proof.arm}, ${ago(proof.at, now)}`}>
        <Code text={proof.proof} label="proof" tone="good" copy />
        <div class="tags" style={{ marginTop: '10px' }}>
          <span class="tag">{proof.assurance}</span>
          <span class="tag">{proof.toolchain}</span>
          {proof.axioms.map((axiom) => (
            <span class="tag" key={axiom}>
              {axiom}
            </span>
          ))}
          {proof.assumes.map((name) => (
            <span class="tag" key={name}>
              assumes {name}
            </span>
          ))}
        </div>
      </Card>
    );
  if (goal.refuted !== null)
    return (
      <Card title="It is false" note={goal.reason ?? undefined}>
        <p class="label">An instance that shows it</p>
        <Code text={goal.refuted} label="instance" tone="bad" copy />
      </Card>
    );
  if (goal.latest_error === null && goal.reason === null) return <></>;
  const last = goal.attempt_rows.at(-1);
  const left = last === undefined ? [] : leftOpen(last);
  return (
    <Card title="Lean’s latest words" note={goal.reason ?? undefined}>
      {goal.latest_error === null ? (
        <p class="quiet">None yet.</p>
      ) : (
        <Code text={goal.latest_error} label="latest error" tone="bad" copy />
      )}
      {left.length === 0 ? null : (
        <div style={{ marginTop: '10px' }}>
          <p class="label">What was left open</p>
          <Code text={left.join('\n\n')} label="what was left open" />
        </div>
      )}
    </Card>
  );
}

function Attempts({ goal }: { goal: Goal }): JSX.Element {
  const attempts = [...goal.attempt_rows].reverse();
  return (
    <Card title="Attempts" note="newest first" class="w6">
      {goal.in_flight.map(({ attempt, arm, started }) => (
        <div class="row" key={attempt} style={{ padding: '6px 0' }}>
          <State of="racing" /> <span>{arm}</span> <span class="quiet">since {clock(started)}</span>
        </div>
      ))}
      {attempts.length === 0 && goal.in_flight.length === 0 ? <Empty title="Not tried yet" /> : null}
      {attempts.map((attempt, index) => (
        <Attempt key={attempt.attempt} attempt={attempt} open={index === 0 && attempt.outcome !== 'solved'} />
      ))}
    </Card>
  );
}

/** What an attempt left open, unless Lean's words have it already. */
const leftOpen = ({ error, next_goals }: AttemptRow): readonly string[] =>
  next_goals.filter((goal) => !error?.includes(goal));

function Attempt({ attempt, open }: { attempt: AttemptRow; open: boolean }): JSX.Element {
  const left = leftOpen(attempt);
  return (
    <details class="attempt" open={open}>
      <summary>
        <State of={attempt.outcome} />
        <span class="arm cut">{attempt.arm}</span>
        <span class="n">{seconds(attempt.cpu_seconds)}</span>
        <span class="n quiet">{clock(attempt.started)}</span>
      </summary>
      <div>
        {attempt.error === null ? null : <Code text={attempt.error} label="error" />}
        {attempt.tactics.length === 0 ? null : (
          <div>
            <p class="label">{attempt.outcome === 'solved' ? 'Script' : 'Best partial script'}</p>
            <Code text={attempt.tactics.join('\n')} label="script" copy />
          </div>
        )}
        {left.length === 0 ? null : (
          <div>
            <p class="label">What was left open</p>
            <Code text={left.join('\n\n')} label="open goals" />
          </div>
        )}
        <p class="quiet">
          limits {attempt.params.cpu_seconds} CPU-s, {count(attempt.params.heartbeats)} heartbeats · wall
          clock {seconds(attempt.wall_seconds)} · reward{' '}
          {attempt.reward === null ? 'censored' : attempt.reward.toFixed(2)} ·{' '}
          {plural(attempt.cache_hits, 'cache hit')} · {bytes(attempt.peak_bytes)}
        </p>
      </div>
    </details>
  );
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
              ? 'none asked for'
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
