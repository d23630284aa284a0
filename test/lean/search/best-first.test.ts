import { expect, test } from 'vitest';
import type { Experience } from '../../../src/store/ledger/experience.ts';
import type { LeanGoal } from '../../../src/lean/goals/goal.ts';
import { factsOf } from '../../../src/lean/premises/facts.ts';
import { BestFirst } from '../../../src/lean/search/best-first.ts';
import { generatorOf } from '../../../src/lean/search/generators.ts';
import { WorkAccount } from '../../../src/lean/workbench/account.ts';
import { Workbench } from '../../../src/lean/workbench/workbench.ts';
import { searchTreesOf } from '../../../src/store/ledger/search-tree.ts';
import { conversation } from '../../helpers/lean.ts';
import { temporaryLedger } from '../../store/ledger/temporary.ts';

const lean = conversation();
const plan = { generator: generatorOf(), limits: { nodes: 200, depth: 6 } };

const goal: LeanGoal = {
  id: 'g',
  preamble: 'def double : Nat → Nat\n  | 0 => 0\n  | n + 1 => double n + 2\n',
  statement: 'theorem t (n : Nat) : double n = n + n',
  holes: { kind: 'statement' },
  topic: null,
  label: null,
  allowAxioms: [],
  source: null,
};

/** One search of a goal on a workbench of its own, as a fresh process would make it. */
async function search(memory: Experience, cpuSeconds: number) {
  return await lean.pool.use(async (lease) => {
    const opened = await Workbench.open(lease, goal, { toolchain: lean.pool.toolchain });
    if (!opened.ok) throw new Error(opened.error.message);
    const workbench = opened.value;
    const limits = { cpu_seconds: cpuSeconds, heartbeats: 20_000 };
    const account = new WorkAccount({ limits, signal: new AbortController().signal, permit: async () => {} });
    const [root] = workbench.open;
    if (!root) throw new Error('a goal');
    const bench = { workbench, account, facts: factsOf(workbench), memory };
    const one = new BestFirst(bench, plan, root);
    const found = await one.run();
    const { goalHash, fingerprint } = workbench;
    const frontier = await memory.frontier(goalHash, fingerprint);
    const [tree] = await searchTreesOf(memory, { goal_hash: goalHash, fingerprint });
    await workbench.end();
    const script = found?.closed === true ? found.tactics : undefined;
    return { script, frontier, steps: one.effort.steps, root: tree?.states[0] };
  });
}

test('a stopped search continues where it stopped, and a solved one is solved again at once', async () => {
  const { ledger } = await temporaryLedger();
  const memory = ledger.experience;
  const stopped = await search(memory, 0.03);
  expect(stopped.script).toBeUndefined();
  expect(stopped.frontier.length).toBeGreaterThan(0);
  expect(stopped.frontier.map(({ tactics }) => tactics)).toContainEqual([]);
  const [first] = stopped.frontier;
  const before = await memory.stepsFrom([first?.state ?? '']);
  expect(before.length).toBeGreaterThan(0);
  expect(stopped.root).toMatchObject({ goals: 'n : Nat\n⊢ double n = n + n', solved: false });
  expect(stopped.root?.steps.find(({ outcome }) => outcome === 'failed')?.words).toMatch(/\w/);

  const solved = await search(memory, 60);
  expect(solved.script?.[0]).toMatch(/^\(?(?:fun_)?induction/);
  expect(solved.frontier).toEqual([]);
  expect(solved.root?.solved).toBe(true);

  const again = await search(memory, 60);
  expect(again.script).toBeDefined();
  expect(again.steps).toBeLessThan(solved.steps / 2);
});
