import { expect, test } from 'vitest';
import { environmentOf } from '../../../src/lean/environment.ts';
import { Gate } from '../../../src/lean/gate/gate.ts';
import { provedTheorems, withShorter } from '../../../src/lean/golf/file.ts';
import { golf } from '../../../src/lean/golf/golf.ts';
import { isShorter, lengthOf } from '../../../src/lean/golf/score.ts';
import { conversation } from '../../helpers/lean.ts';

const lean = conversation();

const file = `theorem long (a b : Nat) (h : a = b) : b = a := by
  cases h
  have e : a = a := rfl
  exact e

theorem short : 1 = 1 := rfl
`;

test('the shortest proof that the gate accepts takes the place of a longer one, and of no other', async () => {
  const { pool } = lean;
  const theorems = await pool.use(
    async (lease) => await provedTheorems(lease, file, 'A.lean', environmentOf('')),
  );
  if ('ok' in theorems) throw new Error(theorems.message);
  expect(theorems.map(({ goal, proof }) => [goal.statement, lengthOf(proof, 0).tactics])).toEqual([
    ['theorem long (a b : Nat) (h : a = b) : b = a', 3],
    ['theorem short : 1 = 1', 1],
  ]);
  const [long] = theorems;
  if (!long) throw new Error('a theorem');
  const game = await golf({ pool, gate: new Gate(pool, pool) }, long.goal, long.proof, { cpuSeconds: 20 });
  if (typeof game === 'string') throw new Error(game);
  expect(game.winner.tactics).toBe(1);
  expect(game.contestants.length).toBeGreaterThan(1);
  expect(game.contestants.some((one) => isShorter(one, game.winner))).toBe(false);
  const text = withShorter(file, [{ theorem: long, proof: game.winner.proof }]);
  expect(text).toBe(
    `theorem long (a b : Nat) (h : a = b) : b = a := ${game.winner.proof}\n\ntheorem short : 1 = 1 := rfl\n`,
  );
});

test('fewest tactics, then characters, then time', () => {
  const [one, two] = [lengthOf('by simp_all', 3), lengthOf('by intro h; rfl', 1)];
  expect([one.tactics, two.tactics]).toEqual([1, 2]);
  expect(isShorter(one, two)).toBe(true);
  expect(isShorter(lengthOf('by omega', 9), one)).toBe(true);
  expect(isShorter(lengthOf('by simp_all', 2), one)).toBe(true);
  expect(
    lengthOf('by\n  induction n with\n  | zero => rfl\n  | succ n ih =>\n    simp <;> omega', 0).tactics,
  ).toBe(4);
});
