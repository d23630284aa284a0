import { expect, test } from 'vitest';
import { bareGoal } from '../../../src/lean/goals/goal.ts';
import { missingLemma } from '../../../src/lean/market/missing.ts';
import { Workbench } from '../../../src/lean/workbench.ts';
import { conversation } from '../../helpers/lean.ts';

const lean = conversation();
const run = {
  limits: { cpu_seconds: 20, heartbeats: 2000 },
  signal: new AbortController().signal,
  permit: async () => {},
};
const lists = `def app : List Nat → List Nat → List Nat
  | [], ys => ys
  | x :: xs, ys => x :: app xs ys
def rev : List Nat → List Nat
  | [] => []
  | x :: xs => app (rev xs) [x]
def len : List Nat → Nat
  | [] => 0
  | _ :: xs => len xs + 1
`;

async function missing(statement: string): Promise<string | undefined> {
  return await lean.pool.use(async (lease) => {
    const goal = { ...bareGoal, id: 'g', preamble: lists, statement };
    const opened = await Workbench.open(lease, goal, { toolchain: lean.pool.toolchain });
    if (!opened.ok) throw new Error(opened.message);
    const { request } = await missingLemma(goal, opened.workbench, run, true);
    await opened.workbench.end();
    return request?.statement;
  });
}

test('what an induction leaves open is asked for in its general form', async () => {
  expect(await missing('theorem t (xs : List Nat) : len (rev xs) = len xs')).toMatch(
    /^theorem helper_\w+ \(head_0 : Nat\) \(ys\) : len \(app ys \[head_0\]\) = \(?len ys\)? \+ 1$/,
  );
});

test('nothing is asked for that is the goal itself or another case of it', async () => {
  // an induction leaves nothing but cases of it: nothing can be unfolded
  expect(await missing('theorem t (xs ys : List Nat) : xs.zip ys = []')).toBeUndefined();
});
