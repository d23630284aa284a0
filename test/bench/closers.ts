import path from 'node:path';
import { expect } from 'vitest';
import { readGoals } from '../../src/lean/goals/read.ts';
import type { LeanGoal } from '../../src/lean/goals/goal.ts';
import { Workbench } from '../../src/lean/workbench/workbench.ts';
import { WorkAccount } from '../../src/lean/workbench/account.ts';
import type { LeanPool } from '../../src/lean/workers/pool.ts';

const file = path.join(import.meta.dirname, '..', '..', 'data', 'bank.jsonl');

/** Every tactic that may close a goal by itself, without help from the preamble. */
const singleClosers = [
  'rfl',
  'trivial',
  'assumption',
  'contradiction',
  'decide',
  'simp',
  'simp_all',
  'simp +arith',
  'simp_all +arith',
  'simp +decide',
  'omega',
  'ac_rfl',
  'grind',
  'bv_omega',
  'norm_cast',
  'solve_by_elim',
  'intros; rfl',
  'intros; trivial',
  'intros; simp_all',
  'intros; omega',
  'exact?',
  'rw?',
  'apply?',
];
/** About a third of a second each; a successful lemma search takes a tenth of that. */
const heartbeats = 1000;

/** The goals of the bank, in order. */
export async function bank(): Promise<readonly LeanGoal[]> {
  const { goals, unreadable } = await readGoals(file, () => Promise.reject(new Error('no Lean is wanted')));
  expect(unreadable).toEqual([]);
  return goals;
}

export interface Closed {
  /** Goals that Lean could not open, with its message. */
  readonly broken: readonly string[];
  /** The first single closer that finishes a goal. */
  readonly closers: ReadonlyMap<string, string>;
}

/** Try every single closer on every goal. */
export async function closeBySingle(pool: LeanPool, goals: readonly LeanGoal[]): Promise<Closed> {
  const broken: string[] = [];
  const closers = new Map<string, string>();
  for (const goal of goals)
    await pool.use(async (lease) => {
      const opened = await Workbench.open(lease, goal, { toolchain: pool.toolchain });
      if (!opened.ok) {
        broken.push(`${goal.id}: ${opened.error.message}`);
        return;
      }
      const workbench = opened.value;
      const account = new WorkAccount({
        limits: { cpu_seconds: 60, heartbeats },
        signal: new AbortController().signal,
        permit: async () => {},
      });
      const answers = await workbench.run(workbench.root(0), singleClosers, account);
      const last = answers.at(-1);
      if (last?.kind === 'state' && last.state.closed) closers.set(goal.id, last.state.tactics.join('; '));
      await workbench.end();
    });
  return { broken, closers };
}

/** Goals are labelled easy exactly if a single closer proves them. */
export function mislabelled(goals: readonly LeanGoal[], { closers }: Closed): readonly string[] {
  return goals
    .filter(({ id, label }) => (label === 'easy') !== closers.has(id))
    .map(({ id, label }) => `${id}: ${label}, ${closers.get(id) ?? 'no closer'}`);
}
