import path from 'node:path';
import { parseArgs } from 'node:util';
import { openLean } from '../src/app/lean.ts';
import { settingsFrom } from '../src/app/settings.ts';
import { seedFrom } from '../src/core/rng.ts';
import type { SearchMemory, TacticStep } from '../src/store/ledger/search-memory.ts';
import type { LeanGoal } from '../src/lean/goals/goal.ts';
import { readGoals } from '../src/lean/goals/read.ts';
import { factsOf } from '../src/lean/premises/facts.ts';
import { withUsable } from '../src/lean/search/usable-premises.ts';
import { BestFirst } from '../src/lean/search/best-first.ts';
import { everyKind, generatorOf } from '../src/lean/search/generators.ts';
import { learnedCosts, learnStepCosts } from '../src/lean/search/learn-score.ts';
import type { StepCosts } from '../src/lean/search/score.ts';
import { WorkAccount } from '../src/lean/workbench/account.ts';
import { Workbench } from '../src/lean/workbench/workbench.ts';
import { keep } from './keep.ts';

/**
 * What the queue of the search has to gain from what steps did before: costs of steps are learned on half of the goals, then the other
 * half is searched with the costs set by hand and with those learned.
 * Usage: npm run bench:queue -- [--file FILE] [--seconds N] [--seed N] [--out FILE]
 */
const { values } = parseArgs({
  options: {
    file: { type: 'string', default: path.join(import.meta.dirname, 'families.jsonl') },
    seconds: { type: 'string', default: '4' },
    seed: { type: 'string', default: '1' },
    out: { type: 'string' },
  },
});
const seconds = Number(values.seconds);
const seed = Number(values.seed);

await using lean = await openLean({ ...settingsFrom(), lean: 'embedded' }, { image: 'init', slots: 1 });
const { goals } = await readGoals(values.file, async (_, talk) => await lean.pool.use(talk));
const ordered = goals.toSorted((one, two) => seedFrom(seed, one.id) - seedFrom(seed, two.id));
const half = Math.ceil(ordered.length / 2);
const steps: TacticStep[] = [];
/** Notes everything and tells nothing: no search profits from another one. */
const collecting: SearchMemory = {
  stepsFrom: async () => [],
  noteSteps: async (noted) => void steps.push(...noted),
  frontier: async () => [],
  saveFrontier: async () => {},
  searches: async () => [],
};
const lessons: Searched[] = [];
for (const goal of ordered.slice(0, half)) lessons.push(await search(goal, undefined));
const taught = sumOf(lessons);
const records = learnStepCosts(steps);
for (const { kind, taken, led, before, cost } of records)
  console.log(`${kind.padEnd(14)} ${before} → ${cost}  (${led} of ${taken} led to a solution)`);
const unseen = ordered.slice(half);
const costs = learnedCosts(records);
const both: [Searched, Searched][] = [];
for (const [index, goal] of unseen.entries()) {
  // the second one finds Lean warmer: they take turns
  const late = index % 2 === 0 ? undefined : await search(goal, costs);
  const first = await search(goal, undefined);
  both.push([first, late ?? (await search(goal, costs))]);
}
const byHand = sumOf(both.map(([one]) => one));
const learned = sumOf(both.map(([, two]) => two));
for (const [name, { solved, cpuSeconds, steps: taken }] of Object.entries({ taught, byHand, learned }))
  console.log(`${name.padEnd(8)} ${solved} solved, ${cpuSeconds.toFixed(1)} CPU-seconds, ${taken} steps`);
keep(values.out, {
  file: path.basename(values.file),
  seconds,
  seed,
  unseen: unseen.length,
  records,
  byHand,
  learned,
});

interface Searched {
  readonly solved: number;
  readonly cpuSeconds: number;
  readonly steps: number;
}

function sumOf(all: readonly Searched[]): Searched {
  const sum = (key: keyof Searched): number => all.reduce((total, one) => total + one[key], 0);
  return { solved: sum('solved'), cpuSeconds: sum('cpuSeconds'), steps: sum('steps') };
}

async function search(goal: LeanGoal, learnt: StepCosts | undefined): Promise<Searched> {
  return await lean.pool.use(async (lease) => {
    const opened = await Workbench.open(lease, goal, { toolchain: lean.pool.toolchain });
    if (!opened.ok) throw new Error(`${goal.id}: ${opened.error.message}`);
    const workbench = opened.value;
    const account = new WorkAccount({
      limits: { cpu_seconds: seconds, heartbeats: 20_000 },
      signal: new AbortController().signal,
      permit: async () => {},
    });
    const facts = await withUsable({ workbench, account }, factsOf(workbench));
    const [root] = workbench.open;
    if (!root) throw new Error(`${goal.id} has nothing to search`);
    const limits = { nodes: 2000, depth: 10 };
    const plan = { generator: generatorOf(everyKind), limits, ...(learnt && { costs: learnt }) };
    const best = new BestFirst({ workbench, account, facts, memory: collecting }, plan, root);
    const isSolved = (await best.run()) !== undefined;
    await workbench.end();
    const mark = `${isSolved ? '✓' : '✗'} ${account.cpuSeconds.toFixed(2)} s ${best.effort.steps} steps`;
    console.log(`${learnt ? 'learned' : 'by hand'} ${mark}  ${goal.id}`);
    return { solved: Number(isSolved), cpuSeconds: account.cpuSeconds, steps: best.effort.steps };
  });
}
