import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { readGoals } from '../../src/lean/goals/read.ts';
import type { LeanGoal } from '../../src/lean/goals/goal.ts';
import { Workbench } from '../../src/lean/workbench.ts';
import { Account } from '../../src/lean/workbench/account.ts';
import { conversation } from '../helpers/lean.ts';

const lean = conversation();
const file = path.join(import.meta.dirname, '..', '..', 'bench', 'bank.jsonl');

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
/** About a third of a second each; a search for a lemma that finds one takes a tenth of that. */
const heartbeats = 1000;

async function bank(): Promise<readonly LeanGoal[]> {
  const { goals, unreadable } = await readGoals(file, () => Promise.reject(new Error('no Lean is wanted')));
  expect(unreadable).toEqual([]);
  return goals;
}

const count = (some: readonly LeanGoal[]): Record<string, number> =>
  Object.fromEntries(
    [...Map.groupBy(some, ({ topic }) => topic ?? '')].map(([topic, its]) => [topic, its.length]),
  );

describe('the bank', () => {
  test('has 120 lemmas; the first 64 are the toy set', async () => {
    const goals = await bank();
    expect(goals).toHaveLength(120);
    expect(count(goals.slice(0, 64))).toEqual({ Nat: 30, List: 14, 'Bool and Prop': 14, Option: 6 });
    expect(count(goals)).toEqual({
      Nat: 45,
      List: 30,
      'Bool and Prop': 25,
      Option: 10,
      Int: 4,
      String: 2,
      Function: 4,
    });
    expect(goals.every(({ label }) => label !== null)).toBe(true);
  });

  test(
    'every statement elaborates, and at least 40 fall to no single closer',
    { timeout: 600_000 },
    async () => {
      const broken: string[] = [];
      const closed = new Map<string, string>();
      const goals = await bank();
      for (const goal of goals) {
        await lean.pool.use(async (lease) => {
          const opened = await Workbench.open(lease, goal, { toolchain: lean.pool.toolchain });
          if (!opened.ok) {
            broken.push(`${goal.id}: ${opened.failure.message}`);
            return;
          }
          const { workbench } = opened;
          const account = new Account({ cpu_seconds: 60, heartbeats }, new AbortController().signal);
          const answers = await workbench.run(workbench.root(0), singleClosers, account);
          const last = answers.at(-1);
          if (last?.kind === 'state' && last.state.closed) closed.set(goal.id, last.state.tactics.join('; '));
          await workbench.end();
        });
      }
      expect(broken).toEqual([]);
      const resists = goals.filter(({ id }) => !closed.has(id));
      // an easy one is easy because a single closer finishes it, and no other one is
      const mislabelled = goals.filter(({ id, label }) => (label === 'easy') !== closed.has(id));
      expect(mislabelled.map(({ id, label }) => `${id}: ${label}, ${closed.get(id) ?? 'no closer'}`)).toEqual(
        [],
      );
      expect(resists.length).toBeGreaterThanOrEqual(40);
    },
  );
});
