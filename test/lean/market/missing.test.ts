import { expect, test } from 'vitest';
import { longTest } from '../../helpers/tier.ts';
import { bareGoal } from '../../../src/lean/goals/goal.ts';
import { missingLemma } from '../../../src/lean/market/missing.ts';
import { Workbench } from '../../../src/lean/workbench/workbench.ts';
import { WorkAccount } from '../../../src/lean/workbench/account.ts';
import { conversation } from '../../helpers/lean.ts';
import { lists } from '../lists.ts';

const lean = conversation();
const run = {
  limits: { cpu_seconds: 20, heartbeats: 2000 },
  signal: new AbortController().signal,
  permit: async () => {},
};
/** The lemma that a goal asks for, after a step. */
async function missing(preamble: string, statement: string, step?: string): Promise<string | undefined> {
  return await lean.pool.use(async (lease) => {
    const goal = { ...bareGoal, id: 'g', preamble, statement };
    const opened = await Workbench.open(lease, goal, { toolchain: lean.pool.toolchain });
    if (!opened.ok) throw new Error(opened.error.message);
    const workbench = opened.value;
    const [root] = workbench.open;
    if (root && step !== undefined) {
      const [answer] = await workbench.run(root, [step], new WorkAccount(run), { until: 'end' });
      expect(answer).toMatchObject({ kind: 'state' });
    }
    const { request } = await missingLemma(goal, workbench, run, true);
    await workbench.end();
    return request?.statement;
  });
}

test('a goal that an induction leaves open is requested in its general form', async () => {
  expect(await missing(lists, 'theorem t (xs : List Nat) : len (rev xs) = len xs')).toMatch(
    /^theorem len_app_singleton_aux : ∀ \(\w+ : Nat\) \(u : List Nat\), len \(app u \[\w+\]\) = len u \+ 1$/,
  );
});

longTest('another case of the same goal is not requested, a different statement is', async () => {
  // these cannot be tested
  const unknown = 'opaque f : Nat → Nat\nopaque g : Nat → Nat';
  const goal = 'theorem t (n : Nat) : f n = g n';
  expect(await missing(unknown, goal, '(suffices left : f (n + 1) = g (n + 1) by sorry)')).toBeUndefined();
  expect(await missing(unknown, goal, '(suffices left : f (n + 1) = f n by sorry)')).toContain(
    'f (n + 1) = f n',
  );
});
