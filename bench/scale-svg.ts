import type { Simulated } from './scale-model.ts';

const [width, height, margin] = [720, 300, 50] as const;
const inner = { width: width - 2 * margin, height: height - 2 * margin };

/** One curve: fractions of 1 by number of workers. */
interface Curve {
  readonly name: string;
  readonly colour: string;
  readonly of: (simulated: Simulated) => number;
}

/** Utilisation of each part and efficiency, by number of workers. */
export function drawScale(all: readonly Simulated[]): string {
  const first = all[0];
  const alone = first ? first.goals_per_second / first.workers : 1;
  const curves: Curve[] = [
    {
      name: 'throughput ÷ (workers × one alone)',
      colour: '#000000',
      of: (one) => one.goals_per_second / (one.workers * alone),
    },
    { name: 'workers without a goal', colour: '#999999', of: ({ idle }) => idle },
    { name: 'judging', colour: '#d55e00', of: ({ busy }) => busy.judging },
    { name: 'the run’s thread', colour: '#0072b2', of: ({ busy }) => busy.thread },
    { name: 'database', colour: '#009e73', of: ({ busy }) => busy.database },
  ];
  const most = Math.log10(Math.max(10, ...all.map(({ workers }) => workers)));
  const x = (workers: number): number => margin + (inner.width * Math.log10(workers)) / most;
  const y = (share: number): number => margin + inner.height * (1 - Math.min(1, share));
  const lines = curves.map(({ colour, of }) => {
    const points = all.map((one) => `${x(one.workers).toFixed(1)},${y(of(one)).toFixed(1)}`).join(' ');
    return `<polyline fill="none" stroke="${colour}" stroke-width="2" points="${points}"/>`;
  });
  const names = curves.map(
    ({ name, colour }, index) =>
      `<text x="${margin + 10 + (index % 3) * 225}" y="${16 + 16 * Math.floor(index / 3)}" fill="${colour}">${name}</text>`,
  );
  const marks = all.map(
    ({ workers, goals_per_second }) =>
      `<text x="${x(workers).toFixed(1)}" y="${height - 32}" text-anchor="middle">${workers}</text>` +
      `<text x="${x(workers).toFixed(1)}" y="${height - 18}" text-anchor="middle" fill="#666666">${goals_per_second.toPrecision(2)}/s</text>`,
  );
  const shares = [0, 0.5, 1].map(
    (share) =>
      `<text x="${margin - 6}" y="${(y(share) + 4).toFixed(1)}" text-anchor="end">${100 * share} %</text>`,
  );
  const axes = `<path d="M${margin} ${margin}V${margin + inner.height}H${width - margin}" fill="none" stroke="#666666"/>`;
  const title = `<text x="${width / 2}" y="${height - 3}" text-anchor="middle" fill="#666666">workers, and goals per second</text>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12"><rect width="${width}" height="${height}" fill="#ffffff"/>${[axes, ...lines, ...names, ...marks, ...shares, title].join('')}</svg>\n`;
}
