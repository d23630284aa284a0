import { expect, test } from 'vitest';
import { refute } from '../../../src/lean/search/refute.ts';
import { Account } from '../../../src/lean/workbench/account.ts';
import { Workbench } from '../../../src/lean/workbench.ts';
import { conversation } from '../../helpers/lean.ts';

const lean = conversation();

test.each([
  ['theorem t (a b : Nat) : a - b + b = a', '0 - (0 + 1) + (0 + 1) = 0'],
  ['theorem t (b c : Bool) (h : (b || c) = true) : b = true', '(false || true) = true → false = true'],
  ['theorem t (a b : Nat) : a + b = b + a', undefined],
  ['theorem t (n : Nat) (h : n < 0) : n = 1', undefined],
  ['theorem t (α : Type) (x y : α) : x = y', undefined],
])('%s', async (statement, instance) => {
  const found = await lean.pool.use(async (lease) => {
    const goal = {
      id: 'g',
      preamble: '',
      statement,
      holes: { kind: 'statement' },
      topic: null,
      label: null,
      allowAxioms: [],
      source: null,
    } as const;
    const opened = await Workbench.open(lease, goal, { toolchain: lean.pool.toolchain });
    if (!opened.ok) throw new Error(opened.message);
    const limits = { cpu_seconds: 20, heartbeats: 400 };
    const account = new Account({ limits, signal: new AbortController().signal, permit: async () => {} });
    const answer = await refute(opened.workbench, account);
    await opened.workbench.end();
    return answer;
  });
  expect(found).toBe(instance);
});
