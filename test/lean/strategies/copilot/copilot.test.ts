import { expect, test } from 'vitest';
import { copilotStrategy } from '../../../../src/lean/strategies/copilot/copilot.ts';
import { Workbench } from '../../../../src/lean/workbench.ts';
import { checkClaim, conversation } from '../../../helpers/lean.ts';

const lean = conversation();

test('goals that a step splits off are solved apart, each by what it needs: the library here, an induction there', async () => {
  const goal = {
    id: 'g',
    preamble: 'def double : Nat → Nat\n  | 0 => 0\n  | n + 1 => double n + 2\n',
    statement: 'theorem t (a b c n : Nat) (h : a ∣ b) (k : a ∣ c) : a ∣ b + c ∧ double n = n + n',
    holes: { kind: 'statement' },
    topic: null,
    label: null,
    allowAxioms: [],
    source: null,
  } as const;
  const strategy = copilotStrategy({ budget: { cpu_seconds: 60, heartbeats: 20_000 } });
  const outcome = await lean.pool.use(async (lease) => {
    const opened = await Workbench.open(lease, goal, { toolchain: lean.pool.toolchain });
    if (!opened.ok) throw new Error(opened.message);
    const { workbench } = opened;
    const [arm] = strategy.arms(workbench);
    if (!arm) throw new Error('copilot has an arm');
    const { signal } = new AbortController();
    const run = {
      signal,
      limits: strategy.budget,
      permit: async () => {},
      place: 0,
      seed: 1,
      deadline: Infinity,
    };
    const answer = await strategy.attempt(workbench, arm, run);
    await workbench.end();
    return answer;
  });
  if (outcome.kind !== 'solved') throw new Error(`${outcome.kind}: ${outcome.message}`);
  const verdict = await checkClaim(lean.pool, { ...goal, proof: outcome.candidate.proof });
  expect(verdict).toMatchObject({ verdict: 'accepted', assurance: 'replayed' });
});
