import { valueOrThrow } from '../../../../src/core/result.ts';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { provenancesOf, readTheorems, traceFile } from '../../../../src/lean/learning/trace/trace.ts';
import { readWritten } from '../../../../src/lean/learning/trace/written-proof.ts';
import { temporaryFolder } from '../../../helpers/folders.ts';
import { conversation } from '../../../helpers/lean.ts';

const talk = conversation();

const text = `namespace Sums
def double (n : Nat) : Nat := n + n

/-- Said otherwise. -/
@[simp] theorem double_eq (n : Nat) (_h : n = n) : double n = 2 * n := by
  unfold double -- both
  omega

theorem split (n : Nat) : double n = 2 * n ∧ 0 ≤ n := by
  constructor
  · exact double_eq n rfl
  · exact Nat.zero_le n

theorem by_cases_ (n : Nat) : n + 0 = n := by
  induction n with
  | zero => rfl
  | succ k _ => rfl

theorem term (n : Nat) : 0 ≤ n := Nat.zero_le n

theorem equations : (n : Nat) → n = n
  | 0 => rfl
  | _ + 1 => rfl
end Sums
`;

test.each([
  'theorem t : A ∧ B where\n  left := a\n  right := b',
  'theorem t : (n : Nat) → n = n\n  | 0 => rfl\n  | n + 1 => by\n    have h := t n\n    rfl',
])('a proof without `:=` has no value: %s', (code) => {
  expect(readWritten(code)).toBeUndefined();
});

test('a proof is read as the steps of its outermost block', () => {
  expect(
    readWritten('theorem t (h : a := "by := (") -- := \n  : a := by\n  x\n    y\n  -- no\n  · z\n'),
  ).toEqual({
    statement: 'theorem t (h : a := "by := (") -- := \n  : a',
    proof: 'by\n  x\n    y\n  -- no\n  · z',
    tactics: ['x\n  y', '· z'],
  });
  expect(readWritten('theorem t : a := by cases h with\n  | b => c')?.tactics).toEqual([
    'cases h with\n| b => c',
  ]);
  expect(readWritten('theorem t : a := ⟨b, c⟩')).toMatchObject({ tactics: [], proof: '⟨b, c⟩' });
  expect(readWritten('theorem t : a → b\n  | x => y')).toBeUndefined();
});

test('the trace of a file has states, steps and premises', async () => {
  const file = path.join(temporaryFolder(), 'Sums.lean');
  writeFileSync(file, text);
  const read = valueOrThrow(await readTheorems(talk.pool, file));
  const place = { def_path: file, def_pos: [4, 0] as const, def_end_pos: [7, 7] as const };
  const traced = new Map(
    (await traceFile(talk.pool, read, provenancesOf([read]))).map((one) => [one.full_name, one]),
  );
  expect(
    [...traced].map(([name, { traced_tactics, reason }]) => [name, traced_tactics.length, reason]),
  ).toEqual([
    ['Sums.double_eq', 2, null],
    ['Sums.split', 3, null],
    ['Sums.by_cases_', 1, null],
    ['Sums.term', 0, null],
    ['Sums.equations', 0, 'it is proved by equations'],
  ]);
  expect(traced.get('Sums.double_eq')?.traced_tactics[1]).toMatchObject({
    tactic: 'omega',
    state_before: 'n : Nat\n_h : n = n\n⊢ n + n = 2 * n',
    state_after: 'no goals',
  });
  const [, second, third] = traced.get('Sums.split')?.traced_tactics ?? [];
  expect(second?.state_before).toMatch(/^case left\nn : Nat\n⊢ .*\n\ncase right\n/);
  expect(second?.annotated_tactic[0]).toBe('· exact double_eq n rfl');
  expect(second?.annotated_tactic[1]).toContainEqual({ full_name: 'Sums.double_eq', ...place });
  expect(third?.annotated_tactic[1]).toEqual([
    { full_name: 'Nat.zero_le', def_path: null, def_pos: null, def_end_pos: null },
  ]);
  expect(traced.get('Sums.term')?.premises).toContain('Nat.zero_le');
  expect(read.premises.map(({ full_name, start }) => [full_name, start[0]])).toContainEqual([
    'Sums.split',
    9,
  ]);
});
