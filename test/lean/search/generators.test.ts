import { describe, expect, test } from 'vitest';
import { factsOf } from '../../../src/lean/premises/facts.ts';
import { generatorOf } from '../../../src/lean/search/generators.ts';
import { WorkAccount } from '../../../src/lean/workbench/account.ts';
import { Workbench } from '../../../src/lean/workbench/workbench.ts';
import { conversation } from '../../helpers/lean.ts';
import { goalOf } from '../strategies/micro/bench.ts';

const lean = conversation();

const preamble = `inductive Even : Nat → Prop
  | zero : Even 0
  | step : Even n → Even (n + 2)
notation:50 "⟦" n "⟧" => Even n
def half : Nat → Nat
  | 0 => 0
  | 1 => 0
  | n + 2 => half n + 1
def Below (s t : Nat → Prop) : Prop := ∀ x, s x → t x
axiom half_le (n : Nat) : half n ≤ n
axiom Nat.parityElim {motive : Nat → Prop} (n : Nat) (even : ∀ k, motive (2 * k)) (odd : ∀ k, motive (2 * k + 1)) : motive n
`;

/** The moves at a statement's first goal, after some steps. */
async function movesAt(statement: string, ...steps: readonly string[]) {
  return await lean.pool.use(async (lease) => {
    const { toolchain } = lean.pool;
    const opened = await Workbench.open(lease, goalOf(statement, preamble), { toolchain });
    if (!opened.ok) throw new Error(opened.error.message);
    const workbench = opened.value;
    const limits = { cpu_seconds: 20, heartbeats: 20_000 };
    const account = new WorkAccount({ limits, signal: new AbortController().signal, permit: async () => {} });
    let [at] = workbench.open;
    for (const step of steps) {
      const [answer] = at ? await workbench.run(at, [step], account) : [];
      at = answer?.kind === 'state' ? answer.state : undefined;
    }
    if (!at) throw new Error('a step failed');
    const facts = factsOf(workbench);
    const moves = await workbench.moves(at, facts, account);
    const view = { goals: at.goals, moves, facts };
    await workbench.end();
    return { moves, view };
  });
}

describe('the steps that Lean reads from a goal', () => {
  test.each<[family: string, tactic: string, statement: string]>([
    [
      'induction over an index that is a term',
      '(generalize e0 : n + 2 = i0 at h; induction h generalizing n)',
      'theorem t (n : Nat) (h : Even (n + 2)) : Even n',
    ],
    ['inversion', 'cases h', 'theorem t (n : Nat) (h : ⟦n⟧) : n ≠ 1'],
    ['a rule behind a notation, backwards', 'apply Even.step', 'theorem t (n : Nat) : ⟦n + 2⟧'],
    [
      'a hypothesis rewritten by another',
      'rw [e] at h',
      'theorem t (p : Nat → Prop) (n m : Nat) (e : half n = m) (h : p (half n)) : p m',
    ],
    [
      'a hypothesis at a value',
      'have hn := h a',
      'theorem t (p : Nat → Prop) (a : Nat) (h : ∀ x, p x → False) : ¬ p a',
    ],
    ['a fact that is awaited', 'have hn := h ?_', 'theorem t (p q : Prop) (h : p → q ∧ p) : q'],
    ['a split', 'split at h', 'theorem t (n : Nat) (h : (if n = 0 then 1 else 2) = 2) : n ≠ 0'],
    ['what a definition hides', 'unfold Below', 'theorem t (s t : Nat → Prop) : Below s t'],
    ['along a function', 'fun_induction half n', 'theorem t (n m : Nat) : half n ≤ n + m'],
    ['a witness that is found later', 'refine ⟨_, ?_⟩', 'theorem t : ∃ n, Even n'],
    ['a contradiction', 'refine absurd ?_ h', 'theorem t (p q : Prop) (h : ¬p) (k : p) : q'],
    ['a principle of the preamble', 'cases n using Nat.parityElim', 'theorem t (n : Nat) : half n ≤ n'],
    ['a lemma about the same function', 'apply half_le', 'theorem t (n : Nat) : half n ≤ n + 0'],
  ])('%s: %s', async (_, tactic, statement) => {
    const { moves } = await movesAt(statement);
    expect(moves.kinds.flat()).toContain(tactic);
  });

  test.each<[what: string, move: string, statement: string, steps: string[]]>([
    ['a solved equation', 'subst e', 'theorem t (x y : Nat) (e : y = x) : x = y', []],
    ['parts of a pair', 'obtain ⟨h1, h2⟩ := h', 'theorem t (p q : Prop) (h : p ∧ q) : q', []],
    ['a derivation of one rule', 'cases h', 'theorem t (n : Nat) (h : Even (n + 2)) : Even n', []],
    ['a binder', 'intro n', 'theorem t : ∀ n : Nat, n ≤ n', []],
  ])('%s loses nothing: %s', async (_, move, statement, steps) => {
    expect((await movesAt(statement, ...steps)).moves.safe).toContain(move);
  });

  test('names come first, and alone', async () => {
    const { moves } = await movesAt('theorem t : ∀ n : Nat, n ≤ n', 'intros');
    expect(moves).toMatchObject({ naming: ['rename_i n'], safe: [], kinds: [] });
  });

  test('a choice is left to the search', async () => {
    const { moves } = await movesAt('theorem t (p q : Prop) (n : Nat) (h : p ∨ q) (k : Even n) : p');
    expect(moves.safe).toEqual([]);
  });
});

test('the last step only closes the goal; others come in stages', async () => {
  const { view } = await movesAt('theorem t (n : Nat) : ⟦n + 2⟧');
  const all = (isLast: boolean): string[] =>
    generatorOf()({ ...view, isLast }).flatMap(({ tactics }) => tactics);
  expect(all(true)).not.toContain('apply Even.step');
  expect(all(false)).toContain('apply Even.step');
  expect(all(false).findIndex((tactic) => tactic.startsWith('(induction n <;> (first | '))).toBeGreaterThan(
    0,
  );
});
