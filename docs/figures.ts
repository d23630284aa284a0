import { readFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { policyStanding } from '../src/core/lab/compare.ts';

/** docs/FIGURES.md with its marked blocks filled in from the JSON that benchmarks left in docs/figures. */
export function figuresPage(root: string): string {
  let page = readFileSync(path.join(root, 'docs', 'FIGURES.md'), 'utf8');
  for (const [name, render] of Object.entries(parts)) {
    const [before, , after] = page.split(new RegExp(`<!-- (?:end of )?${name} -->\n`));
    if (before === undefined || after === undefined)
      throw new Error(`docs/FIGURES.md lacks the lines <!-- ${name} --> and <!-- end of ${name} -->`);
    const measured: unknown = JSON.parse(
      readFileSync(path.join(root, 'docs', 'figures', `${name}.json`), 'utf8'),
    );
    page = `${before}<!-- ${name} -->\n${render(measured)}\n<!-- end of ${name} -->\n${after}`;
  }
  return page;
}

const parts: Record<string, (measured: unknown) => string> = {
  lab: policies,
  caches: scripts,
  market: helperLemmas,
  cpu: cpuTargets,
  kernel: secondKernel,
};

const made = { date: z.string(), version: z.string(), cores: z.number() };

const Fold = z.object({
  fold: z.string(),
  policy: z.enum(['ucb1', 'static', 'contextual']),
  goals: z.number(),
  cpu_seconds: z.number(),
  best_seconds: z.number(),
  least_seconds: z.number(),
  course: z.array(z.number()),
});
const Lab = z.object({ file: z.array(Fold), source: z.array(Fold) });
type Fold = z.infer<typeof Fold>;

function policies(measured: unknown): string {
  const { file, source } = Lab.parse(measured);
  const names = [...new Set(file.map(({ policy }) => policy))];
  const row = (held: string, folds: readonly Fold[]): string => {
    const of = (policy: string): readonly Fold[] => folds.filter((one) => one.policy === policy);
    const first = of(names[0] ?? '');
    const costs = names.map((name) => sum(of(name), 'cpu_seconds').toFixed(1));
    const standing = policyStanding(folds, 'contextual');
    const share = standing ? `${percent(standing.share)} of ${standing.rival}` : '';
    return tableRow([held, sum(first, 'goals'), ...costs, sum(first, 'best_seconds').toFixed(1), share]);
  };
  return table(
    ['held out', 'goals', ...names, 'best arm in hindsight', 'contextual needs'],
    [row('source files', file), row('problem sets', source)],
  );
}

function sum(folds: readonly Fold[], key: 'goals' | 'cpu_seconds' | 'best_seconds'): number {
  return folds.reduce((total, fold) => total + fold[key], 0);
}

const Caches = z.object({
  ...made,
  goals: z.number(),
  every: z.number(),
  solved: z.number(),
  figures: z.array(z.object({ name: z.string(), value: z.number(), floor: z.number() })),
});

function scripts(measured: unknown): string {
  const { figures, goals, ...where } = Caches.parse(measured);
  const rows = figures.map(({ name, value, floor }) =>
    tableRow([name, `${value.toFixed(2)} ${mark(value <= floor)}`, floor.toFixed(2)]),
  );
  return `${goals} goals of the bank. ${conditions(where)}\n\n${table(['second run', 'CPU, as a share', 'wanted at most'], rows)}`;
}

const Trial = z.object({ goal: z.string(), solved: z.boolean(), cpu_seconds: z.number() });
const Market = z.object({
  ...made,
  cpu: z.number(),
  on: z.array(Trial),
  off: z.array(Trial),
  refused: z.array(z.object({ isRefused: z.boolean() })),
});

function helperLemmas(measured: unknown): string {
  const { cpu, on, off, refused, ...where } = Market.parse(measured);
  const stopped = refused.filter(({ isRefused }) => isRefused).length;
  return `${cpu} CPU-s per goal, its lemmas included: ${solvedIn(on)} of ${on.length} goals solved with helper lemmas, ${solvedIn(off)} without; ${stopped} of ${refused.length} false lemmas refused. ${conditions(where)}`;
}

function solvedIn(trials: readonly z.infer<typeof Trial>[]): number {
  return trials.filter(({ solved }) => solved).length;
}

const Cpu = z.object({
  ...made,
  window_seconds: z.number(),
  tolerance: z.number(),
  series: z.array(
    z.object({
      target: z.number(),
      foreign: z.number(),
      mean: z.number(),
      others_mean: z.number(),
      worst: z.number(),
    }),
  ),
});

function cpuTargets(measured: unknown): string {
  const { window_seconds: seconds, tolerance, series, ...where } = Cpu.parse(measured);
  const rows = series.map(({ target, foreign, mean, others_mean, worst }) =>
    tableRow([
      percent(target),
      foreign === 0 ? 'idle' : `${foreign} busy core`,
      percent(others_mean),
      percent(mean),
      `${percent(worst)} ${mark(worst <= tolerance)}`,
    ]),
  );
  const head = ['target', 'machine', 'others used', 'orch used', `worst ${seconds} s window, off by`];
  return `${conditions(where)}\n\n${table(head, rows)}`;
}

const Kernel = z.object({
  ...made,
  answers: z.object({ accept: z.number(), refuse: z.number(), decline: z.number() }),
  figures: z.array(z.object({ name: z.string(), value: z.number() })),
});

function secondKernel(measured: unknown): string {
  const { answers, figures, ...where } = Kernel.parse(measured);
  const of = (name: string): number => figures.find((figure) => figure.name === name)?.value ?? Number.NaN;
  const milliseconds = (name: string): string => `${of(name).toFixed(1)} ms`;
  const row = [
    answers.accept,
    answers.decline,
    answers.refuse,
    milliseconds("median CPU of Lean's judge"),
    milliseconds('median CPU of the second kernel'),
    `${of('peak memory of the process').toFixed(0)} MiB`,
  ];
  const head = ['accepted', 'declined', 'refused', "Lean's judge", 'second kernel', 'peak memory'];
  return `${conditions(where)}\n\n${table(head, [tableRow(row)])}`;
}

function conditions({ date, version, cores }: { date: string; version: string; cores: number }): string {
  return `(orch ${version}, ${cores} cores, ${date.slice(0, 10)})`;
}

function table(head: readonly string[], rows: readonly string[]): string {
  return [tableRow(head), `|${'---|'.repeat(head.length)}`, ...rows].join('\n');
}

function tableRow(cells: readonly (string | number)[]): string {
  return `| ${cells.join(' | ')} |`;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}

function mark(isGood: boolean): string {
  return isGood ? '✓' : '✗';
}
