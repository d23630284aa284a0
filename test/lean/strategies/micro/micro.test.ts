import { describe, expect, test } from 'vitest';
import type { AttemptRun, Outcome } from '../../../../src/core/strategy.ts';
import type { LeanGoal } from '../../../../src/lean/goals/goal.ts';
import type { Lease } from '../../../../src/lean/lease.ts';
import { minimise } from '../../../../src/lean/polish/minimise.ts';
import type { Candidate } from '../../../../src/lean/candidate.ts';
import { microStrategy } from '../../../../src/lean/strategies/micro/micro.ts';
import { Account } from '../../../../src/lean/workbench/account.ts';
import { Workbench } from '../../../../src/lean/workbench.ts';
import { checkClaim, conversation } from '../../../helpers/lean.ts';
import { killWorker } from '../../../helpers/processes.ts';

const lean = conversation();
const strategy = microStrategy({ budget: { cpu_seconds: 8, heartbeats: 20_000 } });

const goalOf = (statement: string, preamble = ''): LeanGoal => ({
  id: 'g',
  preamble,
  statement,
  holes: { kind: 'statement' },
  topic: null,
  label: null,
  allowAxioms: [],
  source: null,
});

const runFor = (signal = new AbortController().signal): AttemptRun => ({
  signal,
  limits: { ...strategy.budget, cpu_seconds: 20 },
  permit: async () => {},
  place: 0,
  deadline: Infinity,
  seed: 1,
});

async function onBench<Value>(
  goal: LeanGoal,
  work: (bench: Workbench, lease: Lease) => Promise<Value>,
): Promise<Value> {
  return await lean.pool.use(async (lease) => {
    const opened = await Workbench.open(lease, goal, { toolchain: lean.pool.toolchain });
    if (!opened.ok) throw new Error(opened.message);
    const value = await work(opened.workbench, lease);
    await opened.workbench.end();
    return value;
  });
}

async function attempt(bench: Workbench, name: string, run = runFor()): Promise<Outcome<Candidate>> {
  const arm = strategy.arms(bench).find((candidate) => candidate.name === name);
  if (!arm) throw new Error(`there is no arm ${name}`);
  return await strategy.attempt(bench, arm, run);
}

async function candidateOf(goal: LeanGoal, arm: string): Promise<Candidate> {
  const outcome = await onBench(goal, async (bench) => await attempt(bench, arm));
  if (outcome.kind !== 'solved') throw new Error(`${outcome.kind}: ${outcome.message}`);
  return outcome.candidate;
}

async function expectAccepted(goal: LeanGoal, { proof }: Candidate): Promise<void> {
  expect(await checkClaim(lean.pool, { ...goal, proof })).toMatchObject({
    verdict: 'accepted',
    assurance: 'replayed',
  });
}

const larger = 'def larger (a b : Nat) : Nat := if a ≤ b then b else a\n';
const double = 'def double : Nat → Nat\n  | 0 => 0\n  | n + 1 => double n + 2\n';
const place = `def place (n : Nat) : List Nat → List Nat
  | [] => [n]
  | x :: xs => if n ≤ x then n :: x :: xs else x :: place n xs
def order : List Nat → List Nat
  | [] => []
  | x :: xs => place x (order xs)
theorem place_length (n : Nat) (xs : List Nat) : (place n xs).length = xs.length + 1 := by
  induction xs with
  | nil => rfl
  | cons x xs ih => simp only [place]; split <;> simp_all
theorem unrelated (n : Nat) : n ≤ n + 1 := by omega
`;

describe('each arm solves what it is for', () => {
  test.each([
    ['micro/close', goalOf('theorem t (a b : Nat) : larger a b = larger b a', larger), []],
    [
      'micro/induct',
      goalOf('theorem t (n : Nat) : double n = n + n', double),
      ['micro/close', 'micro/cases'],
    ],
    [
      'micro/cases',
      goalOf('theorem t (m : Option α) : m.isSome = true ∨ m = none'),
      ['micro/close', 'micro/induct'],
    ],
    [
      'micro/search',
      goalOf('theorem t (n : Nat) : Nonempty {m : Nat // m = n + 1}'),
      ['micro/close', 'micro/cases'],
    ],
    ['micro/library', goalOf('theorem t (a b c : Nat) (h : a ∣ b) (k : a ∣ c) : a ∣ b + c'), ['micro/close']],
    [
      'micro/search',
      goalOf(
        'theorem t [Monad m] (x : m Bool) (f g : Bool → m β) (h : f true = g true) (k : f false = g false) : (x >>= f) = (x >>= g)',
      ),
      ['micro/close'],
    ],
  ])('%s', async (name, goal, others) => {
    await expectAccepted(goal, await candidateOf(goal, name));
    for (const other of others) {
      const outcome = await onBench(goal, async (bench) => await attempt(bench, other));
      expect([other, outcome.kind]).not.toEqual([other, 'solved']);
      expect(outcome.nextGoals).toHaveLength(1);
    }
  });

  test('arms that need a library are offered only where it is', async () => {
    await onBench(goalOf('theorem t : 1 = 1'), (bench) => {
      const arms = strategy.arms(bench);
      expect(arms.map(({ name }) => name)).toEqual([
        'micro/close',
        'micro/induct',
        'micro/cases',
        'micro/search',
        'micro/library',
      ]);
      expect(new Set(arms.map(({ signature }) => signature)).size).toBe(5);
      expect(arms.map(({ stage }) => stage)).toEqual([0, 1, 2, 3, 3]);
      return Promise.resolve();
    });
    expect(strategy).toMatchObject({ name: 'micro', slot: 'light', tier: 0, budget: { cpu_seconds: 8 } });
  });
});

describe('candidates', () => {
  test('name the lemmas of the preamble that they use', async () => {
    const goal = goalOf('theorem t (xs : List Nat) : (order xs).length = xs.length', place);
    const found = await candidateOf(goal, 'micro/induct');
    expect(found.premises).toContain('place_length');
    await expectAccepted(goal, found);
  });

  test('are made smaller and stable, and stay accepted', async () => {
    const goal = goalOf('theorem t (xs : List Nat) : (order xs).length = xs.length', place);
    const [first, smaller] = await onBench(goal, async (bench) => {
      const outcome = await attempt(bench, 'micro/induct');
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

  test('a step that nothing needs is dropped; a spent budget leaves the script as it was', async () => {
    const goal = goalOf('theorem t (a b : Nat) : a + b = b + a');
    await onBench(goal, async (bench) => {
      const run = runFor();
      const account = new Account(run);
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

  test('fill every sorry of a proof, one by one', async () => {
    const template = 'by\n  constructor\n  · sorry\n  · intro m\n    exact ⟨sorry, by sorry⟩';
    const goal: LeanGoal = {
      ...goalOf('theorem t (n : Nat) : double n = n + n ∧ ∀ m, m + n = n + m ∧ 0 ≤ m', double),
      holes: { kind: 'sorries', template },
    };
    const proof = await onBench(goal, async (bench) => {
      const first = await attempt(bench, 'micro/close');
      expect(first.kind).toBe('failed');
      expect(bench.open).toHaveLength(1);
      const second = await attempt(bench, 'micro/induct');
      expect(second.kind).toBe('solved');
      return bench.proof() ?? '';
    });
    await expectAccepted(goal, { proof, premises: [] });
  });
});

describe('a race', () => {
  test('three arms on one workbench: the first that solves it cancels the others', async () => {
    const goal = goalOf('theorem t (xs : List Nat) : (order xs).length = xs.length', place);
    await onBench(goal, async (bench) => {
      const stop = new AbortController();
      const outcomes = await Promise.all(
        ['micro/induct', 'micro/cases', 'micro/search'].map(async (name) => {
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

  test('an arm goes on when its worker dies under it', async () => {
    const goal = goalOf('theorem t (n : Nat) : double n = n + n', double);
    const outcome = await onBench(goal, async (bench, lease) => {
      const running = attempt(bench, 'micro/induct');
      setTimeout(() => killWorker(lease.pid), 100);
      return await running;
    });
    if (outcome.kind !== 'solved') throw new Error(`${outcome.kind}: ${outcome.message}`);
    await expectAccepted(goal, outcome.candidate);
  });
});
