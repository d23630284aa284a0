import { expect } from 'vitest';
import type { AttemptRun } from '../../../../src/core/strategy.ts';
import type { LeanOutcome } from '../../../../src/lean/strategies/strategy.ts';
import type { Candidate } from '../../../../src/lean/workbench/candidate.ts';
import type { LeanGoal } from '../../../../src/lean/goals/goal.ts';
import type { Lease } from '../../../../src/lean/workers/lease.ts';
import { microStrategy } from '../../../../src/lean/strategies/micro/micro.ts';
import { Workbench } from '../../../../src/lean/workbench/workbench.ts';
import { checkClaim, conversation, type Conversation } from '../../../helpers/lean.ts';

let lean: Conversation;

/** One Lean for the file that calls this, and arms of micro that work on a goal in it. */
export function beginBench(): void {
  lean = conversation();
}

export const strategy = microStrategy({ budget: { cpu_seconds: 8, heartbeats: 20_000 } });

export const goalOf = (statement: string, preamble = ''): LeanGoal => ({
  id: 'g',
  preamble,
  statement,
  holes: { kind: 'statement' },
  topic: null,
  label: null,
  allowAxioms: [],
  source: null,
});

export const runFor = (signal: AttemptRun['signal'] = new AbortController().signal): AttemptRun => ({
  signal,
  limits: { ...strategy.budget, cpu_seconds: 20 },
  permit: async () => {},
  place: 0,
  deadline: Infinity,
  seed: 1,
});

export async function onBench<Value>(
  goal: LeanGoal,
  work: (bench: Workbench, lease: Lease) => Promise<Value>,
): Promise<Value> {
  return await lean.pool.use(async (lease) => {
    const opened = await Workbench.open(lease, goal, { toolchain: lean.pool.toolchain });
    if (!opened.ok) throw new Error(opened.error.message);
    const value = await work(opened.value, lease);
    await opened.value.end();
    return value;
  });
}

export async function attempt(bench: Workbench, name: string, run = runFor()): Promise<LeanOutcome> {
  const arm = strategy.arms(bench).find((candidate) => candidate.name === name);
  if (!arm) throw new Error(`there is no arm ${name}`);
  return await strategy.attempt(bench, arm, run);
}

export async function candidateOf(goal: LeanGoal, arm: string): Promise<Candidate> {
  const outcome = await onBench(goal, async (bench) => await attempt(bench, arm));
  if (outcome.kind !== 'solved') throw new Error(`${outcome.kind}: ${outcome.message}`);
  return outcome.candidate;
}

export async function expectAccepted(goal: LeanGoal, { proof }: Candidate): Promise<void> {
  expect(await checkClaim(lean.pool, { ...goal, proof })).toMatchObject({
    verdict: 'accepted',
    assurance: 'replayed',
  });
}

export const double = 'def double : Nat → Nat\n  | 0 => 0\n  | n + 1 => double n + 2\n';
export const place = `def place (n : Nat) : List Nat → List Nat
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
