import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../helpers/folders.ts';
import { orch } from '../helpers/orch.ts';

const draft = `theorem lost (n : Nat) : n < n + 1 := by
  exact no_such_lemma

theorem narrowed (a b : Nat) (h : a ≤ b) : a + 1 ≤ b + 1 := by
  apply Nat.le_trans (m := b)
  · exact no_such_lemma
  · omega

theorem wrong (n : Nat) : n * 2 = n := by
  simp
`;

test('the clinic gives different advice for a false step and a false statement, and creates a ticket for neither', async () => {
  const cwd = temporaryFolder();
  const file = path.join(cwd, 'Draft.lean');
  writeFileSync(file, draft);
  const { code, stderr } = await orch(['clinic', 'Draft.lean', '--write', '--profile', '0'], { cwd });
  expect(code).toBe(1);
  expect(stderr).toContain(
    'Draft.lean:6: the goal that the kept steps of narrowed leave is false (counterexample: a = 0, b = 0): change one of these steps',
  );
  expect(stderr).toContain('Draft.lean:10: wrong is false (counterexample: n = 1): change the statement');
  expect(stderr).not.toContain('ticket lem-');
  const repaired = readFileSync(file, 'utf8');
  expect(repaired).toMatch(/n < n \+ 1 := by\n {2}(?!exact no_such_lemma)/);
  expect(repaired.slice(repaired.indexOf('theorem narrowed'))).toBe(
    draft.slice(draft.indexOf('theorem narrowed')),
  );
});
