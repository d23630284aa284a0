import type { FoldResult } from '../core/lab/compare.ts';

const [width, height, margin] = [720, 360, 48] as const;
const colours: Readonly<Record<string, string>> = {
  ucb1: '#d55e00',
  static: '#0072b2',
  contextual: '#009e73',
};

/** The cumulative cost of each policy per goal, fold after fold, one line per policy. */
export function drawCourses(results: readonly FoldResult[]): string {
  const lines = [...Map.groupBy(results, ({ policy }) => policy)].map(([policy, its]) => ({
    policy,
    course: courseOf(its),
  }));
  const goals = Math.max(1, ...lines.map(({ course }) => course.length));
  const most = Math.max(1, ...lines.flatMap(({ course }) => course.at(-1) ?? 0));
  const x = (goal: number): number => margin + ((width - 2 * margin) * goal) / goals;
  const y = (spent: number): number => height - margin - ((height - 2 * margin) * spent) / most;
  const drawn = lines.map(({ policy, course }, index) => {
    const points = [0, ...course]
      .map((spent, goal) => `${x(goal).toFixed(1)},${y(spent).toFixed(1)}`)
      .join(' ');
    const colour = colours[policy] ?? '#000000';
    return (
      `<polyline fill="none" stroke="${colour}" stroke-width="2" points="${points}"/>` +
      `<text x="${margin + 8}" y="${margin + 18 * index}" fill="${colour}">${policy}: ${(course.at(-1) ?? 0).toFixed(0)} CPU-s</text>`
    );
  });
  const axes = `<path d="M${margin} ${margin}V${height - margin}H${width - margin}" fill="none" stroke="#666666"/>`;
  const labels =
    `<text x="${width - margin}" y="${height - 16}" text-anchor="end" fill="#666666">goals that at least one arm solves: ${goals}</text>` +
    `<text x="${margin}" y="${margin - 20}" fill="#666666">CPU-seconds spent, on folds not seen before</text>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="13">${axes}${labels}${drawn.join('')}</svg>\n`;
}

function courseOf(folds: readonly FoldResult[]): number[] {
  let before = 0;
  return folds.flatMap(({ course, cpu_seconds }) => {
    const shifted = course.map((spent) => before + spent);
    before += cpu_seconds;
    return shifted;
  });
}
