import type { JSX } from 'preact';
import type { TicketStatus, OutcomeKind } from '../../src/shared/events.ts';
import type { GoalStatus, VerdictRow } from '../../src/shared/ledger.ts';
import { percent } from '../data/format.ts';

export type Mark = GoalStatus | OutcomeKind | VerdictRow['verdict'] | TicketStatus;

/** States differ by shape as well as by colour: a tick, a cross, a ring, two bars, a dot. */
const shapes: Readonly<Record<'tick' | 'cross' | 'ring' | 'bars' | 'dot' | 'dash', JSX.Element>> = {
  tick: <path d="M2.5 7.5 5.5 10.5 11.5 3.5" />,
  cross: <path d="M3.5 3.5 10.5 10.5M10.5 3.5 3.5 10.5" />,
  ring: <path d="M7 2.5a4.5 4.5 0 1 1-4.5 4.5" />,
  bars: <path d="M5 3.5v7M9 3.5v7" />,
  dot: <circle cx="7" cy="7" r="3.5" />,
  dash: <path d="M3.5 7h7" />,
};

const shapeOf: Readonly<Record<Mark, keyof typeof shapes>> = {
  solved: 'tick',
  accepted: 'tick',
  completed: 'tick',
  unsolved: 'cross',
  refuted: 'cross',
  failed: 'cross',
  rejected: 'cross',
  exhausted: 'cross',
  broken: 'cross',
  racing: 'ring',
  claimed: 'ring',
  parked: 'bars',
  blocked: 'bars',
  timeout: 'bars',
  queued: 'dot',
  stopped: 'dash',
  open: 'dot',
  cancelled: 'dash',
  merged: 'dash',
  unknown: 'dash',
};

/** `words: false` shows only the shape, for a narrow column; screen readers still get the word. */
export function State({ of, words = true }: { of: Mark; words?: boolean }): JSX.Element {
  return (
    <span class="state" data-state={of} title={of}>
      <svg
        width="14"
        height="14"
        viewBox="0 0 14 14"
        fill="none"
        stroke="currentColor"
        stroke-width="1.8"
        stroke-linecap="round"
        role="img"
        aria-label={of}
      >
        {shapes[shapeOf[of]]}
      </svg>
      {words ? of : null}
    </span>
  );
}

export function Bar({ share, grey = false }: { share: number; grey?: boolean }): JSX.Element {
  const width = `${Math.min(1, Math.max(0, share || 0)) * 100}%`;
  return (
    <span class={grey ? 'bar grey' : 'bar'} aria-hidden="true">
      <i style={{ width }} />
    </span>
  );
}

export interface Part {
  readonly name: string;
  readonly value: number;
}

/** Parts of a whole in one bar; the legend has the numbers. */
export function Stack({
  parts,
  thin = false,
  label,
}: {
  parts: readonly Part[];
  thin?: boolean;
  label: string;
}): JSX.Element {
  const total = parts.reduce((sum, { value }) => sum + value, 0);
  const shown = parts.filter(({ value }) => value > 0);
  const spoken = shown.map(({ name, value }) => `${name} ${value}`).join(', ');
  return (
    <div class={thin ? 'stack thin' : 'stack'} role="img" aria-label={`${label}: ${spoken || 'nothing'}`}>
      {shown.map(({ name, value }) => (
        <i
          key={name}
          class={`fill-${name}`}
          style={{ width: `${(value / total) * 100}%` }}
          title={`${name}: ${value} (${percent(value / total)})`}
        />
      ))}
    </div>
  );
}

export function Legend({ parts }: { parts: readonly Part[] }): JSX.Element {
  return (
    <div class="legend">
      {parts.map(({ name, value }) => (
        <span key={name}>
          <i class={`fill-${name}`} />
          {name} {value}
        </span>
      ))}
    </div>
  );
}

/** A small line chart without axes, scaled from 0 (or the minimum) to the maximum; the last point is marked. */
export function Spark({
  values,
  width = 120,
  height = 26,
  label,
}: {
  values: readonly number[];
  width?: number;
  height?: number;
  label: string;
}): JSX.Element {
  const most = Math.max(...values, 1e-9);
  const least = Math.min(...values, 0);
  const x = (index: number): number => 2 + (index / Math.max(1, values.length - 1)) * (width - 6);
  const y = (value: number): number => height - 3 - ((value - least) / (most - least)) * (height - 6);
  const points = values.map((value, index) => `${x(index).toFixed(1)},${y(value).toFixed(1)}`);
  const last = values.at(-1);
  return (
    <svg width={width} height={height} role="img" aria-label={label}>
      <title>{label}</title>
      <polyline
        points={points.join(' ')}
        fill="none"
        stroke="var(--ink-3)"
        stroke-width="1.3"
        stroke-linejoin="round"
      />
      {last === undefined ? null : (
        <circle cx={x(values.length - 1)} cy={y(last)} r="2.4" fill="var(--accent)" />
      )}
    </svg>
  );
}

/** A bar chart, with one bar per hour or similar interval. */
export function Columns({
  values,
  label,
  width = 120,
  height = 26,
}: {
  values: readonly { readonly whole: number; readonly part: number }[];
  label: string;
  width?: number;
  height?: number;
}): JSX.Element {
  const most = Math.max(...values.map(({ whole }) => whole), 1);
  const step = width / Math.max(1, values.length);
  const tall = (value: number): number => (value === 0 ? 0 : Math.max(1.5, (value / most) * (height - 2)));
  const column = (value: number, index: number, fill: string): JSX.Element => (
    <rect
      x={index * step}
      y={height - tall(value)}
      width={Math.max(1, step - 1)}
      height={tall(value)}
      fill={fill}
    />
  );
  return (
    <svg width={width} height={height} role="img" aria-label={label}>
      <title>{label}</title>
      <path d={`M0 ${height - 0.5}H${width}`} stroke="var(--line)" />
      {values.map(({ whole, part }, index) => (
        <g key={index}>
          {column(whole, index, 'var(--line-strong)')}
          {column(part, index, 'var(--accent)')}
        </g>
      ))}
    </svg>
  );
}
