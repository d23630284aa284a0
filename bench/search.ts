import path from 'node:path';
import { parseArgs } from 'node:util';
import { openLean } from '../src/app/lean.ts';
import { settingsFrom } from '../src/app/settings.ts';
import type { LeanGoal } from '../src/lean/goals/goal.ts';
import { readGoals } from '../src/lean/goals/read.ts';
import { factsOf } from '../src/lean/premises/facts.ts';
import { withUsable } from '../src/lean/search/usable-premises.ts';
import { BestFirst } from '../src/lean/search/best-first.ts';
import { everyKind, generatorOf } from '../src/lean/search/generators.ts';
import { WorkAccount } from '../src/lean/workbench/account.ts';
import { Workbench } from '../src/lean/workbench/workbench.ts';

/**
 * Runs only the best-first search, goal by goal on one worker: solved goals, and states and steps per CPU-second. The
 * default goals are small, one for each family that deep search is meant for. Usage: npm run bench:search -- [--file
 * FILE] [--only REGEXP] [--seconds N] [--ask] [--verbose]
 */
const { values } = parseArgs({
  options: {
    file: { type: 'string', default: path.join(import.meta.dirname, 'families.jsonl') },
    only: { type: 'string', default: '' },
    seconds: { type: 'string', default: '20' },
    ask: { type: 'boolean', default: false },
    verbose: { type: 'boolean', default: false },
  },
});

await using lean = await openLean({ ...settingsFrom(), lean: 'embedded' }, { image: 'init', slots: 1 });
const { goals } = await readGoals(values.file, async (_, talk) => await lean.pool.use(talk));
const chosen = goals.filter(({ id }) => new RegExp(values.only).test(id));
const plan = {
  generator: generatorOf(everyKind, values.ask ? ['exact?', 'rw?', 'apply?'] : []),
  limits: { nodes: 2000, depth: 10 },
};
const totals = { solved: 0, cpuSeconds: 0, states: 0, steps: 0 };
for (const goal of chosen) await measure(goal);
const rate = (count: number): string => (count / totals.cpuSeconds).toFixed(0);
process.stdout.write(
  `\n${totals.solved} of ${chosen.length} solved in ${totals.cpuSeconds.toFixed(0)} CPU-seconds; ` +
    `${rate(totals.steps)} steps and ${rate(totals.states)} states per CPU-second\n`,
);

async function measure(goal: LeanGoal): Promise<void> {
  await lean.pool.use(async (lease) => {
    const opened = await Workbench.open(lease, goal, { toolchain: lean.pool.toolchain });
    if (!opened.ok) throw new Error(`${goal.id}: ${opened.error.message}`);
    const workbench = opened.value;
    const account = new WorkAccount({
      limits: { cpu_seconds: Number(values.seconds), heartbeats: 20_000 },
      signal: new AbortController().signal,
      permit: async () => {},
    });
    const facts = await withUsable({ workbench, account }, factsOf(workbench));
    const [root] = workbench.open;
    if (!root) return;
    const search = new BestFirst({ workbench, account, facts }, plan, root);
    const found = await search.run();
    const { effort } = search;
    if (found) await workbench.close(found, account);
    const isSolved = workbench.proof() !== undefined;
    totals.solved += Number(isSolved);
    totals.cpuSeconds += account.cpuSeconds;
    totals.states += effort.states;
    totals.steps += effort.steps;
    const script = found && values.verbose ? `\n      ${found.tactics.join('\n      ')}` : '';
    process.stdout.write(
      `${isSolved ? '✓' : '✗'} ${account.cpuSeconds.toFixed(2).padStart(6)} s  ${String(effort.steps).padStart(5)} steps ` +
        `${String(effort.states).padStart(4)} states  ${goal.id}${script}\n`,
    );
    await workbench.end();
  });
}
