/** One run: CPU use of orch and of other processes, once per second, as fractions of all cores. */
export interface Series {
  readonly target: number;
  /** Number of cores used by the foreign load. */
  readonly foreign: number;
  readonly mean: number;
  readonly others_mean: number;
  /** Deviation of the worst window from its expected value. */
  readonly worst: number;
  readonly own: readonly number[];
  readonly others: readonly number[];
}

const [width, height, margin] = [720, 110, 40] as const;

/** One chart per series: orch in green, other processes in grey, the target with its tolerance as a band. */
export function drawSeries(all: readonly Series[], tolerance: number): string {
  const drawn = all.map(
    (series, index) => `<g transform="translate(0 ${index * (height + 20)})">${draw(series, tolerance)}</g>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${all.length * (height + 20)}" font-family="sans-serif" font-size="12">${drawn.join('')}</svg>\n`;
}

function draw({ target, foreign, own, others }: Series, tolerance: number): string {
  const inner = { width: width - 2 * margin, height: height - margin };
  const x = (second: number): number => margin + (inner.width * second) / Math.max(1, own.length - 1);
  const y = (share: number): number => 20 + inner.height * (1 - Math.min(1, share));
  const line = (values: readonly number[], colour: string): string =>
    `<polyline fill="none" stroke="${colour}" points="${values.map((value, second) => `${x(second).toFixed(1)},${y(value).toFixed(1)}`).join(' ')}"/>`;
  const [low, high] = [y(target - tolerance), y(target + tolerance)];
  return (
    `<rect x="${margin}" y="${high.toFixed(1)}" width="${inner.width}" height="${(low - high).toFixed(1)}" fill="#009e73" opacity="0.15"/>` +
    line(others, '#999999') +
    line(own, '#009e73') +
    `<path d="M${margin} 20V${20 + inner.height}H${width - margin}" fill="none" stroke="#666666"/>` +
    `<text x="${margin}" y="14" fill="#333333">target ${target}, ${foreign === 0 ? 'alone' : `others on ${foreign} of the cores`}; ${own.length} seconds</text>`
  );
}
