import { expect, test } from 'vitest';
import { attemptAlone, type Alone } from '../../../src/core/scheduler/single-attempt.ts';
import { systemClock } from '../../../src/core/clock.ts';
import { ScriptMemory } from '../../../src/lean/cache/script-memory.ts';
import { LeanDomain } from '../../../src/lean/domain.ts';
import { Gate } from '../../../src/lean/gate/gate.ts';
import { wholeStatement, type LeanGoal } from '../../../src/lean/goals/goal.ts';
import { cacheStrategy } from '../../../src/lean/strategies/cache/cache.ts';
import { ScriptStore } from '../../../src/store/scripts/scripts.ts';
import { temporaryFolder } from '../../helpers/folders.ts';
import { goalClosed } from '../../helpers/event-bodies.ts';
import { conversation } from '../../helpers/lean.ts';

// a goal holds one worker while the judge needs another
const lean = conversation({ slots: 2 });
const version = { lean: 'lean', mathlib: '' };

const goalOf = (id: string, statement: string, preamble = ''): LeanGoal => ({
  id,
  preamble,
  statement,
  holes: wholeStatement,
  topic: null,
  label: null,
  allowAxioms: [],
  source: null,
});

const walk = (name: string): string =>
  `def ${name} : Nat → Nat → Nat\n  | 0, b => b\n  | a + 1, b => ${name} a (b + 1)\n`;

test('a stored proof solves renamed, reordered and similar goals; a forged script solves none', async () => {
  using store = new ScriptStore(`${temporaryFolder()}/scripts.db`, systemClock);
  const memory = new ScriptMemory(store, version);
  const strategy = cacheStrategy(memory);
  const domain = new LeanDomain(lean.pool, new Gate(lean.pool, lean.pool));
  const parts = { domain, clock: systemClock, signal: new AbortController().signal };
  const attempt = async (goal: LeanGoal, arm: string): Promise<Alone> =>
    await attemptAlone(parts, goal, [strategy], arm, {
      limits: { cpu_seconds: 30, heartbeats: 3000 },
      seed: 1,
    });
  const prove = async (goal: LeanGoal, proof: string): Promise<void> => {
    expect(await attempt(goal, 'cache/same')).toMatchObject({ kind: 'no-arm' });
    const body = { ...goalClosed, goal: goal.id, solved: true, proof, arm: 'micro/close' };
    memory.listen({ type: 'goal-closed', run: 'run', at: 0, ...body });
  };

  const go = goalOf('go', 'theorem go_eq (m n : Nat) (h : 0 < n) : go m n = m + n', walk('go'));
  await prove(go, 'by\n  induction m generalizing n <;> grind [go]');
  const moved = goalOf('run', 'theorem t (y x : Nat) (far : 0 < y) : run x y = x + y', walk('run'));
  expect(await attempt(moved, 'cache/same')).toMatchObject({
    attempt: { outcome: 'solved', proof: 'by\n  induction x generalizing y <;> grind [run]' },
  });
  const alike = goalOf('alike', 'theorem t (m n : Nat) (h : 0 < n) : run m n = n + m', walk('run'));
  expect(await attempt(alike, 'cache/similar')).toMatchObject({ attempt: { outcome: 'solved' } });

  await prove(goalOf('forged', 'theorem t (p q : Prop) (h : p ∨ q) : p'), 'by\n  sorry');
  const other = goalOf('other', 'theorem t (a b : Prop) (k : a ∨ b) : a');
  const answer = await attempt(other, 'cache/same');
  expect(answer).toMatchObject({ kind: 'attempted' });
  expect(answer.kind === 'attempted' && answer.attempt.outcome).not.toBe('solved');
});
