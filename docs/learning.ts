import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { standingOf } from '../src/core/lab/compare.ts';

/** `docs/LEARNING.md`, made from what the benches have left in `docs/learning/`; what was not measured is said to be so. */
export function learningPage(root: string): string {
  const part = <Part>(name: string, shape: z.ZodType<Part>, write: (measured: Part) => string): string => {
    const file = path.join(root, 'docs', 'learning', `${name}.json`);
    if (!existsSync(file)) return 'Not measured yet.\n';
    return write(shape.parse(JSON.parse(readFileSync(file, 'utf8'))));
  };
  const page = [
    '# What orch learns, and what that is worth',
    'Made by `npm run docs:learning` from the figures in `docs/learning/`; each part says which command makes them. CPU is CPU-seconds of Lean.',
    '## Which arm first',
    part('lab', Lab, labPart),
    '## Scripts of earlier goals',
    part('caches', Caches, cachesPart),
    '## Helper lemmas',
    part('market', Market, marketPart),
    '## Which goal of a search first',
    part('queue', Queue, queuePart),
    '## Keeping to a share of the machine',
    part('cpu', Cpu, cpuPart),
  ].join('\n\n');
  return page.replaceAll(/\n{3,}/g, '\n\n');
}

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

function labPart({ file, source }: z.infer<typeof Lab>): string {
  return [
    'Every arm was run on every goal alone, 2.4 CPU-seconds each (every second goal of the bank and of `real-dev`; `orch lab record SET --every 2 --cpu 2.4 --reached`), and each policy replayed over that: taught by all folds but one, measured on that one. The cheap arm goes first in all of them; *hindsight* is the cheapest arm that solves the goal (`orch lab compare`). Where there is one set only, nothing has taught a policy before it.',
    ...(
      [
        ['source file', file],
        ['set', source],
      ] as const
    ).map(([by, folds]) => foldTable(by, folds)),
    picture('lab.svg', 'what the policies had spent after each goal'),
  ].join('\n\n');
}

function foldTable(by: string, folds: readonly Fold[]): string {
  const policies = [...new Set(folds.map(({ policy }) => policy))];
  const rowOf = (name: string, its: readonly Fold[]): string => {
    const of = (policy: string): Fold[] => its.filter((one) => one.policy === policy);
    const sum = (all: readonly Fold[], key: 'goals' | 'cpu_seconds' | 'best_seconds'): number =>
      all.reduce((total, one) => total + one[key], 0);
    const one = of(policies[0] ?? '');
    const costs = policies.map((policy) => sum(of(policy), 'cpu_seconds').toFixed(1));
    return `| ${[name, sum(one, 'goals'), ...costs, sum(one, 'best_seconds').toFixed(1)].join(' | ')} |`;
  };
  const groups = Map.groupBy(folds, ({ fold }) => fold);
  return [
    `| unseen ${by} | goals | ${policies.join(' | ')} | hindsight |`,
    `|---|${'---|'.repeat(policies.length + 2)}`,
    ...[...groups].map(([name, its]) => rowOf(name, its)),
    rowOf('**all**', folds),
    '',
    standingLine(folds),
  ].join('\n');
}

/** What is asked of a policy that runs use by themselves: 85 % of the better rival, and half of its gap to hindsight. */
function standingLine(folds: readonly Fold[]): string {
  const standing = standingOf(folds, 'contextual');
  if (!standing) return '';
  const { rival, share, closed, possible } = standing;
  const wins = share <= 0.85 && closed >= 0.5;
  return `Contextual needs ${percent(share)} of ${rival}, the better rival, and closes ${percent(closed)} of its gap to hindsight; asked for are at most 85 % and at least half ${mark(wins)}. A policy that knew everything would need ${percent(possible)}: the cheap arm goes first, and what it costs where it fails is nobody's to save.`;
}

const Figure = z.object({ name: z.string(), value: z.number(), floor: z.number() });
const Caches = z.object({
  ...made,
  goals: z.number(),
  every: z.number(),
  solved: z.number(),
  figures: z.array(Figure),
});

function cachesPart({ goals, every, solved, figures, ...rest }: z.infer<typeof Caches>): string {
  const some = every === 1 ? 'all goals' : `every ${every}th goal`;
  return [
    `\`npm run bench:caches\` over ${some} of the bank (${goals}, ${solved} of them solved from nothing): CPU as a share of the same goals from nothing. ${where(rest)}`,
    '| | measured | at most |\n|---|---|---|',
  ]
    .join('\n\n')
    .concat(
      figures
        .map(
          ({ name, value, floor }) =>
            `\n| ${name} | ${value.toFixed(2)} ${mark(value <= floor)} | ${floor.toFixed(2)} |`,
        )
        .join(''),
    );
}

const Trial = z.object({
  goal: z.string(),
  solved: z.boolean(),
  cpu_seconds: z.number(),
  lemmas: z.array(z.string()),
});
const Market = z.object({
  ...made,
  cpu: z.number(),
  every: z.number(),
  on: z.array(Trial),
  off: z.array(Trial),
  refused: z.array(z.object({ goal: z.string(), isRefused: z.boolean() })),
});

function marketPart({ cpu, on, off, refused, ...rest }: z.infer<typeof Market>): string {
  const rows = on.map(
    (trial) =>
      `| ${trial.goal} | ${say(trial)} | ${say(off.find(({ goal }) => goal === trial.goal))} | ${trial.lemmas.map((lemma) => `\`${lemma.replaceAll('|', '\\|')}\``).join(' ')} |`,
  );
  return [
    `\`npm run bench:market\`: goals that need a helper lemma, ${cpu} CPU-seconds each, the lemma's included. With the market ${count(on)} of ${on.length} are closed, without it ${count(off)}; ${refused.filter(({ isRefused }) => isRefused).length} of ${refused.length} false statements are refused. ${where(rest)}`,
    ['| goal | market on, CPU | off, CPU | asked for |', '|---|---|---|---|', ...rows].join('\n'),
  ].join('\n\n');
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

function cpuPart({ window_seconds, tolerance, series, ...rest }: z.infer<typeof Cpu>): string {
  const rows = series.map(
    ({ target, foreign, mean, others_mean, worst }) =>
      `| ${percent(target)} | ${foreign === 0 ? 'alone' : `${foreign} busy cores`} | ${percent(others_mean)} | ${percent(mean)} | ${percent(worst)} ${mark(worst <= tolerance)} |`,
  );
  return [
    `\`npm run bench:cpu\`: in every window of ${window_seconds} s the share must lie within ${(100 * tolerance).toFixed(0)} points of the target, or of what others leave. ${where(rest)}`,
    [
      '| target | beside | others used | ours | worst window, off by |',
      '|---|---|---|---|---|',
      ...rows,
    ].join('\n'),
    picture('cpu.svg', 'the shares, second by second'),
  ].join('\n\n');
}

function where({ date, version, cores }: { date: string; version: string; cores: number }): string {
  return `(orch ${version}, ${cores} cores, ${date.slice(0, 10)})`;
}

function picture(name: string, text: string): string {
  return `![${text}](learning/${name})`;
}

function count(trials: readonly z.infer<typeof Trial>[]): number {
  return trials.filter(({ solved }) => solved).length;
}

function say(trial: z.infer<typeof Trial> | undefined): string {
  return trial ? `${mark(trial.solved)} ${trial.cpu_seconds.toFixed(1)}` : '';
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}

function mark(isGood: boolean): string {
  return isGood ? '✓' : '✗';
}

const Searched = z.object({ solved: z.number(), cpuSeconds: z.number(), steps: z.number() });
const Queue = z.object({
  ...made,
  file: z.string(),
  seconds: z.number(),
  unseen: z.number(),
  records: z.array(
    z.object({ kind: z.string(), taken: z.number(), led: z.number(), before: z.number(), cost: z.number() }),
  ),
  byHand: Searched,
  learned: Searched,
});

/** A few steps in a hundred are luck. */
const enough = 0.95;

function costsRow(name: string, { solved, cpuSeconds, steps }: z.infer<typeof Searched>): string {
  return `| ${name} | ${solved} | ${cpuSeconds.toFixed(1)} | ${steps} |`;
}

function queuePart(measured: z.infer<typeof Queue>): string {
  const { file, seconds, unseen, records, byHand, learned, ...rest } = measured;
  const taken = records.reduce((sum, one) => sum + one.taken, 0);
  const isBetter =
    learned.solved >= byHand.solved &&
    learned.steps < enough * byHand.steps &&
    learned.cpuSeconds < byHand.cpuSeconds;
  const kinds = records.map(
    ({ kind, taken: all, led, before, cost }) => `${kind} ${before} → ${cost} (${led} of ${all})`,
  );
  return [
    `What a step costs in the queue, learned from the steps of half of \`bench/${file}\` (\`src/lean/search/learn-score.ts\`: −ln of the share that led to a solution, beside the cost set by hand), and the ${unseen} goals of the other half searched with both, ${seconds} CPU-seconds a goal: \`npm run bench:queue\`. ${where(rest)}`,
    [
      '| costs | solved | CPU | steps |',
      '|---|---|---|---|',
      costsRow('set by hand', byHand),
      costsRow('learned', learned),
    ].join('\n'),
    `Learned, with how many of the steps taken led to a solution: ${kinds.join(', ')}.`,
    `Learned from ${taken} steps, they need ${percent(1 - learned.steps / byHand.steps)} fewer steps (which do not depend on the machine, as CPU does) on goals that they have not seen. ${isBetter ? '' : 'That is too little, from too few, to tell from luck: searches go by those set by hand.'}`.trim(),
  ].join('\n\n');
}
