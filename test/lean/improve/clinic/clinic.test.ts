import { valueOrThrow } from '../../../../src/core/result.ts';
import { describe, expect, test } from 'vitest';
import { examineDraft } from '../../../../src/lean/improve/clinic/clinic.ts';
import { cutsAt } from '../../../../src/lean/improve/clinic/cut.ts';
import { conversation } from '../../../helpers/lean.ts';

const lean = conversation();

const draft = `theorem good : 1 = 1 := rfl

theorem stale (n : Nat) : n + 0 = n ∧ 0 + n = n := by
  constructor
  · rw [no_such_lemma]
    rfl
  · exact Nat.zero_add n

theorem short (a b : Nat) (h : a = b) : b = a ∧ True := by
  refine ⟨?_, ?_⟩
  · exact h.symm

theorem nonsense : Nat.zero = true := by rfl

theorem good' : 2 = 2 := rfl
`;

test('the first failing step of each proof becomes a hole, and working steps are kept', async () => {
  const examined = valueOrThrow(await lean.pool.use(async (lease) => await examineDraft(lease, draft)));
  expect(examined.patients.map(({ name, line, step }) => ({ name, line, step }))).toEqual([
    { name: 'stale', line: 5, step: 'rw [no_such_lemma]\n    rfl' },
    { name: 'short', line: 9, step: '' },
  ]);
  expect(examined.incurable.map(({ name, line }) => [name, line])).toEqual([['nonsense', 13]]);
  expect(examined.text).toBe(
    draft
      .replace('rw [no_such_lemma]\n    rfl', 'sorry')
      .replace('  · exact h.symm\n', '  · exact h.symm\n  sorry\n'),
  );
});

const cut = (text: string, line: number, message = 'unknown') =>
  cutsAt(text, { start: [line, text.split('\n')[line - 1]?.search(/\S/) ?? 0], text: message })[0]?.text;

describe('the layout decides where a step ends', () => {
  test.each([
    [
      'a line of its own',
      'theorem t : p := by\n  simp\n  bad\n  rfl\n\nend',
      3,
      'theorem t : p := by\n  simp\n  sorry\n\nend',
    ],
    ['after a bullet', '  · bad\n    more\n  · rfl', 1, '  · sorry\n  · rfl'],
    ['in a case', '  | zero => bad\n  | succ n => rfl', 1, '  | zero => sorry\n  | succ n => rfl'],
    ['after by', 'theorem t : p := by bad', 1, 'theorem t : p := by sorry'],
  ])('%s', (_, text, line, expected) => {
    expect(cut(text, line)).toBe(expected);
  });
});
