import { expect, test } from 'vitest';
import type { Premise } from '../../../../src/store/premises/premise.ts';
import { factsOf, withPremises } from '../../../../src/lean/premises/facts.ts';
import { reproverStrategy } from '../../../../src/lean/strategies/reprover/reprover.ts';
import { Workbench } from '../../../../src/lean/workbench/workbench.ts';
import { checkClaim, openPool } from '../../../helpers/lean.ts';

const goal = {
  id: 'g',
  preamble: 'def double : Nat → Nat\n  | 0 => 0\n  | n + 1 => double n + 2\n',
  statement: 'theorem t (n : Nat) : double n = n + n ∧ double (n + 1) = n + n + 2',
  holes: { kind: 'statement' },
  topic: null,
  label: null,
  allowAxioms: [],
  source: null,
} as const;

test('an idle worker helps and is returned; library premises come after those of the preamble', async () => {
  await using pool = await openPool({ slots: 2 });
  const strategy = reproverStrategy({ budget: { cpu_seconds: 60, heartbeats: 40_000 }, pool });
  const { outcome, lemmas } = await pool.use(async (lease) => {
    const opened = await Workbench.open(lease, goal, { toolchain: pool.toolchain });
    if (!opened.ok) throw new Error(opened.error.message);
    const workbench = opened.value;
    const [arm] = strategy.arms(workbench);
    if (!arm) throw new Error('reprover has an arm');
    const { signal } = new AbortController();
    const run = {
      signal,
      limits: strategy.budget,
      permit: async () => {},
      deadline: Infinity,
      place: 0,
      seed: 1,
    };
    const answer = await strategy.attempt(workbench, arm, run);
    const found: Premise = { name: 'Nat.add_comm', kind: 'theorem', module: 'Init', symbols: ['HAdd.hAdd'] };
    const facts = withPremises(factsOf(workbench), [found]);
    await workbench.end();
    return { outcome: answer, lemmas: facts.lemmas };
  });
  if (outcome.kind !== 'solved') throw new Error(`${outcome.kind}: ${outcome.message}`);
  expect(lemmas.at(-1)).toBe('Nat.add_comm');
  const status = pool.status();
  expect(status.filter(({ requests }) => requests > 5)).toHaveLength(2);
  expect(status.filter(({ leased }) => leased)).toEqual([]);
  const verdict = await checkClaim(pool, { ...goal, proof: outcome.candidate.proof });
  expect(verdict).toMatchObject({ verdict: 'accepted', assurance: 'replayed' });
});
