import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import type { Moment } from '../../src/shared/api.ts';
import { goalStatuses } from '../../src/shared/ledger.ts';
import { useAnswer } from '../data/context.ts';
import { clock, count, seconds } from '../data/format.ts';
import { Card, Figures, Shown } from '../parts/blocks.tsx';
import { Legend, Stack } from '../parts/marks.tsx';
import { href, replaceQuery, type Route } from '../route.ts';
import { Heading } from './heading.tsx';
import type { ViewProps } from './props.ts';

/** The state of a run at a chosen time, which is part of the URL. */
export function HistoryView({ route, run }: ViewProps): JSX.Element {
  const asked = route.query.get('at');
  const at = /^\d+$/.test(asked ?? '') ? Number(asked) : null;
  const moment = useAnswer(
    `history ${run} ${at ?? 'end'}`,
    async (source) => await source.history(run, at),
    (event) => event.run === run && at === null,
  );
  // keeps the slider and its focus until the next state has loaded
  const last = useRef(moment);
  if (moment.kind !== 'waiting') last.current = moment;
  const shown = last.current.kind === 'here' && last.current.value.run === run ? last.current : moment;
  return (
    <>
      <a class="quiet link" href={href(['runs'])}>
        Runs
      </a>
      <Heading title="History">The run at any moment</Heading>
      <Shown answer={shown}>{(value) => <State moment={value} at={at ?? value.at} route={route} />}</Shown>
    </>
  );
}

function State({
  moment,
  at,
  route,
}: {
  moment: Moment;
  /** The slider's position; the displayed state follows it. */
  at: number;
  route: Route;
}): JSX.Element {
  const { from, to, goals, cpu_seconds, in_flight, states, events } = moment;
  const passed = seconds(Math.round((at - from) / 1000));
  const all = goalStatuses.reduce((sum, status) => sum + goals[status], 0);
  const parts = goalStatuses.map((name) => ({ name, value: goals[name] }));
  const go = (wanted: number): void => replaceQuery(route, { at: String(wanted) });
  return (
    <div class="grid">
      <Card>
        <label class="scrub">
          <span>
            {clock(at)}, {passed} after the start
          </span>
          <input
            type="range"
            min={from}
            max={to}
            step={Math.max(1, Math.round((to - from) / 400))}
            value={at}
            aria-valuetext={`${clock(at)}, ${passed} after the start`}
            onInput={(event) => go(Number(event.currentTarget.value))}
          />
        </label>
        <Figures
          figures={[
            { name: 'Goals proved', value: count(goals.solved), of: `of ${count(all)}`, word: 'solved' },
            { name: 'Not proved', value: count(goals.unsolved + goals.refuted) },
            { name: 'Attempts in progress', value: count(in_flight.length) },
            { name: 'CPU charged to goals', value: seconds(cpu_seconds), word: 'used CPU' },
          ]}
        />
        <div style={{ marginTop: '18px' }}>
          <Stack label="Goals" parts={parts} />
          <Legend parts={parts} />
        </div>
      </Card>
      <Card
        class="w6"
        title="Goals"
        note={states.length < all ? `the first ${count(states.length)}` : undefined}
      >
        <div class="cells">
          {states.map(({ goal, status }) => (
            <a
              key={goal}
              class={`fill-${status}`}
              href={href(['goals', goal])}
              title={`${goal}: ${status}`}
              aria-label={`${goal}: ${status}`}
            />
          ))}
        </div>
      </Card>
      <Card class="w6" title="In progress and just before">
        <ul class="feed moments">
          {in_flight.map(({ attempt, goal, arm, started }) => (
            <li key={attempt}>
              <span class="quiet">{clock(started)}</span>
              <a class="link cut" href={href(['goals', goal])}>
                {goal}
              </a>
              <span class="cut">{arm} in progress</span>
            </li>
          ))}
          {events.map((event, index) => (
            <li key={index}>
              <span class="quiet">{clock(event.at)}</span>
              {event.goal === null ? (
                <span />
              ) : (
                <a class="link cut" href={href(['goals', event.goal])}>
                  {event.goal}
                </a>
              )}
              <span class="quiet cut" title={event.text}>
                {event.text}
              </span>
            </li>
          ))}
        </ul>
      </Card>
    </div>
  );
}
