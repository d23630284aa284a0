import { describe, expect, test } from 'vitest';
import { Gate } from '../../../src/lean/gate/gate.ts';
import { wholeStatement } from '../../../src/lean/goals/goal.ts';
import { refutation } from '../../../src/lean/search/refutation.ts';
import { negationOf } from '../../../src/lean/search/negation.ts';
import { refute } from '../../../src/lean/search/refute.ts';
import { WorkAccount } from '../../../src/lean/workbench/account.ts';
import { Workbench } from '../../../src/lean/workbench/workbench.ts';
import { conversation } from '../../helpers/lean.ts';

// the judge has a worker of its own: the refuter holds the other while it waits for the verdict
const lean = conversation({ slots: 2 });

const run = {
  limits: { cpu_seconds: 20, heartbeats: 400 },
  signal: new AbortController().signal,
  permit: async () => {},
};

async function onBench<Value>(
  statement: string,
  preamble: string,
  talk: (bench: Workbench) => Promise<Value>,
): Promise<Value> {
  return await lean.pool.use(async (lease) => {
    const rest = { id: 'g', holes: wholeStatement, topic: null, label: null, allowAxioms: [], source: null };
    const goal = { ...rest, preamble, statement };
    const opened = await Workbench.open(lease, goal, { toolchain: lean.pool.toolchain });
    if (!opened.ok) throw new Error(opened.error.message);
    const value = await talk(opened.value);
    await opened.value.end();
    return value;
  });
}

async function refuted(statement: string, preamble = ''): ReturnType<typeof refutation> {
  const gate = new Gate(lean.pool, lean.pool);
  return await onBench(statement, preamble, async (bench) => await refutation(bench, gate, run));
}

describe('a counter-example is one whose negation the gate accepts', () => {
  test.each([
    ['theorem t (a b : Nat) : a - b + b = a', '0 - 1 + 1 = 0'],
    ['theorem t (a b : Int) (h : a * b = 0) : a = 0', '(1 : Int) * (0 : Int) = 0 → (1 : Int) = 0'],
    ['theorem t (xs ys : List Nat) : xs ++ ys = ys ++ xs', '[0] ++ [1] = [1] ++ [0]'],
    [
      'theorem t (x : Option Bool × Nat) : x.1 = none ∨ x.2 = 0',
      '((some true), 1).fst = none ∨ ((some true), 1).snd = 0',
    ],

    ['theorem t (b c : Bool) (h : (b || c) = true) : b = true', '(false || true) = true → false = true'],
    ['theorem t (p q : Prop) (h : p ∨ q) : p', 'False ∨ True → False'],
    ['/-- A claim: `t`. -/\n@[simp] theorem t : 2 + 2 = 5', '2 + 2 = 5'],
    ['theorem t (a b : Nat) : a + b = b + a', undefined],
    ['theorem t (n : Nat) (h : n < 0) : n = 1', undefined],
    ['theorem t (p q : Prop) (h : p ∧ q) : q', undefined],
  ])('%s', async (statement, instance) => {
    expect(await refuted(statement)).toMatchObject({ instance, untried: [] });
  });

  test('values of types of its own are built by their constructors', async () => {
    const trees = `inductive Tree | leaf | node (l : Tree) (x : Nat) (r : Tree)
def mirror : Tree → Tree | .leaf => .leaf | .node l x r => .node (mirror r) x (mirror l)`;
    const { instance } = await refuted('theorem t (t : Tree) : mirror t = t', trees);
    expect(instance).toBe(
      'mirror ((Tree.leaf).node 0 ((Tree.leaf).node 0 Tree.leaf)) = ((Tree.leaf).node 0 ((Tree.leaf).node 0 Tree.leaf))',
    );
  });

  test('what has no small values is named: types, functions and what they are about', async () => {
    const { instance, untried } = await refuted('theorem t (α : Type) (f : Nat → Nat) (x y : α) : x = y');
    expect(instance).toBeUndefined();
    expect(untried).toEqual(['α : Type', 'f : Nat → Nat', 'x : α', 'y : α']);
  });

  test('an instance that is not read back as what it was is not believed', async () => {
    // it is false, but its text says something true: the gate has the last word
    const misleading = `def P (n : Nat) : Prop := n ≠ n
instance (n : Nat) : Decidable (P n) := isFalse (fun h => h rfl)
open Lean PrettyPrinter in
@[app_unexpander P] def unexpand : Unexpander := fun _ => \`(1 = 1)
`;
    const statement = 'theorem t (n : Nat) : P n';
    const found = await onBench(
      statement,
      misleading,
      async (bench) => await refute(bench, new WorkAccount(run)),
    );
    expect(found.instance).toBe('1 = 1');
    expect(await refuted(statement, misleading)).toMatchObject({ instance: undefined });
  });
});

test('a statement is negated as a whole', () => {
  expect(negationOf('theorem a.b (n : Nat) {xs : List Nat} [Add α] : n ∈ xs', 'no')).toEqual({
    closed: 'theorem no : ∀ (n : Nat) {xs : List Nat} [Add α], n ∈ xs',
    statement: 'theorem no : ¬ (∀ (n : Nat) {xs : List Nat} [Add α], n ∈ xs)',
  });
  expect(negationOf('lemma t.{u} (α : Type u) : ∀ x : α, x = x', 'no')?.statement).toBe(
    'theorem no.{u} : ¬ (∀ (α : Type u), ∀ x : α, x = x)',
  );
  expect(negationOf('theorem t : 1 = 2', 'no')?.closed).toBe('theorem no : 1 = 2');
  expect(negationOf('theorem t', 'no')).toBeUndefined();
  expect(negationOf('example : 1 = 2', 'no')).toBeUndefined();
});
