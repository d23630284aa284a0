import { describe, expect, test } from 'vitest';
import type { LeanGoal } from '../../../src/lean/goals/goal.ts';
import { WorkAccount } from '../../../src/lean/workbench/account.ts';
import type { Lease } from '../../../src/lean/workers/lease.ts';
import { Workbench, type StepAnswer, type WorkbenchOptions } from '../../../src/lean/workbench/workbench.ts';
import { checkClaim, conversation } from '../../helpers/lean.ts';
import { killWorker } from '../../helpers/processes.ts';

const lean = conversation();

const goalOf = (statement: string, more: Partial<LeanGoal> = {}): LeanGoal => ({
  id: 'g',
  preamble: '',
  statement,
  holes: { kind: 'statement' },
  topic: null,
  label: null,
  allowAxioms: [],
  source: null,
  ...more,
});

const account = (
  cpuSeconds = 60,
  signal = new AbortController().signal,
  permit = async (): Promise<void> => {},
): WorkAccount =>
  new WorkAccount({ limits: { cpu_seconds: cpuSeconds, heartbeats: 20_000 }, signal, permit });

async function onBench<Value>(
  goal: LeanGoal,
  work: (bench: Workbench, lease: Lease) => Promise<Value>,
  options: Partial<WorkbenchOptions> = {},
): Promise<Value> {
  return await lean.pool.use(async (lease) => {
    const opened = await Workbench.open(lease, goal, { toolchain: lean.pool.toolchain, ...options });
    if (!opened.ok) throw new Error(opened.error.message);
    expect(opened.cost.cpuSeconds).toBeGreaterThanOrEqual(0);
    const value = await work(opened.value, lease);
    await opened.value.end();
    return value;
  });
}

const kinds = (answers: readonly StepAnswer[]): string[] =>
  answers.map((answer) =>
    answer.kind === 'state' ? `${answer.state.goals.length} left` : answer.failure.kind,
  );

describe('a workbench', () => {
  test('describes the goal: identity without names, fingerprint, features, declarations of the preamble', async () => {
    const preamble = 'def twice (n : Nat) : Nat := n + n\n';
    const first = await onBench(goalOf('theorem a (n : Nat) : twice n = n + n', { preamble }), (bench) =>
      Promise.resolve(bench),
    );
    const renamed = await onBench(goalOf('theorem b (m : Nat) : twice m = m + m', { preamble }), (bench) =>
      Promise.resolve(bench),
    );
    const other = await onBench(goalOf('theorem b (m : Nat) : twice m = m', { preamble }), (bench) =>
      Promise.resolve(bench),
    );
    expect(renamed.goalHash).toBe(first.goalHash);
    expect(other.goalHash).not.toBe(first.goalHash);
    expect(renamed.fingerprint).toBe(first.fingerprint);
    expect(first.own.map(({ name }) => name)).toContain('twice');
    expect(first.features['preamble_symbols']).toBeGreaterThan(0);
    expect(Object.values(first.features).every((value) => value >= 0 && Number.isFinite(value))).toBe(true);
  });

  test('starts where a proof starts, with auto-bound variables in the context', async () => {
    const preamble =
      'inductive Even : Nat → Prop where\n  | zero : Even 0\n  | step : Even n → Even (n + 2)\n';
    const goal = goalOf('theorem t : Even n → Even m → Even (n + m)', { preamble });
    const proof = await onBench(goal, async (bench) => {
      const root = bench.root(0);
      expect(root.goals[0]?.hypotheses.map(({ name }) => name)).toEqual(['n', 'm']);
      const tactic = 'intro h k; induction h <;> grind [Even]';
      const [answer] = await bench.run(root, [tactic], account());
      if (answer?.kind === 'state') await bench.close(answer.state, account());
      return bench.proof();
    });
    expect(await checkClaim(lean.pool, { ...goal, proof: proof ?? '' })).toMatchObject({
      verdict: 'accepted',
    });
  });

  test('repeats a tactic only if it failed at a limit that is larger now', async () => {
    await onBench(goalOf('theorem t (a b : Nat) : a + b = b + a'), async (bench) => {
      const mine = account();
      const tactics = ['rfl', 'intro x', 'omega', 'simp'];
      const answers = await bench.run(bench.root(0), tactics, mine);
      expect(kinds(answers)).toEqual(['tactic', 'tactic', '0 left']);
      const spent = mine.cpuSeconds;
      expect(spent).toBeGreaterThan(0);
      expect(kinds(await bench.run(bench.root(0), tactics, mine))).toEqual(kinds(answers));
      expect(mine.cpuSeconds).toBe(spent);
    });
    await onBench(goalOf('theorem t (a b c : Nat) : a * (b + c) = a * b + a * c'), async (bench) => {
      const mine = account();
      const tried = async (heartbeats: number): Promise<string[]> =>
        kinds(await bench.run(bench.root(0), ['grind'], mine, { heartbeats }));
      expect(await tried(1)).toEqual(['heartbeats']);
      const spent = mine.cpuSeconds;
      expect(await tried(1)).toEqual(['heartbeats']);
      expect(mine.cpuSeconds).toBe(spent);
      expect(await tried(20_000)).toEqual(['0 left']);
    });
  });

  test('stops at the budget or on cancellation, and asks for permission before each request', async () => {
    let permits = 0;
    const permit = (): Promise<void> => {
      permits++;
      return Promise.resolve();
    };
    await onBench(goalOf('theorem t (a b : Nat) : a + b = b + a'), async (bench) => {
      expect(await bench.run(bench.root(0), ['omega'], account(0, undefined, permit))).toEqual([]);
      const stopped = new AbortController();
      stopped.abort();
      const cancelled = account(10, stopped.signal, permit);
      expect(await bench.run(bench.root(0), ['omega'], cancelled)).toEqual([]);
      expect(cancelled.stopped).toBe('cancelled');
      expect(permits).toBe(0);
      await bench.run(bench.root(0), ['omega'], account(60, undefined, permit));
      expect(permits).toBe(1);
    });
  });

  test('a script found with the last of the budget is still checked', async () => {
    await onBench(goalOf('theorem t (a b : Nat) : a + b = b + a'), async (bench) => {
      const poor = account(1e-6);
      const [found] = await bench.run(bench.root(0), ['omega'], poor);
      expect(poor.stopped).toBe('exhausted');
      if (found?.kind !== 'state') throw new Error('omega works');
      expect(await bench.close(found.state, poor)).toBeUndefined();
      expect(bench.proof()).toBe('by\n  omega');
    });
  });

  test('the next workbench of the goal remembers what was tried, in any worker', async () => {
    const goal = goalOf('theorem t (a b : Nat) : a + b = b + a');
    const steps = ['decide', 'symm'];
    const memory = await onBench(goal, async (bench) => {
      expect(kinds(await bench.run(bench.root(0), steps, account()))).toEqual(['tactic', '1 left']);
      return bench.memory;
    });
    await onBench(
      goal,
      async (bench) => {
        const free = account();
        const [, swapped] = await bench.run(bench.root(0), steps, free);
        expect(free.cpuSeconds).toBe(0);
        if (swapped?.kind !== 'state') throw new Error('symm works');
        expect(kinds(await bench.run(swapped.state, ['omega'], account()))).toEqual(['0 left']);
      },
      { memory },
    );
  });

  test('continues in a new worker when its own dies', async () => {
    await onBench(goalOf('theorem t (p q : Prop) (h : p) (k : q) : p ∧ q'), async (bench, lease) => {
      const mine = account();
      const [split] = await bench.run(bench.root(0), ['constructor'], mine);
      if (split?.kind !== 'state') throw new Error('constructor works');
      const dead = lease.pid ?? 0;
      killWorker(dead);
      const answers = await bench.run(split.state, ['exact h'], mine);
      expect(kinds(answers)).toEqual(['1 left']);
      expect(lease.pid).not.toBe(dead);
      const [next] = answers;
      const [closed] = next?.kind === 'state' ? await bench.run(next.state, ['exact k'], mine) : [];
      if (closed?.kind !== 'state') throw new Error('exact k works');
      expect(await bench.close(closed.state, mine)).toBeUndefined();
      expect(bench.proof()).toBe('by\n  constructor\n  · exact h\n  · exact k');
    });
  });

  test('a crash in the middle of a batch does not count as tried', async () => {
    await onBench(goalOf('theorem t (n : Nat) : n = n'), async (bench, lease) => {
      const mine = account();
      const slow = 'repeat (have : (5000 : Nat) ∣ 10000 := by decide)';
      const running = bench.run(bench.root(0), [slow], mine);
      await waitFor(() => lease.pid !== undefined);
      setTimeout(() => killWorker(lease.pid), 300);
      const answers = await running;
      expect(answers.every((answer) => answer.kind === 'failed')).toBe(true);
      expect(kinds(await bench.run(bench.root(0), ['rfl'], mine))).toEqual(['0 left']);
    });
  });

  test('three callers share the worker; the first to close the goal cancels the others', async () => {
    await onBench(goalOf('theorem t (a b c : Nat) (h : a ≤ b) : a + c ≤ b + c'), async (bench) => {
      const stop = new AbortController();
      const order: string[] = [];
      const race = async (name: string, tactics: readonly string[]): Promise<string> => {
        const mine = account(30, stop.signal);
        for (const tactic of tactics) {
          const [answer] = await bench.run(bench.root(0), [tactic], mine);
          if (answer) order.push(name);
          if (answer?.kind !== 'state' || !answer.state.closed) continue;
          await bench.close(answer.state, mine);
          stop.abort();
        }
        return mine.stopped ?? 'done';
      };
      const ends = await Promise.all([
        race('first', failing('x')),
        race('second', failing('y')),
        race('third', ['rfl', 'intro x', 'omega']),
      ]);
      expect(ends).toEqual(['cancelled', 'cancelled', 'cancelled']);
      expect(order.slice(0, 3)).toEqual(['first', 'second', 'third']);
      expect(order.filter((name) => name === 'third')).toHaveLength(3);
      expect(bench.proof()).toBe('by\n  omega');
    });
  });

  test('holes are closed one by one, at any position of a sorry', async () => {
    const template = [
      'by',
      '  refine ⟨?_, sorry, ?_⟩',
      '  · have step : a ≤ a + 1 := sorry',
      '    sorry',
      '  · cases a with',
      '    | zero => sorry',
      '    | succ n => first | sorry | simp',
    ].join('\n');
    const goal = goalOf('theorem t (a : Nat) : a ≤ a + 2 ∧ a = a ∧ 0 ≤ a', {
      holes: { kind: 'sorries', template },
    });
    const proof = await onBench(goal, async (bench) => {
      expect(bench.open).toHaveLength(5);
      const mine = account();
      for (const root of bench.open) {
        const [step] = await bench.run(root, ['have extra := Nat.zero_le 0'], mine);
        const [answer] = step?.kind === 'state' ? await bench.run(step.state, ['omega'], mine) : [];
        expect(bench.proof()).toBeUndefined();
        if (answer?.kind === 'state') await bench.close(answer.state, mine);
      }
      return bench.proof();
    });
    expect(proof).not.toContain('sorry');
    expect(await checkClaim(lean.pool, { ...goal, proof: proof ?? '' })).toMatchObject({
      verdict: 'accepted',
    });
  });

  test('a script that fails the kernel or axiom check closes nothing, and is not repeated', async () => {
    const preamble = 'axiom wrong : 1 = 2\n';
    await onBench(goalOf('theorem t : 1 = 2', { preamble }), async (bench) => {
      const mine = account();
      const [found] = await bench.run(bench.root(0), ['exact wrong'], mine);
      if (found?.kind !== 'state') throw new Error('the tactic works');
      expect(await bench.close(found.state, mine)).toMatchObject({ kind: 'axiom' });
      expect(bench.open).toHaveLength(1);
      expect(kinds(await bench.run(bench.root(0), ['exact wrong'], mine))).toEqual(['axiom']);
    });
    await onBench(goalOf('theorem t : 1 = 2', { preamble, allowAxioms: ['wrong'] }), async (bench) => {
      const [found] = await bench.run(bench.root(0), ['exact wrong'], account());
      if (found?.kind === 'state') await bench.close(found.state, account());
      expect(bench.proof()).toBe('by\n  exact wrong');
    });
  });

  test('if a worker cannot keep all states, the oldest are computed again on demand', async () => {
    await onBench(goalOf('theorem t (a b : Nat) : a + b = b + a'), async (bench) => {
      const mine = account(120);
      const tactics = Array.from({ length: 260 }, (_, index) => `have h${index} := a`);
      const answers = await bench.run(bench.root(0), tactics, mine, { heartbeats: 400 });
      const [first] = answers;
      expect(answers).toHaveLength(260);
      const done = first?.kind === 'state' ? await bench.run(first.state, ['omega'], mine) : [];
      expect(kinds(done)).toEqual(['0 left']);
    });
  });
});

test('a preamble or a statement that Lean refuses is a Result, not an exception', async () => {
  for (const goal of [goalOf('theorem t : 1 = 1', { preamble: 'def x := y' }), goalOf('theorem t : foo')])
    await lean.pool.use(async (lease) => {
      const opened = await Workbench.open(lease, goal, { toolchain: lean.pool.toolchain });
      expect(opened).toMatchObject({
        ok: false,
        error: { kind: expect.stringMatching(/^(elaboration|statement)$/) as string },
      });
    });
});

const failing = (name: string): string[] => Array.from({ length: 50 }, (_, index) => `exact ${name}${index}`);

async function waitFor(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 10));
}
