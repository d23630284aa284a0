import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { orchHere } from '../helpers/orch-here.ts';
import { repositoryWith } from '../helpers/repository.ts';

const text = `def twice (n : Nat) : Nat := n + n

theorem twice_zero : twice 0 = 0 := by
  unfold twice
  have h : (0 : Nat) + 0 = 0 := by
    simp
  exact h

theorem open_one (n : Nat) : twice n = 2 * n := by
  sorry

theorem sum_comm (a b : Nat) : a + b = b + a := by
  induction a with
  | zero => simp
  | succ n ih =>
    rw [Nat.add_right_comm]
    rw [ih]
    rfl
`;

test('orch golf --ship opens one request with the lengths before and after, and changes no file here', async () => {
  const { cwd, git, server, env } = await repositoryWith({ 'Main.lean': text });
  const golf = ['golf', 'Main.lean', '--ship', '--repo', 'o/r', '--seconds', '5'];
  for (const expected of ['opened', 'unchanged']) {
    const { code, stdout } = await orchHere(golf, { cwd, env });
    expect([code, stdout]).toEqual([0, expect.stringContaining(`${expected}  Main.lean`)]);
  }
  expect(readFileSync(path.join(cwd, 'Main.lean'), 'utf8')).toBe(text);
  const [request, ...others] = server.requests;
  expect(others).toEqual([]);
  expect(request?.title).toBe('refactor(lean): shorten 2 proofs in Main.lean');
  expect(request?.body).toMatch(
    /^\| `sum_comm` \| 5 tactics, \d+ characters \| 1 tactic, \d+ characters \|$/m,
  );
  expect(request?.body).toContain('Second kernel: accept');
  const branch = git('show', 'origin/auto/golf/Main:Main.lean');
  expect(branch.length).toBeLessThan(text.length);
  expect(branch).toContain('theorem open_one (n : Nat) : twice n = 2 * n := by\n  sorry\n');

  // a branch that changes a statement is left alone
  git('checkout', '--quiet', '-B', 'edited', 'origin/auto/golf/Main');
  writeFileSync(path.join(cwd, 'Main.lean'), branch.replace('a + b = b + a', 'a + b = a + b'));
  git('commit', '--quiet', '--all', '--message', 'Other');
  git('push', '--quiet', '--force', 'origin', 'HEAD:auto/golf/Main');
  git('checkout', '--quiet', 'dev');
  const { code, stdout } = await orchHere(golf, { cwd, env });
  expect([code, stdout]).toEqual([1, expect.stringContaining('conflict  Main.lean')]);

  const written = await orchHere(['golf', 'Main.lean', '--write', '--seconds', '5'], { cwd, env });
  expect([written.code, written.stderr]).toEqual([0, expect.stringContaining('2 proofs are shorter')]);
  expect(readFileSync(path.join(cwd, 'Main.lean'), 'utf8')).toBe(branch);
});
