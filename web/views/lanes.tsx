import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import type { Stats } from '../../src/shared/api.ts';
import { bytes, clock, seconds } from '../data/format.ts';
import { Card, Empty } from '../parts/blocks.tsx';
import { href } from '../route.ts';
import { useCourse, type TimedSample } from './series.ts';

const windowMs = 5 * 60_000;
/** Samples arrive once per second, thinned ones less often; a longer pause is a gap. */
const gapMs = 10_000;

/** The activity of each worker in the last minutes, one lane per worker; busy ones name their goal. */
export function Lanes({
  stats,
  now,
  query,
}: {
  stats: Stats;
  now: number;
  query: Record<string, string>;
}): JSX.Element {
  const run = stats.run?.run ?? '';
  const isLive = stats.run?.state === 'live';
  const { samples } = useCourse(run);
  const lanes = useMemo(() => lanesOf(samples), [samples]);
  const end = samples.at(-1)?.at ?? 0;
  const from = Math.max(end - windowMs, samples[0]?.at ?? 0);
  const busy = lanes.filter(({ goal }) => goal !== null).length;
  return (
    <Card
      title="Workers"
      note={
        lanes.length === 0 ? undefined : isLive ? `${busy} of ${lanes.length} busy` : 'its last five minutes'
      }
    >
      {lanes.length === 0 ? (
        <Empty title="No worker yet">
          {isLive ? 'Lean is being started.' : 'This run recorded no samples.'}
        </Empty>
      ) : (
        <>
          <ul class="lanes">
            {lanes.map((lane, index) => (
              <li key={index}>
                <span class="cut">
                  <span class="dot" data-on={isLive && lane.goal !== null ? true : undefined} />{' '}
                  {isLive && lane.goal !== null ? (
                    <a class="link" href={href(['goals', lane.goal], query)}>
                      {lane.goal}
                    </a>
                  ) : (
                    <span class="quiet">{isLive ? 'idle' : `worker ${index + 1}`}</span>
                  )}
                </span>
                <span class="lane" role="img" aria-label={spoken(lane, index)}>
                  {lane.spans
                    .filter(({ to }) => to >= from)
                    .map((span) => (
                      <i
                        key={span.from}
                        class={`tone-${span.tone}`}
                        title={`${span.goal}, ${seconds((span.to - span.from) / 1000)}`}
                        style={{
                          left: `${share(Math.max(span.from, from), from, end) * 100}%`,
                          width: `max(2px, ${(share(span.to, from, end) - share(Math.max(span.from, from), from, end)) * 100}%)`,
                        }}
                      />
                    ))}
                </span>
                <span class="n quiet">{bytes(lane.bytes)}</span>
                {isLive && lane.arm !== null ? (
                  <span class="quiet cut arms">
                    {lane.arm}, {sinceOf(lane, now)}
                  </span>
                ) : null}
              </li>
            ))}
            <li class="quiet" aria-hidden="true">
              <span />
              <span class="ends">
                <span>{clock(from)}</span>
                <span>{clock(end)}</span>
              </span>
            </li>
          </ul>
        </>
      )}
    </Card>
  );
}

interface Span {
  readonly goal: string;
  readonly from: number;
  to: number;
  /** Alternates between neighbours. */
  readonly tone: 0 | 1;
}

interface Lane {
  readonly spans: Span[];
  /** Its current goal. */
  goal: string | null;
  arm: string | null;
  bytes: number;
}

/** A worker keeps its position in the list when its process is replaced. */
function lanesOf(samples: readonly TimedSample[]): Lane[] {
  const lanes: Lane[] = [];
  for (const { at, workers } of samples)
    for (const [index, { goal, arm, resident_bytes }] of workers.entries()) {
      const lane = (lanes[index] ??= { spans: [], goal: null, arm: null, bytes: 0 });
      const last = lane.spans.at(-1);
      if (goal !== null && last?.goal === goal && at - last.to < gapMs) last.to = at;
      else if (goal !== null)
        lane.spans.push({ goal, from: at - 1000, to: at, tone: last?.tone === 0 ? 1 : 0 });
      Object.assign(lane, { goal, arm, bytes: resident_bytes });
    }
  return lanes;
}

function share(at: number, from: number, end: number): number {
  return end === from ? 0 : (at - from) / (end - from);
}

function sinceOf({ spans, goal }: Lane, now: number): string {
  const last = spans.at(-1);
  return goal === null || last === undefined
    ? ''
    : seconds(Math.max(0, Math.round((now - last.from) / 1000)));
}

function spoken({ spans }: Lane, index: number): string {
  return `worker ${index + 1}: ${spans.length} goals`;
}
