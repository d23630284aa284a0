import { describe, expect, test } from 'vitest';
import type { LeanGoal } from '../../../../src/lean/goals/goal.ts';
import { minimise } from '../../../../src/lean/improve/polish/minimise.ts';
import { WorkAccount } from '../../../../src/lean/workbench/account.ts';
import { killWorker } from '../../../helpers/processes.ts';
import { eachSolves } from './arms.ts';
import {
  attempt,
  beginBench,
  candidateOf,
  double,
  expectAccepted,
  goalOf,
  onBench,
  place,
  runFor,
  strategy,
} from './bench.ts';
import { longTest } from '../../../helpers/tier.ts';

beginBench();

describe('each arm solves its kind of goal', () => {
  eachSolves();

  test('arms that need a library are offered only if it is imported', async () => {
    await onBench(goalOf('theorem t : 1 = 1'), (bench) => {
      const arms = strategy.arms(bench);
      expect(arms.map(({ name }) => name)).toEqual([
        'micro/close',
        'micro/relate',
        'micro/library',
        'micro/search',
      ]);
      expect(new Set(arms.map(({ signature }) => signature)).size).toBe(4);
      expect(arms.map(({ stage }) => stage)).toEqual([0, 0.5, 2.25, 3]);
      return Promise.resolve();
    });
    expect(strategy).toMatchObject({ name: 'micro', slot: 'light', tier: 0, budget: { cpu_seconds: 8 } });
  });
});

describe('candidates', () => {
  test('name the lemmas of the preamble that they use', async () => {
    const goal = goalOf('theorem t (xs : List Nat) : (order xs).length = xs.length', place);
    const found = await candidateOf(goal, 'micro/relate');
    expect(found.premises).toContain('place_length');
    await expectAccepted(goal, found);
  });

  test('are shortened and made robust, and stay accepted', async () => {
    const goal = goalOf('theorem t (xs : List Nat) : (order xs).length = xs.length', place);
    const [first, smaller] = await onBench(goal, async (bench) => {
      const outcome = await attempt(bench, 'micro/relate');
      if (outcome.kind !== 'solved') throw new Error(outcome.kind);
      const { candidate, cpuSeconds } = await minimise(bench, outcome.candidate, runFor());
      expect(cpuSeconds).toBeGreaterThan(0);
      return [outcome.candidate, candidate];
    });
    expect(smaller.proof).not.toMatch(/simp(?:_all)?(?! only)(?![_\w])/);
    expect(smaller.premises).toContain('place_length');
    expect(smaller.premises).not.toContain('unrelated');
    await expectAccepted(goal, first);
    await expectAccepted(goal, smaller);
  });

  test('an unnecessary step is dropped; a used-up budget leaves the script unchanged', async () => {
    const goal = goalOf('theorem t (a b : Nat) : a + b = b + a');
    await onBench(goal, async (bench) => {
      const run = runFor();
      const account = new WorkAccount(run);
      const [idle] = await bench.run(bench.root(0), ['have extra := a'], account);
      const [done] = idle?.kind === 'state' ? await bench.run(idle.state, ['omega'], account) : [];
      if (done?.kind !== 'state') throw new Error('omega works');
      await bench.close(done.state, account);
      const candidate = { proof: bench.proof() ?? '', premises: [] };
      const stopped = { ...run, limits: { ...run.limits, cpu_seconds: 0 } };
      expect((await minimise(bench, candidate, stopped)).candidate).toEqual(candidate);
      expect((await minimise(bench, candidate, run)).candidate.proof).toBe('by\n  omega');
    });
  });

  longTest('fill every sorry of a proof, one by one', async () => {
    const template = 'by\n  constructor\n  · sorry\n  · intro m\n    exact ⟨sorry, by sorry⟩';
    const goal: LeanGoal = {
      ...goalOf('theorem t (n : Nat) : double n = n + n ∧ ∀ m, m + n = n + m ∧ 0 ≤ m', double),
      holes: { kind: 'sorries', template },
    };
    const proof = await onBench(goal, async (bench) => {
      const first = await attempt(bench, 'micro/close');
      expect(first.kind).toBe('failed');
      expect(bench.open).toHaveLength(1);
      const second = await attempt(bench, 'micro/relate');
      expect(second.kind).toBe('solved');
      return bench.proof() ?? '';
    });
    await expectAccepted(goal, { proof, premises: [] });
  });
});

describe('a race', () => {
  test('three arms share one workbench: the first success cancels the others', async () => {
    const goal = goalOf('theorem t (xs : List Nat) : (order xs).length = xs.length', place);
    await onBench(goal, async (bench) => {
      const stop = new AbortController();
      const outcomes = await Promise.all(
        ['micro/relate', 'micro/library', 'micro/search'].map(async (name) => {
          const outcome = await attempt(bench, name, runFor(stop.signal));
          if (outcome.kind === 'solved') stop.abort();
          return outcome;
        }),
      );
      expect(outcomes.filter(({ kind }) => kind === 'solved').length).toBeGreaterThanOrEqual(1);
      for (const { kind } of outcomes) expect(['solved', 'cancelled', 'failed']).toContain(kind);
      expect(outcomes.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0)).toBeGreaterThan(0);
    });
  });

  test('an arm continues when its worker dies', async () => {
    const goal = goalOf('theorem t (n : Nat) : double n = n + n', double);
    const outcome = await onBench(goal, async (bench, lease) => {
      const running = attempt(bench, 'micro/relate');
      setTimeout(() => killWorker(lease.pid), 100);
      return await running;
    });
    if (outcome.kind !== 'solved') throw new Error(`${outcome.kind}: ${outcome.message}`);
    await expectAccepted(goal, outcome.candidate);
  });
});
