import { expect, test } from 'vitest';
import type { LeanWorker } from '../../src/lean/toolchain/worker.ts';
import { startWorker } from '../helpers/lean.ts';
import { slice } from '../helpers/tier.ts';

const withCode = [
  '#eval 1',
  'open Nat in #eval 1',
  'namespace A\n#eval 1',
  'elab "x" : tactic => pure ()',
  'elab_rules : tactic | `(tactic| rfl) => pure ()',
  '@[term_elab foo] def x := 1',
  '@[init x] def y : Nat := 1',
  'attribute [implemented_by Nat.add] Nat.mul',
  '@[extern "x"] def x := 1',
  '@[export x] def x := 1',
  'initialize x : Nat ← pure 1',
  'simproc foo (1) := fun _ => pure .continue',
  'dsimproc foo (1) := fun _ => pure .continue',
  'run_cmd pure ()',
  'def x : Nat := by_elab pure default',
  'theorem t : (by_elab pure default) := sorry',
  'example : True := by run_tac pure ()',
  'example : 1 = 1 := by native_decide',
  'example : 1 = 1 := by decide +native',
  'example : 1 = 1 := by decide (config := { native := true })',
  'example : 1 = 1 := by simp (config := evil)',
  'example : 1 = 1 := by simp (maxSteps := evil)',
  'macro "x" : term => do `(1)',
  'macro_rules | `(1) => evil',
  'macro "x" : tactic => `(tactic| run_tac pure ())',
  'notation "x" => by_elab pure default',
  'set_option doc.verso true',
  'set_option debug.skipKernelTC true',
  'set_option trace.profiler.output "x" in\nexample : 1 = 1 := rfl',
  'unsafe def x := 1',
  'def x : Lean.Syntax := .missing\ndef y (h : autoParam True x) := 1',
  'theorem t : True := trivial where x : Lean.Syntax := .missing\ndef y := 1',
  'abbrev T := Lean.Syntax\ndef y := 1',
  'def x : Lean.TSyntax `term := ⟨.missing⟩\nnotation "spoil" => $x',
  'def x : Lean.TSyntax `term := ⟨.missing⟩\nmacro "spoil" : term => `($x)',
  'instance : CoeHead (Lean.TSyntax `num) (Lean.TSyntax `term) := ⟨fun _ => ⟨.missing⟩⟩\nmacro "spoil" x:num : term => `($x)',
  'abbrev T := Lean.TSyntax `term\ninstance : CoeHead (Lean.TSyntax `num) T := ⟨fun _ => ⟨.missing⟩⟩\nmacro "spoil" x:num : term => `($x)',
  'macro "spoil" n:ident : tactic => `(tactic| decide +$n)',
  'macro "spoil" n:ident : command => `(attribute [$n:ident] Nat.add)',
  'macro "spoil" n:ident : command => `(set_option $n true)',
  'example : 1 = 1 := by simp (config := { evil with maxSteps := 1 })',
  'example := Lean.reduceBool',
  'open Lean in example := @reduceBool',
];

const plain = [
  'notation "two" => 2\ntheorem t : two = 2 := rfl',
  'infixl:65 " +++ " => Nat.add\ntheorem t : 1 +++ 1 = 2 := rfl',
  'syntax "twice" term : term\nmacro_rules | `(twice $x) => `($x + $x)\ntheorem t : (twice 1) = 2 := rfl',
  'macro "trivially" : tactic => `(tactic| first | rfl | simp)\ntheorem t : 1 = 1 := by trivially',
  'macro "qed" n:ident : command => `(theorem $n : 1 = 1 := rfl)\nqed x',
  'syntax "sum" term,* : term\nmacro_rules | `(sum $x) => `($x) | `(sum $x, $xs,*) => `($x + sum $xs,*)\ntheorem t : (sum 1, 2) = 3 := rfl',
  'example : 1 = 1 := by simp (config := { maxSteps := 10, contextual := true })',
  'set_option pp.all true\nset_option linter.unusedVariables false in\ntheorem t : 1 = 1 := rfl',
  'structure A where\n  x : Nat\nderiving Repr, DecidableEq',
  '@[simp, grind] theorem a : 1 = 1 := rfl\nattribute [-simp] a',
  'def f (n : Nat) : Nat := Id.run do\n  let mut x := 0\n  for i in [0:n] do x := x + i\n  return x',
  'theorem t (a b : Nat) : a + b = b + a := by\n  induction a with\n  | zero => simp\n  | succ n ih => omega',
  'example : 1 = 1 := by simp +arith (maxSteps := 100)',
  'set_option maxRecDepth 600 in\nexample : ∃ x, x = 1 ∧ x < 2 := ⟨1, rfl, by decide⟩',
  'theorem t (a b c : Nat) (h : a = b) (k : b = c) : a = c := calc\n  a = b := h\n  _ = c := k',
  'mutual\ndef e : Nat → Bool | 0 => true | n + 1 => o n\ndef o : Nat → Bool | 0 => false | n + 1 => e n\nend',
  'theorem t (a b : Nat) : a + b = b + a := by\n  conv => lhs; rw [Nat.add_comm]\ndef f (n : Nat) : Nat := if n = 0 then 0 else f (n / 2)\ntermination_by n\ndecreasing_by omega',
  'declare_syntax_cat twig\nsyntax "leaf" : twig\nsyntax "[tree|" twig "]" : term\nmacro_rules | `([tree| leaf]) => `(0)\ntheorem t : [tree| leaf] = 0 := rfl\ndef f (n : Nat) (h : n = n := by rfl) : Nat := n\ntheorem u : f 1 = 1 := rfl',
  'class P (α : Type u) where\n  p : α\ninstance : P Nat := ⟨0⟩\nvariable [P α]\n#check (P.p : α)',
];

test('text that can run its own code is reported before it runs; plain texts are elaborated', async () => {
  await using worker = await startWorker();
  const [coded, harmless] = [slice(withCode, 20), slice(plain, 8)];
  expect(await toldOf(worker, coded)).toEqual(coded.map((text) => [text, 'runs-code']));
  expect(await toldOf(worker, harmless)).toEqual(harmless.map((text) => [text, 'elaborated']));
});

async function toldOf(worker: LeanWorker, texts: readonly string[]): Promise<[string, string][]> {
  const told: [string, string][] = [];
  for (const text of texts) {
    const reply = await worker.request('load', { session: 1, text }, { deadlineMs: 60_000 });
    told.push([text, reply.ok ? 'elaborated' : reply.kind]);
  }
  return told;
}
