import { describe, expect, test } from 'vitest';
import { Gate } from '../../../src/lean/gate/gate.ts';
import { wholeStatement } from '../../../src/lean/goals/goal.ts';
import { refutation } from '../../../src/lean/search/refutation.ts';
import { negationOf, proofFrom } from '../../../src/lean/search/negation.ts';
import { Workbench } from '../../../src/lean/workbench/workbench.ts';
import { conversation } from '../../helpers/lean.ts';
import { longTest, slice } from '../../helpers/tier.ts';

// the judge has a worker of its own: the refuter holds the other while it waits for the verdict
const lean = conversation({ slots: 2 });

const run = {
  limits: { cpu_seconds: 20, heartbeats: 900 },
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

describe('a counterexample counts only if the gate accepts the negation', () => {
  const statements: readonly (readonly [statement: string, instance: string | undefined])[] = [
    ['theorem t (a b : Nat) : a - b + b = a', 'a = 0, b = 1'],
    ['theorem t (a b : Int) (h : a * b = 0) : a = 0', 'a = (1 : Int), b = (0 : Int)'],
    ['theorem t (xs ys : List Nat) : xs ++ ys = ys ++ xs', 'xs = [0], ys = [1]'],
    ['theorem t (x : Option Bool × Nat) : x.1 = none ∨ x.2 = 0', 'x = (some false, 1)'],
    ['theorem t (b c : Bool) (h : (b || c) = true) : b = true', 'b = false, c = true'],
    ['theorem t (p q : Prop) (h : p ∨ q) : p', 'p = False, q = True'],
    ['theorem t : ∀ n : Nat, n < 2', 'n = 2'],
    ['/-- A claim: `t`. -/\n@[simp] theorem t : 2 + 2 = 5', '(no variables)'],
    // type variables, functions and predicates
    ['theorem t {α : Type} (xs : List α) : xs.reverse = xs', 'α = Nat, xs = [0, 1]'],
    ['theorem t.{u} {α : Type u} [DecidableEq α] (x y : α) : x = y', 'α = Nat, x = 0, y = 1'],
    [
      'theorem t (α : Type) (f : Nat → Nat) (x y : α) : x = y',
      'α = Nat, f = (fun a => a : Nat → Nat), x = 0, y = 1',
    ],
    ['theorem t (n : Nat) (i : Fin n) : i.val = 0', 'n = 2, i = (1 : Fin 2)'],
    [
      'theorem t {α : Type} (p : α → Prop) (x : α) : p x',
      'α = Nat, p = (fun a => False : Nat → Prop), x = 0',
    ],
    // values beyond the smallest
    ['theorem t (a b n : Nat) (h : a % n = b % n) (k : 3 < n) : a = b', 'a = 0, b = 4, n = 4'],
    ['theorem t (a b : Nat) : a + b = b + a', undefined],
    ['theorem t (n : Nat) (h : n < 0) : n = 1', undefined],
    ['theorem t (p q : Prop) (h : p ∧ q) : q', undefined],
    ['theorem t {α : Type} (xs : List α) : xs.reverse.reverse = xs', undefined],
  ];
  test.each(slice(statements, 9))('%s', async (statement, instance) => {
    expect(await refuted(statement)).toMatchObject({ instance, untried: [] });
  });

  test('values of user types are built from their constructors', async () => {
    const trees = `inductive Tree (α : Type u) | leaf | node (l : Tree α) (x : α) (r : Tree α)
namespace Tree
variable {α : Type u}
def mirror : Tree α → Tree α | .leaf => .leaf | .node l x r => .node (mirror r) x (mirror l)`;
    const { instance } = await refuted('theorem t (t : Tree α) : mirror t = t', trees);
    expect(instance).toBe('α = Nat, t = leaf.node 0 (leaf.node 0 leaf)');
  });

  test('a counterexample may need a later constructor and larger numbers', async () => {
    const account = `inductive Move | put (n : Nat) | take (n : Nat)
def Move.from (b : Nat) : Move → Nat | .put n => b + n | .take n => if n ≤ b then b - n else b
def balance (b : Nat) (ms : List Move) : Nat := ms.foldl Move.from b`;
    const { instance } = await refuted(
      'theorem t (ms : List Move) (h : a ≤ b) : balance a ms ≤ balance b ms',
      account,
    );
    expect(instance).toMatch(/ms = \[Move\.take \d\]$/);
  });

  test('a goal that cannot be tested is not false', async () => {
    const variables = 'variable (none : False)\n';
    expect(await refuted('theorem t (n : Nat) : none.elim = n', variables)).toMatchObject({
      instance: undefined,
    });
  });

  test('variables without small values are reported', async () => {
    const { instance, untried } = await refuted('theorem t (α : Sort u) (x y : α) (h : x = y) : False');
    expect(instance).toBeUndefined();
    expect(untried).toEqual(['α : Sort u', 'x : α', 'y : α']);
  });

  longTest('values that Lean does not read back unchanged are not used', async () => {
    const misleading = `structure P where n : Nat
open Lean PrettyPrinter in
@[app_unexpander P.mk] def unexpand : Unexpander := fun _ => \`(P.mk 0)
`;
    const statement = 'theorem t (p : P) : p.n = 0';
    expect(await refuted(statement, misleading)).toMatchObject({ instance: undefined });
  });
});

test('the refutation of a goal is judged as a separate claim', () => {
  const goal = { preamble: 'namespace a', statement: 'theorem b.{u} (α : Type u) : ∀ x y : α, x = y' };
  expect(negationOf(goal, { name: 'a.b', universes: ['u'] })).toEqual({
    preamble: 'namespace a\ntheorem b.{u} (α : Type u) : ∀ x y : α, x = y := sorry\n',
    same: 'theorem _root_.refuted_same : type_of% @_root_.a.b',
    statement: 'theorem _root_.refuted_goal : ¬ (type_of% @_root_.a.b.{0})',
  });
  expect(proofFrom('α = Nat, p = (fun x => x = 0), xs = [0, 1]')).toBe(
    'fun holds => absurd (holds (α := Nat) (p := (fun x => x = 0)) (xs := [0, 1])) (by first | decide | nofun)',
  );
  expect(proofFrom('(no variables)')).toBe('fun holds => absurd (holds) (by first | decide | nofun)');
});
