import type { HonestFile } from './honest.ts';

export const honestFiles: readonly HonestFile[] = [
  {
    look: 'a macro that passes on what is written',
    file: 'macro "lemma" n:declId s:declSig v:declVal : command => `(theorem $n $s $v)\nlemma a.b (n : Nat) : n = n := rfl\nopen Nat in lemma c : 1 = 1 := by rfl',
  },
  {
    look: 'declaring words in strings, comments, quotations and attributes',
    file: '/- theorem no : 1 = 2 /- def -/ := rfl -/\n-- theorem no\ndef s := "theorem no : 1 = 2" ++ s!"{"theorem no"}" ++ r#"def "no""#\ndef c := (\'"\', `theorem)\nmacro "both" : command => `(theorem right : 1 = 1 := rfl)\nboth\ndef n := 0xdef\nclass K (α : Type) where\n  k : α\n@[instance] def kNat : K Nat := ⟨0⟩\nattribute [local instance] kNat\ntheorem lemma_ (lemma : 1 = 1) : 1 = 1 := (fun lemma h => h) lemma lemma',
  },
  {
    look: 'every way to write a declaration',
    file: 'namespace N\nprivate theorem a : 1 = 1 := rfl\nprotected def b (n : Nat) : Nat := go n where\n  go (n : Nat) : Nat := n\nend N\nset_option pp.all true in open Nat in variable (n : Nat) in theorem c : n = n := rfl\nmutual\ndef even : Nat → Bool | 0 => true | n + 1 => odd n\ndef odd : Nat → Bool | 0 => false | n + 1 => even n\nend\nstructure S where\n  n : Nat := 1\n  deriving Repr, DecidableEq\nderiving instance Inhabited for S\nclass inductive C : Type where | c\nclass D where d : Nat\ninstance : D := ⟨1⟩\ninstance (priority := low) named : D := ⟨2⟩\nabbrev e := 1\nopaque f : Nat\nexample : 1 = 1 := rfl\nnoncomputable def g : Nat := Classical.choice ⟨0⟩\n@[simp] theorem «d e» : 1 = 1 := rfl\ntheorem _root_.h : 1 = 1 := rfl\nopen Nat in example : 1 = 1 := rfl\npartial def p (n : Nat) : Nat := p n',
  },
  {
    look: 'a guard that says which error it expects of an example',
    file: 'theorem good : 1 = 1 := rfl\n/-- error: Unknown identifier `foo` -/\n#guard_msgs in example : Nat := foo\n#guard_msgs in example : 1 = 1 := rfl',
  },
  {
    look: 'variables that Lean binds by itself, by its own rule',
    file: 'theorem t (x : ℝ) (acc : List Elem) : (x, acc) = (x, acc) := rfl',
  },
  {
    look: 'names that only look like those of recursors',
    file: 'inductive T where | a | b (n : Nat)\ntheorem T.rec_helper : 1 = 1 := rfl\ntheorem T.recOn_eq : 1 = 1 := T.rec_helper\ninductive Tree where | node (l : List Tree)\ndef Tree.rec_2 : Nat := 2\ntheorem Tree.rec_x (t : T) : T.rec (motive := fun _ => Nat) 0 (fun _ => 0) t = 0 := by cases t <;> rfl\ntheorem T.rec_3 : Tree.rec_2 = 2 := rfl',
  },
  {
    look: 'notation that Lean reads in two ways',
    file: 'notation a " ⊹ " b => Nat.add a b\nnotation a " ⊹ " b => or a b\ntheorem o : (1 ⊹ 2) = 3 := rfl\ntheorem p : (true ⊹ false) = true := rfl',
  },
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
    look: 'inductive types of every shape',
    file: `def Predicate (α : Type u) := α → Prop
inductive Ev : Predicate Nat
  | zero : Ev 0
  | step : Ev n → Ev (n + 2)
theorem ev_four : Ev 4 := .step (.step .zero)
inductive Vec (α : Type u) : Nat → Type u
  | nil : Vec α 0
  | cons : α → Vec α n → Vec α (n + 1)
inductive W (A : Type) (B : A → Type)
  | sup (a : A) (f : B a → W A B) : W A B
def Arrow (α : Type) := Nat → α
inductive Flow where
  | mk : Arrow Nat → (Nat → Flow) → Flow
inductive Reach (r : α → α → Prop) (a : α) : α → Prop
  | refl : Reach r a a
  | step : Reach r a b → r b c → Reach r a c
theorem reach_trans {r : α → α → Prop} (h : Reach r a b) (k : Reach r b c) : Reach r a c := by
  induction k with
  | refl => exact h
  | step _ e ih => exact .step ih e
inductive Same {α : Sort u} (a : α) : α → Prop
  | refl : Same a a
theorem same_symm (h : Same a b) : Same b a := by cases h; exact .refl
inductive Nothing : Prop
theorem ex_falso (h : Nothing) : 1 = 2 := by cases h
inductive Access {α : Sort u} (r : α → α → Prop) : α → Prop
  | intro (x : α) (h : ∀ y, r y x → Access r y) : Access r x
inductive Large : Type 1
  | mk (α : Type) (a : α) : Large`,
  },
  {
    look: 'nested and mutual inductive types',
    file: `inductive Tree (α : Type u) where
  | leaf : Tree α
  | node : List (Tree α) → α → Tree α
theorem tree_ne : (Tree.leaf : Tree Nat) ≠ .node [] 0 := by intro h; cases h
inductive Opt (α : Type u) : Type u
  | none
  | some (a : α)
inductive Rose (α : Type)
  | mk : α → Opt (Rose α) → List (List (Rose α)) → Rose α
inductive Value
  | number (n : Nat)
  | array (items : Array Value)
  | object (fields : List (String × Value))
mutual
inductive Even : Nat → Prop
  | zero : Even 0
  | succ : Odd n → Even (n + 1)
inductive Odd : Nat → Prop
  | succ : Even n → Odd (n + 1)
end
theorem even_two : Even 2 := .succ (.succ .zero)`,
  },
  {
    look: 'projections out of structures and out of proofs',
    file: `structure Point where
  x : Nat
  y : Nat
theorem eta (p : Point) : p = ⟨p.x, p.y⟩ := rfl
structure Bounded (p : Nat → Prop) where
  value : Nat
  holds : p value
theorem above (s : Bounded (· > 3)) : s.value > 2 := by have := s.holds; omega
inductive Both (a b : Prop) : Prop
  | intro (left : a) (right : b) : Both a b
theorem left (h : Both a b) : a := h.1
structure Pair (α : Sort u) (β : Sort v) where
  first : α
  second : β
theorem swap (p : Pair Nat True) : (Pair.mk p.second p.first).2 = p.1 := rfl`,
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
