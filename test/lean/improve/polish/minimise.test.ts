import { expect, test } from 'vitest';
import { minimise } from '../../../../src/lean/improve/polish/minimise.ts';
import { WorkAccount } from '../../../../src/lean/workbench/account.ts';
import { beginBench, expectAccepted, goalOf, onBench, runFor } from '../../strategies/micro/bench.ts';
import { longTest } from '../../../helpers/tier.ts';

beginBench();

const numbers = `namespace Own
def plus : Nat → Nat → Nat
  | 0, m => m
  | n + 1, m => plus n m + 1
theorem plus_zero (n : Nat) : plus n 0 = n := by induction n <;> simp_all [plus]
theorem plus_succ (n m : Nat) : plus n (m + 1) = plus n m + 1 := by induction n <;> simp_all [plus]
inductive Even : Nat → Prop
  | zero : Even 0
  | step {n : Nat} (h : Even n) : Even (n + 2)
`;

/** The text written for a goal that a script proves; the gate accepts it. */
async function written(statement: string, lines: readonly string[], preamble = ''): Promise<string> {
  const goal = goalOf(statement, preamble);
  const candidate = await onBench(goal, async (bench) => {
    const account = new WorkAccount(runFor());
    const [answer] = await bench.run(bench.root(0), [lines.join('\n')], account, { until: 'end' });
    if (answer?.kind !== 'state') throw new Error(`the script fails: ${answer?.failure.message}`);
    expect(await bench.close(answer.state, account)).toBeUndefined();
    return (await minimise(bench, { proof: bench.proof() ?? '', premises: [] }, runFor())).candidate;
  });
  await expectAccepted(goal, candidate);
  return candidate.proof;
}

test('unused names and namespaces are removed', async () => {
  const names = ['Own.plus_zero', 'Own.plus_succ', 'Own.plus'].join(', ');
  expect(await written('theorem t (n : Nat) : plus n 0 = n', [`simp [${names}]`], numbers)).toBe(
    'by\n  simp [plus_zero]',
  );
});

longTest('the simplest closer replaces a longer one', async () => {
  expect(await written('theorem t (a b : Nat) (h : a < b) : a + 1 ≤ b', ['simp_all [Nat.succ_le]'])).toBe(
    'by\n  assumption',
  );
});

test('cases with the same ending become one line', async () => {
  const script = ['induction n', '· rfl', '· rename_i m ih', '  grind [plus]'];
  expect(await written('theorem t (n : Nat) : plus n 0 = n', script, numbers)).toBe(
    'by\n  induction n <;> grind [plus]',
  );
});

test('one closer replaces a case of several steps', async () => {
  const script = [
    'rcases h with h | h',
    '· rw [h, Nat.mul_comm]',
    '  have e := Nat.mul_zero b',
    '  exact e',
    '· simp [h]',
  ];
  expect(await written('theorem t (a b : Nat) (h : a = 0 ∨ b = 0) : a * b = 0', script)).not.toMatch(
    /rw|have|exact/,
  );
});

test('other cases name their fields, and a term keeps one choice of a `first`', async () => {
  const script = [
    'induction h',
    '· exact ⟨0, rfl⟩',
    '· rename_i a b c',
    '  obtain ⟨k, hk⟩ := c',
    '  exact ⟨k + 1, by first | omega | grind⟩',
  ];
  const statement = 'theorem t (n : Nat) (h : Even n) : ∃ k, n = 2 * k';
  expect(await written(statement, script, numbers)).toBe(
    [
      'by',
      '  induction h with',
      '  | zero => exact ⟨0, rfl⟩',
      '  | step h c =>',
      '    obtain ⟨k, hk⟩ := c',
      '    exact ⟨k + 1, by omega⟩',
    ].join('\n'),
  );
});

test('each case keeps its own choice of a `first`', async () => {
  const script = ['(induction n <;> (first | exact Nat.le_refl _ | exact Nat.le_succ_of_le ‹_›))'];
  const proof = await written('theorem t (n : Nat) : 0 ≤ n', script);
  expect(proof).not.toMatch(/first|\(/);
});

test('steps that only clean up are removed', async () => {
  const script = ['(generalize e : 1 = i at h; cases h <;> (try clear i))', '· omega', '· omega'];
  const proof = await written('theorem t (h : Even 1) : False', script, numbers);
  expect(proof).not.toContain('try clear');
});

test('a used-up budget leaves the script unchanged', async () => {
  const goal = goalOf('theorem t (a b : Nat) : a + b = b + a');
  await onBench(goal, async (bench) => {
    const run = { ...runFor(), limits: { ...runFor().limits, cpu_seconds: 0 } };
    const account = new WorkAccount(runFor());
    const [answer] = await bench.run(bench.root(0), ['simp only [Nat.add_comm]'], account);
    if (answer?.kind !== 'state') throw new Error('it is proved');
    await bench.close(answer.state, account);
    const candidate = { proof: bench.proof() ?? '', premises: [] };
    expect((await minimise(bench, candidate, run)).candidate).toEqual(candidate);
  });
});

test('the explaining step stays, and introductions become one line', async () => {
  const script = ['intro n', 'intro m', '(intro l', ' exact l.symm)'];
  const proof = await written('theorem t : ∀ n m : Nat, n = m → m = n', script);
  expect(proof).toBe('by\n  intro n m l\n  exact l.symm');
});

test('a fact carries its proof and a name that says what it states', async () => {
  const script = [
    'have key : ∀ m : Nat, plus m 0 = m := ?_',
    '· exact key n',
    '· intro m',
    '  induction m',
    '  · rfl',
    '  · rename_i k ih',
    '    simp only [plus, ih]',
  ];
  const preamble = numbers.replace(/theorem plus_zero.*\n/, '').replace(/theorem plus_succ.*\n/, '');
  const proof = await written('theorem t (n : Nat) : plus n 0 = n', script, preamble);
  expect(proof).toMatch(/^by\n  have plus_zero : ∀ m : Nat, plus m 0 = m := by\n    intro m\n/);
  expect(proof).not.toContain('key');
});

test('a fact that plays no part is removed', async () => {
  const script = ['have key : ∀ m : Nat, m = m := ?_', '· omega', '· intro m', '  rfl'];
  expect(await written('theorem t (a b : Nat) (h : a < b) : a + 1 ≤ b', script)).not.toContain('have');
});

longTest('a single remaining case names its fields too', async () => {
  const script = ['cases h', 'rename_i k', 'exact ⟨k, k⟩'];
  const proof = await written('theorem t (n : Nat) (h : Even (n + 2)) : Even n ∧ Even n', script, numbers);
  expect(proof).toBe('by\n  cases h with\n  | step k => exact ⟨k, k⟩');
});
