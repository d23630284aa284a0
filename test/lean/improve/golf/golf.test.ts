import { valueOrThrow } from '../../../../src/core/result.ts';
import { expect, test } from 'vitest';
import { rewardOf, rewards } from '../../../../src/core/rewards.ts';
import { environmentOf } from '../../../../src/lean/project/environment.ts';
import { Gate } from '../../../../src/lean/gate/gate.ts';
import { provedTheorems, withShorter } from '../../../../src/lean/improve/golf/file.ts';
import { golf, type Game } from '../../../../src/lean/improve/golf/golf.ts';
import { golfRun } from '../../../../src/lean/improve/golf/lesson.ts';
import type { LeanGoal } from '../../../../src/lean/goals/goal.ts';
import type { RunStarted } from '../../../../src/shared/events.ts';
import { isShorter, lengthOf } from '../../../../src/lean/improve/golf/score.ts';
import { conversation } from '../../../helpers/lean.ts';
import { temporaryLedger } from '../../../store/ledger/temporary.ts';

const lean = conversation();

const file = `theorem long (a b : Nat) (h : a = b) : b = a := by
  cases h
  have e : a = a := rfl
  exact e

theorem short : 1 = 1 := rfl
`;

test('the shortest accepted proof replaces a longer one of the same goal only', async () => {
  const { pool } = lean;
  const theorems = valueOrThrow(
    await pool.use(async (lease) => await provedTheorems(lease, file, 'A.lean', environmentOf(''))),
  );
  expect(theorems.map(({ goal, proof }) => [goal.statement, lengthOf(proof, 0).tactics])).toEqual([
    ['theorem long (a b : Nat) (h : a = b) : b = a', 3],
    ['theorem short : 1 = 1', 1],
  ]);
  const [long] = theorems;
  if (!long) throw new Error('a theorem');
  const game = valueOrThrow(
    await golf({ pool, gate: new Gate(pool, pool) }, long.goal, long.proof, { cpuSeconds: 20 }),
  );
  expect(game.winner.tactics).toBe(1);
  expect(game.contestants.length).toBeGreaterThan(1);
  expect(game.contestants.some((one) => isShorter(one, game.winner))).toBe(false);
  await expectPaid(long.goal, game);
  const text = withShorter(file, [{ theorem: long, proof: game.winner.proof }]);
  expect(text).toBe(
    `theorem long (a b : Nat) (h : a = b) : b = a := ${game.winner.proof}\n\ntheorem short : 1 = 1 := rfl\n`,
  );
});

test('shorter means fewer tactics, then fewer characters, then less time', () => {
  const [one, two] = [lengthOf('by simp_all', 3), lengthOf('by intro h; rfl', 1)];
  expect([one.tactics, two.tactics]).toEqual([1, 2]);
  expect(isShorter(one, two)).toBe(true);
  expect(isShorter(lengthOf('by omega', 9), one)).toBe(true);
  expect(isShorter(lengthOf('by simp_all', 2), one)).toBe(true);
  expect(
    lengthOf('by\n  induction n with\n  | zero => rfl\n  | succ n ih =>\n    simp <;> omega', 0).tactics,
  ).toBe(4);
});

/** The ledger returns the shorter proof first, and its arm gets a larger reward than for solving alone. */
async function expectPaid(goal: LeanGoal, game: Game): Promise<void> {
  const { ledger } = await temporaryLedger();
  const played = [{ goal, game }];
  const events = golfRun('golf', 1, start, played);
  await ledger.journal.append(events);
  const [known] = await ledger.experience.provedBefore(game.facts.goalHash);
  expect(known).toMatchObject({ proof: game.winner.proof, strategy: 'micro' });
  const finished = events.find(({ type }) => type === 'attempt-finished');
  if (finished?.type !== 'attempt-finished') throw new Error('an attempt');
  const shortenedBy = 1 - game.winner.characters / game.before.characters;
  const { cpuSeconds } = game.winner;
  const alone = rewardOf({ workSeconds: cpuSeconds, budgetSeconds: 8 });
  expect(finished.reward).toBeCloseTo(alone + rewards.shortened * shortenedBy);
  const [record] = await ledger.experience.armRecords();
  expect(record).toMatchObject({ arm: finished.arm, trials: 1 });
  expect(golfRun('golf', 1, start, [{ goal, game: { ...game, winner: game.before } }])).toEqual([]);
}

const start: RunStarted = {
  command: 'golf',
  resumes: null,
  seed: 1,
  toolchain: 'lean',
  version: '0',
  sources: [],
  strategies: [],
  learned: { arms: [], weights: {} },
  config: {
    profile: 0,
    timeout: null,
    goal_cpu: 60,
    cpu_target: 1,
    cores: 2,
    workers: 1,
    max_light: 1,
    max_heavy: 0,
    escalate_threshold: 0.6,
  },
};
