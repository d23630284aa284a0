import type { JSX } from 'preact';
import type { GoalView as Goal, InFlightAttempt } from '../../src/shared/api.ts';
import type { AttemptRow } from '../../src/shared/ledger.ts';
import { bytes, clock, count, plural, seconds } from '../data/format.ts';
import { Card, Code, Empty } from '../parts/blocks.tsx';
import { State } from '../parts/marks.tsx';

/** Longer pauses between attempts are drawn this long. */
const longestGapMs = 2000;

/** Every attempt as a bar on a time axis, oldest first; expanding one shows its tactics and Lean's message. */
export function Attempts({ goal, now }: { goal: Goal; now: number }): JSX.Element {
  const attempts = [...goal.attempt_rows].sort((one, two) => one.started - two.started);
  const scale = scaleOf(attempts, goal.in_flight, now);
  return (
    <Card
      title="Attempts"
      note={
        attempts.length === 0
          ? undefined
          : `${plural(attempts.length, 'attempt')}, oldest first; pauses are cut short`
      }
    >
      {attempts.length === 0 && goal.in_flight.length === 0 ? <Empty title="Not tried yet" /> : null}
      <div class="gantt">
        {attempts.map((attempt) => (
          <Attempt key={attempt.attempt} attempt={attempt} bar={scale(attempt.started, endOf(attempt))} />
        ))}
        {goal.in_flight.map(({ attempt, arm, started }) => (
          <div class="attempt" key={attempt}>
            <div class="summary">
              <State of="racing" />
              <span class="arm cut">{arm}</span>
              <Track bar={scale(started, now)} outcome="racing" />
              <span class="n">{seconds(Math.max(0, now - started) / 1000)}</span>
              <span class="n quiet">{clock(started)}</span>
            </div>
          </div>
        ))}
      </div>
    </Card>
  );
}

interface Bar {
  readonly left: number;
  readonly width: number;
}

const endOf = ({ started, wall_seconds }: AttemptRow): number => started + wall_seconds * 1000;

/** Positions on the time axis in percent, with long pauses shortened. */
function scaleOf(
  attempts: readonly AttemptRow[],
  running: readonly InFlightAttempt[],
  now: number,
): (from: number, to: number) => Bar {
  const spans = [
    ...attempts.map((attempt) => [attempt.started, endOf(attempt)] as const),
    ...running.map(({ started }) => [started, Math.max(started, now)] as const),
  ].sort(([one], [two]) => one - two);
  const cuts: { readonly at: number; readonly by: number }[] = [];
  let end = spans[0]?.[0] ?? 0;
  for (const [from, to] of spans) {
    if (from - end > longestGapMs) cuts.push({ at: from, by: from - end - longestGapMs });
    end = Math.max(end, to);
  }
  const short = (at: number): number => at - cuts.reduce((sum, cut) => sum + (cut.at <= at ? cut.by : 0), 0);
  const first = short(spans[0]?.[0] ?? 0);
  const whole = Math.max(1, short(end) - first);
  return (from, to) => ({ left: (short(from) - first) / whole, width: (short(to) - short(from)) / whole });
}

function Track({ bar, outcome }: { bar: Bar; outcome: AttemptRow['outcome'] | 'racing' }): JSX.Element {
  const style = { left: `${bar.left * 100}%`, width: `max(3px, ${bar.width * 100}%)` };
  return (
    <span class="lane" aria-hidden="true">
      <i class={`fill-${outcome}`} style={style} />
    </span>
  );
}

/** The goals an attempt left open, unless Lean's message contains them. */
const leftOpen = ({ error, next_goals }: AttemptRow): readonly string[] =>
  next_goals.filter((goal) => !error?.includes(goal));

function Attempt({ attempt, bar }: { attempt: AttemptRow; bar: Bar }): JSX.Element {
  const left = leftOpen(attempt);
  return (
    <details class="attempt">
      <summary class="summary">
        <State of={attempt.outcome} />
        <span class="arm cut">{attempt.arm}</span>
        <Track bar={bar} outcome={attempt.outcome} />
        <span class="n">{seconds(attempt.cpu_seconds)}</span>
        <span class="n quiet">{clock(attempt.started)}</span>
      </summary>
      <div>
        {attempt.error === null ? null : <Code text={attempt.error} label="error" />}
        {attempt.tactics.length === 0 ? null : (
          <div>
            <p class="label">{attempt.outcome === 'solved' ? 'Script' : 'Best partial script'}</p>
            <Code text={attempt.tactics.join('\n')} label="script" copy lean />
          </div>
        )}
        {left.length === 0 ? null : (
          <div>
            <p class="label">Remaining goals</p>
            <Code text={left.join('\n\n')} label="open goals" lean />
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
