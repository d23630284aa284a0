import type { Honest } from './honest.ts';

/** Honest texts before and inside statements. */
export const honestTexts: readonly Honest[] = [
  { look: 'a name with a space', statement: 'theorem «my thm» : 1 = 1', proof: 'rfl' },
  { look: 'a name with a dot in it', statement: 'theorem «a.b» : 1 = 1', proof: 'rfl' },
  {
    look: 'a name with a dot in it beside one with two parts',
    preamble: 'theorem a.b : 2 = 2 := rfl',
    statement: 'theorem «a.b» : 1 = 1',
    proof: 'rfl',
  },
  {
    look: 'a theorem at the root, from within a namespace',
    preamble: 'namespace A',
    statement: 'theorem _root_.x : 1 = 1',
    proof: 'rfl',
  },
  { look: 'a private statement', statement: 'private theorem t : 1 = 1', proof: 'rfl' },
  { look: 'a protected statement', statement: 'protected theorem A.t : 1 = 1', proof: 'rfl' },
  {
    look: 'a statement with an attribute',
    statement: '@[simp] theorem t (n : Nat) : n + 0 = n',
    proof: 'rfl',
  },
  { look: 'a statement with a docstring', statement: '/-- One is one. -/\ntheorem t : 1 = 1', proof: 'rfl' },
  {
    look: 'a match in the statement',
    statement: 'theorem t (n : Nat) : (match n with | 0 => 0 | k + 1 => k) ≤ n',
    proof: 'by cases n <;> simp',
  },
  {
    look: 'a match in the statement, proved by a match',
    statement: 'theorem t (b : Bool) : (match b with | true => 1 | false => 2) > 0',
    proof: 'match b with\n  | true => by decide\n  | false => by decide',
  },
  {
    look: 'a match on a pair',
    statement: 'theorem t (p : Nat × Nat) : (match p with | (a, b) => a + b) = p.1 + p.2',
    proof: 'by cases p; rfl',
  },
  {
    look: 'a function by cases in the statement',
    statement: 'theorem t : (fun | 0 => 1 | n + 1 => n : Nat → Nat) 3 = 2',
    proof: 'rfl',
  },
  {
    look: 'a do block in the statement',
    statement: 'theorem t : (Id.run do\n  let mut n := 1\n  n := n + 1\n  return n) = 2',
    proof: 'rfl',
  },
  {
    look: 'a do block with a match in the statement',
    statement: 'theorem t : (do let x ← some 1; match x with | 0 => none | _ => some 2) = some 2',
    proof: 'rfl',
  },
  {
    look: 'if let in the statement',
    statement: 'theorem t (o : Option Nat) : (if let some n := o then n else 0) = o.getD 0',
    proof: 'by cases o <;> rfl',
  },
  {
    look: 'let in the statement',
    statement: 'theorem t : let x := 2; x + x = 4',
    proof: 'by intro x; rfl',
  },
  {
    look: 'a proof inside the statement',
    statement: 'theorem t : (⟨2, by decide⟩ : Fin 3).val = 2',
    proof: 'rfl',
  },
  {
    look: 'a subtype in the statement',
    statement: 'theorem t (x : { n : Nat // 0 < n }) : 1 ≤ x.val',
    proof: 'x.property',
  },
  {
    look: 'where in the preamble, used by the statement',
    preamble: 'def twice (n : Nat) : Nat := go n where\n  go (k : Nat) : Nat := k + k',
    statement: 'theorem t : twice 2 = 4',
    proof: 'rfl',
  },
  {
    look: 'let rec in the preamble, used by the statement',
    preamble: 'def count (n : Nat) : Nat :=\n  let rec go : Nat → Nat | 0 => 0 | k + 1 => go k + 1\n  go n',
    statement: 'theorem t : count 3 = 3',
    proof: 'rfl',
  },
  {
    look: 'a helper of the preamble named in the statement',
    preamble: 'def count (n : Nat) : Nat :=\n  let rec go : Nat → Nat | 0 => 0 | k + 1 => go k + 1\n  go n',
    statement: 'theorem t (n : Nat) : count.go n = n',
    proof: 'by induction n with\n  | zero => rfl\n  | succ n ih => simp [count.go, ih]',
  },
  {
    look: 'mutual recursion in the preamble',
    preamble:
      'mutual\ndef isEven : Nat → Bool | 0 => true | n + 1 => isOdd n\ndef isOdd : Nat → Bool | 0 => false | n + 1 => isEven n\nend',
    statement: 'theorem t : isEven 4 = true',
    proof: 'by simp [isEven, isOdd]',
  },
  {
    look: 'a mutual inductive type',
    preamble:
      'mutual\ninductive Tree where | node : Forest → Tree\ninductive Forest where | nil | cons : Tree → Forest → Forest\nend',
    statement: 'theorem t (f : Forest) : Tree.node f = Tree.node f',
    proof: 'rfl',
  },
  {
    look: 'a mutual inductive type, by cases',
    preamble:
      'mutual\ninductive Tree where | node : Forest → Tree\ninductive Forest where | nil | cons : Tree → Forest → Forest\nend',
    statement: 'theorem t (t : Tree) : ∃ f, t = .node f',
    proof: 'by cases t with | node f => exact ⟨f, rfl⟩',
  },
  {
    look: 'a nested inductive type',
    preamble: 'inductive Rose where | node : List Rose → Rose',
    statement: 'theorem t (r : Rose) : ∃ rs, r = .node rs',
    proof: 'by cases r with | node rs => exact ⟨rs, rfl⟩',
  },
  {
    look: 'an inductive predicate with indices',
    preamble: 'inductive Le : Nat → Nat → Prop | refl (n) : Le n n | step {m n} : Le m n → Le m (n + 1)',
    statement: 'theorem t (n : Nat) : Le 0 n',
    proof: 'by induction n with\n  | zero => exact .refl 0\n  | succ n ih => exact .step ih',
  },
  {
    look: 'well-founded recursion on a measure of two numbers',
    preamble:
      'def gcd' +
      "' (a b : Nat) : Nat := if h : b = 0 then a else gcd' b (a % b)\ntermination_by b\ndecreasing_by exact Nat.mod_lt _ (Nat.pos_of_ne_zero h)",
    statement: "theorem t (a : Nat) : gcd' a 0 = a",
    proof: "by unfold gcd'; simp",
  },
  {
    look: 'an instance argument of the preamble’s class',
    preamble: 'class Pointed (α : Type) where\n  point : α\ninstance : Pointed Nat := ⟨7⟩',
    statement: 'theorem t : (Pointed.point : Nat) = 7',
    proof: 'rfl',
  },
  {
    look: 'a class with a law',
    preamble:
      'class Commutes (α : Type) [Mul α] : Prop where\n  comm : ∀ a b : α, a * b = b * a\ninstance : Commutes Nat := ⟨Nat.mul_comm⟩',
    statement: 'theorem t (α : Type) [Mul α] [Commutes α] (a b : α) : a * b = b * a',
    proof: 'Commutes.comm a b',
  },
  {
    look: 'a class that extends two',
    preamble:
      'class A (α : Type) where\n  a : α\nclass B (α : Type) where\n  b : α\nclass C (α : Type) extends A α, B α',
    statement: 'theorem t (α : Type) [C α] : (A.a : α) = A.a',
    proof: 'rfl',
  },
  {
    look: 'a macro for terms in the preamble',
    preamble: 'macro "answer" : term => `(42)',
    statement: 'theorem t : answer = 42',
    proof: 'rfl',
  },
  {
    look: 'a notation with precedence in the preamble',
    preamble: 'infixl:65 " ⊞ " => fun (a b : Nat) => a + b',
    statement: 'theorem t (a b : Nat) : a ⊞ b = b ⊞ a',
    proof: 'Nat.add_comm a b',
  },
  {
    look: 'a local notation in a section',
    preamble: 'section\nlocal notation "zero!" => (0 : Nat)\ndef z : Nat := zero!\nend',
    statement: 'theorem t : z = 0',
    proof: 'rfl',
  },
  {
    look: 'syntax with macro_rules in the preamble',
    preamble: 'syntax "both! " term " and " term : term\nmacro_rules | `(both! $a and $b) => `($a ∧ $b)',
    statement: 'theorem t : both! True and True',
    proof: '⟨trivial, trivial⟩',
  },
  {
    look: 'deriving several classes',
    preamble: 'inductive Dir where | n | e | s | w\n  deriving DecidableEq, Repr, Inhabited',
    statement: 'theorem t : (default : Dir) = .n',
    proof: 'rfl',
  },
  {
    look: 'a derived decision in the statement',
    preamble: 'inductive Dir where | n | s\n  deriving DecidableEq',
    statement: 'theorem t : (if Dir.n = Dir.s then 1 else 2) = 2',
    proof: 'by decide',
  },
  {
    look: 'universe variables of the preamble',
    preamble: 'universe u v\ndef first {α : Type u} {β : Type v} (p : α × β) : α := p.1',
    statement: 'theorem t {α : Type u} {β : Type v} (a : α) (b : β) : first (a, b) = a',
    proof: 'rfl',
  },
  {
    look: 'a statement polymorphic in a sort',
    statement: 'theorem t.{u} (α : Sort u) (a b : α) (h : a = b) : b = a',
    proof: 'h.symm',
  },
  {
    look: 'universes named otherwise than Lean would',
    statement: 'theorem t.{w₁, w₂} (f : Type w₁ → Type w₂) (α : Type w₁) : f α = f α',
    proof: 'rfl',
  },
  {
    look: 'variables, some of them unused',
    preamble: 'variable {α : Type} (xs : List α) (n : Nat)',
    statement: 'theorem t : xs.length = xs.length',
    proof: 'rfl',
  },
  {
    look: 'variables with instances',
    preamble: 'variable {α : Type} [DecidableEq α]',
    statement: 'theorem t (a b : α) : (if a = b then 1 else 1) = 1',
    proof: 'by split <;> rfl',
  },
  {
    look: 'a section that stays open',
    preamble: 'section\nopen Nat',
    statement: 'theorem t (n : Nat) : n < succ n',
    proof: 'lt_succ_self n',
  },
  {
    look: 'open scoped notation of one’s own',
    preamble: 'namespace N\nscoped notation "five" => (5 : Nat)\nend N\nopen N',
    statement: 'theorem t : five = 5',
    proof: 'rfl',
  },
  {
    look: 'Greek letters, bound by themselves',
    statement: 'theorem t (f : α → β) (a : α) : f a = f a',
    proof: 'rfl',
  },
  {
    look: 'a letter with digits, bound by itself',
    statement: 'theorem t (x : α₁) (y : β2) : x = x',
    proof: 'rfl',
  },
  {
    look: 'relaxed binding, asked for',
    preamble: 'set_option relaxedAutoImplicit true\nset_option autoImplicit true',
    statement: 'theorem t (xs : List Thing) : xs = xs',
    proof: 'rfl',
  },
  {
    look: 'CR LF at the ends of lines',
    statement: 'theorem t :\r\n    1 = 1',
    proof: 'by\r\n  skip\r\n  rfl',
  },
  { look: 'nested comments', statement: 'theorem t /- a /- b -/ c -/ : 1 = 1', proof: 'rfl /- d -/' },
  { look: 'a large number', statement: 'theorem t : 2 ^ 200 > 10 ^ 60', proof: 'by decide' },
  { look: 'a text', statement: 'theorem t : "añ∀".length = 3', proof: 'by decide' },
  { look: 'an array', statement: 'theorem t : #[1, 2, 3].size = 3', proof: 'rfl' },
  {
    look: 'a structure with a proof inside',
    preamble: 'structure Small where\n  n : Nat\n  h : n < 10',
    statement: 'theorem t (s : Small) : s.n ≠ 10',
    proof: 'Nat.ne_of_lt s.h',
  },
  {
    look: 'a structure update in the statement',
    preamble: 'structure P where\n  x : Nat\n  y : Nat',
    statement: 'theorem t (p : P) : { p with x := 1 }.y = p.y',
    proof: 'rfl',
  },
  {
    look: 'an abbreviation',
    preamble: 'abbrev N := Nat\ndef f (n : N) : N := n + 1',
    statement: 'theorem t (n : N) : f n = n + 1',
    proof: 'rfl',
  },
  {
    look: 'an irreducible definition, unfolded',
    preamble: '@[irreducible] def secret : Nat := 3',
    statement: 'theorem t : secret = 3',
    proof: 'by unfold secret; rfl',
  },
  {
    look: 'simp with a lemma of the preamble',
    preamble: 'def f (n : Nat) : Nat := n\n@[simp] theorem f_eq (n : Nat) : f n = n := rfl',
    statement: 'theorem t : f 3 + f 4 = 7',
    proof: 'by simp',
  },
  {
    look: 'a theorem that several lemmas under where support',
    statement: 'theorem t (a b : Nat) (h : a ≤ b) : a < b + 2',
    proof:
      'two (one h) where\n  one {a b : Nat} (h : a ≤ b) : a < b + 1 := Nat.lt_succ_of_le h\n  two {a b : Nat} (h : a < b + 1) : a < b + 2 := Nat.lt_succ_of_lt h',
  },
];
