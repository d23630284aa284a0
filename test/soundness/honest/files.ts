import type { HonestFile } from './honest.ts';

export const honestFiles: readonly HonestFile[] = [
  { look: 'a name with a space', file: 'theorem «my thm» : 1 = 1 := rfl' },
  { look: 'a theorem at the root', file: 'namespace A\ntheorem _root_.x : 1 = 1 := rfl\nend A' },
  { look: 'two names that look alike', file: 'theorem a.b : 1 = 1 := rfl\ntheorem «a.b» : 2 = 2 := rfl' },
  {
    look: 'theorems, definitions, instances, examples',
    file: 'structure P where\n  x : Nat\n  deriving DecidableEq\ninstance : Inhabited P := ⟨⟨0⟩⟩\ndef f (p : P) : Nat := p.x\ntheorem t : f default = 0 := rfl\nexample : f ⟨1⟩ = 1 := rfl',
  },
  {
    look: 'a macro that makes a theorem',
    file: 'macro "qed" n:ident : command => `(theorem $n : 1 = 1 := rfl)\nqed x\ntheorem y : 1 = 1 := x',
  },
  {
    look: 'mutual theorems',
    file: 'mutual\ntheorem a (n : Nat) : n = n := match n with | 0 => rfl | k + 1 => by have := b k; rfl\ntheorem b (n : Nat) : n = n := match n with | 0 => rfl | k + 1 => by have := a k; rfl\nend',
  },
  {
    look: 'the proof that the reference asks for',
    against: 'theorem t (a b : Nat) : a + b = b + a := sorry',
    file: 'theorem t (a b : Nat) : a + b = b + a := Nat.add_comm a b',
  },
  {
    look: 'helpers before the proof that the reference asks for',
    against:
      'def f (n : Nat) : Nat := match n with | 0 => 0 | k + 1 => k\ntheorem t (n : Nat) : f n ≤ n := sorry',
    file: 'def f (n : Nat) : Nat := match n with | 0 => 0 | k + 1 => k\ntheorem help (n : Nat) : f n ≤ n := by cases n <;> simp [f]\ntheorem t (n : Nat) : f n ≤ n := help n',
  },
  {
    look: 'a match in the reference’s statement',
    against: 'theorem t (n : Nat) : (match n with | 0 => 1 | _ => 2) > 0 := sorry',
    file: 'theorem other (n : Nat) : (match n with | 0 => 1 | _ => 2) > 0 := by cases n <;> simp\ntheorem t (n : Nat) : (match n with | 0 => 1 | _ => 2) > 0 := other n',
  },
  {
    look: 'a mutual block in the reference',
    against:
      'mutual\ninductive Even : Nat → Prop | zero : Even 0 | step {n} : Odd n → Even (n + 1)\ninductive Odd : Nat → Prop | step {n} : Even n → Odd (n + 1)\nend\ntheorem t : Even 2 := sorry',
    file: 'mutual\ninductive Even : Nat → Prop | zero : Even 0 | step {n} : Odd n → Even (n + 1)\ninductive Odd : Nat → Prop | step {n} : Even n → Odd (n + 1)\nend\ntheorem t : Even 2 := .step (.step .zero)',
  },
  {
    look: 'a reference with several theorems, one of them proved',
    against: 'theorem a : 1 = 1 := rfl\nnamespace N\ntheorem b : 2 = 2 := sorry\nend N',
    file: 'theorem a : 1 = 1 := by decide\ntheorem N.b : 2 = 2 := by decide',
  },
  {
    look: 'a class and its instance in the reference',
    against:
      'class P (α : Type) where\n  p : α\ninstance : P Nat := ⟨3⟩\ntheorem t : (P.p : Nat) = 3 := sorry',
    file: 'class P (α : Type) where\n  p : α\ninstance : P Nat := ⟨3⟩\ntheorem t : (P.p : Nat) = 3 := rfl',
  },
  {
    look: 'the reference’s modules copied, and a module of one’s own beside them',
    against: 'import Defs\ntheorem t (n : Nat) : f n = n + n := sorry',
    besideReference: { 'Defs.lean': 'def f (n : Nat) : Nat := 2 * n' },
    file: 'import Defs\nimport Helpers\ntheorem t (n : Nat) : f n = n + n := help n',
    beside: {
      'Defs.lean': 'def f (n : Nat) : Nat := 2 * n',
      'Helpers.lean':
        'import Defs\nmacro "close_it" : tactic => `(tactic| (unfold f; omega))\ntheorem help (n : Nat) : f n = n + n := by close_it',
    },
  },
  {
    look: 'a definition of the reference’s module, written out in the file',
    against: 'import Defs\ntheorem t : two = 2 := sorry',
    besideReference: { 'Defs.lean': 'def two : Nat := 2' },
    file: 'def two : Nat := 2\ntheorem t : two = 2 := rfl',
    beside: {
      'lakefile.toml': 'name = "x"\n[leanOptions]\npp.unicode.fun = true\n[[lean_lib]]\nname = "Solution"',
    },
  },
];
