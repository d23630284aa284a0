import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import uPlot from 'uplot';
import { clock } from '../data/format.ts';
import { useTheme } from './theme.tsx';

export interface Line {
  readonly name: string;
  /** A CSS variable. */
  readonly colour: string;
  readonly fill?: string;
  readonly dashed?: boolean;
  /** Null where a value is unknown. */
  readonly values: readonly (number | null)[];
}

/** Lines over time, drawn by uPlot. The values under the pointer, or the last ones, are printed below. */
export function Chart({
  times,
  lines,
  label,
  format,
  height = 180,
  top,
  moment = clock,
}: {
  times: readonly number[];
  lines: readonly Line[];
  label: string;
  format: (value: number) => string;
  height?: number;
  /** Minimum upper end of the scale; it grows with the values. */
  top?: number;
  /** Formats a time on the axis. */
  moment?: (at: number) => string;
}): JSX.Element {
  const holder = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(undefined);
  const [under, setUnder] = useState<number | null>(null);
  const theme = useTheme();
  const names = lines.map(({ name }) => name).join('\n');

  useEffect(() => {
    const element = holder.current;
    if (element === null) return;
    const made = new uPlot(
      options(element, { lines, format, height, top, moment, setUnder }),
      table(times, lines),
      element,
    );
    plot.current = made;
    const watch = new ResizeObserver(() => {
      if (element.clientWidth > 0) made.setSize({ width: element.clientWidth, height });
    });
    watch.observe(element);
    return () => {
      watch.disconnect();
      made.destroy();
    };
    // other lines or colours need a new plot; new values are added to this one
  }, [names, theme, height]);

  useEffect(() => plot.current?.setData(table(times, lines)), [times, lines]);

  const index = under !== null && under < times.length ? under : times.length - 1;
  const at = times[index];
  return (
    <figure>
      <div class="chart" ref={holder} role="img" aria-label={label} style={{ height: `${height}px` }} />
      <figcaption class="legend">
        {lines.map(({ name, colour, dashed, values }) => (
          <span key={name}>
            <i class="rule" style={{ borderTop: `2px ${dashed ? 'dashed' : 'solid'} var(${colour})` }} />
            {name} {values[index] === null || values[index] === undefined ? '–' : format(values[index])}
          </span>
        ))}
        {at === undefined ? null : <span class="quiet">{moment(at)}</span>}
      </figcaption>
    </figure>
  );
}

interface Drawn {
  readonly lines: readonly Line[];
  readonly format: (value: number) => string;
  readonly height: number;
  readonly top: number | undefined;
  readonly moment: (at: number) => string;
  readonly setUnder: (index: number | null) => void;
}

const table = (times: readonly number[], lines: readonly Line[]): uPlot.AlignedData => [
  times.map((at) => at / 1000),
  ...lines.map(({ values }) => [...values]),
];

function options(
  element: HTMLElement,
  { lines, format, height, top, moment, setUnder }: Drawn,
): uPlot.Options {
  const ink = resolved(element, '--ink-3');
  const grid = { stroke: resolved(element, '--line'), width: 1 };
  const font = `11px ${getComputedStyle(element).fontFamily}`;
  const axis: uPlot.Axis = { stroke: ink, font, ticks: { show: false }, gap: 6 };
  return {
    width: Math.max(80, element.clientWidth),
    height,
    padding: [8, 22, 0, 0],
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { size: 7 } },
    scales: { y: { range: (_, __, most) => [0, Math.max(top ?? 0, (most || 0) * 1.08) || 1] } },
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: 24,
        space: 70,
        values: (_, marks) =>
          marks.map((at) =>
            moment === clock ? clock(at * 1000).slice(0, at % 60 === 0 ? 5 : 8) : moment(at * 1000),
          ),
      },
      { ...axis, grid, size: 54, space: 34, values: (_, marks) => marks.map(format) },
    ],
    series: [
      {},
      ...lines.map((line): uPlot.Series => ({
        label: line.name,
        stroke: resolved(element, line.colour),
        width: line.dashed ? 1.2 : 1.6,
        points: { show: false },
        ...(line.fill === undefined ? {} : { fill: resolved(element, line.fill) }),
        ...(line.dashed ? { dash: [4, 4] } : {}),
      })),
    ],
    hooks: { setCursor: [(self) => setUnder(self.cursor.idx ?? null)] },
  };
}

/** The value of a CSS variable in the active theme; a canvas cannot use variables. */
function resolved(element: HTMLElement, variable: string): string {
  const probe = document.createElement('span');
  probe.style.color = `var(${variable})`;
  element.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
