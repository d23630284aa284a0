import type { Honest } from './honest.ts';

/** Claims that look like attacks but are honest. */
export const honestClaims: readonly Honest[] = [
  {
    look: 'words in lower case that nobody declares',
    statement: 'theorem t (p : elem → Prop) (h : ∀ x, p x) : p acc',
    proof: 'h acc',
    bound: ['acc', 'elem'],
  },
  {
    look: 'an option of a tactic',
    statement: 'theorem t (n : Nat) : n + 0 = n',
    proof: 'by simp (decide := true) (maxSteps := 1000)',
  },
  {
    look: 'an option of a tactic, beside a constant that is called like its value',
    preamble: 'inductive Answer where | true | false',
    statement: 'theorem t (n : Nat) : n + 0 = n',
    proof: 'by simp (decide := true)',
  },
  {
    look: 'numbers of a type of its own',
    preamble: 'structure Num where n : Nat\ninstance : OfNat Num k := ⟨⟨k⟩⟩',
    statement: 'theorem t : (3 : Num).n = 3',
    proof: 'rfl',
  },
  { look: 'a theorem named sorry_free', statement: 'theorem sorry_free : 1 = 1', proof: 'rfl' },
  {
    look: 'a lemma named sorryAx in a namespace',
    preamble: 'namespace Mine\ntheorem sorryAx : 1 = 1 := rfl\nend Mine',
    statement: 'theorem t : 1 = 1',
    proof: 'Mine.sorryAx',
  },
  {
    look: 'a variable named sorry',
    statement: 'theorem t («sorry» : Nat) : «sorry» = «sorry»',
    proof: 'rfl',
  },
  {
    look: 'the word sorry in a string',
    statement: 'theorem t : "sorry".length = 5',
    proof: 'by decide',
  },
  {
    look: 'the word sorry in comments',
    statement: 'theorem t : 2 + 2 = 4',
    proof: 'by\n  -- no sorry here\n  /- nor axiom, nor native_decide -/\n  rfl',
  },
  {
    look: 'a lemma named axiom_of_choice',
    preamble: 'theorem axiom_of_choice (n : Nat) : n ≤ n := Nat.le_refl n',
    statement: 'theorem t : 3 ≤ 3',
    proof: 'axiom_of_choice 3',
  },
  {
    look: 'a definition named native_decide',
    preamble: 'def native_decide : Nat := 4',
    statement: 'theorem t : native_decide = 4',
    proof: 'rfl',
  },
  {
    look: 'a sorry in a lemma that the proof does not use',
    preamble: 'theorem unused : 1 = 2 := sorry',
    statement: 'theorem t : 1 = 1',
    proof: 'rfl',
  },
  {
    look: 'an axiom that the proof does not use',
    preamble: 'axiom unused : 1 = 2',
    statement: 'theorem t : 1 = 1',
    proof: 'rfl',
  },
  {
    look: 'an axiom that is allowed and used',
    preamble: 'axiom Field : Prop\naxiom given : Field',
    statement: 'theorem t : Field',
    proof: 'given',
    allowAxioms: ['given', 'Field'],
    assumes: ['Field', 'given'],
  },
  {
    look: 'propext',
    statement: 'theorem t (p q : Prop) (h : p ↔ q) : p = q',
    proof: 'propext h',
    axioms: ['propext'],
  },
  {
    look: 'excluded middle',
    statement: 'theorem t (p : Prop) : p ∨ ¬p',
    proof: 'Classical.em p',
  },
  {
    look: 'choice itself',
    statement: 'theorem t (α : Type) (h : Nonempty α) : ∃ a : α, a = a',
    proof: '⟨Classical.choice h, rfl⟩',
    axioms: ['Classical.choice'],
  },
  {
    look: 'funext',
    statement: 'theorem t (f g : Nat → Nat) (h : ∀ n, f n = g n) : f = g',
    proof: 'funext h',
  },
  {
    look: 'quotients',
    preamble: 'def parity : Setoid Nat := ⟨fun a b => a % 2 = b % 2, ⟨fun _ => rfl, Eq.symm, Eq.trans⟩⟩',
    statement: 'theorem t : Quotient.mk parity 1 = Quotient.mk parity 3',
    proof: 'Quot.sound (show 1 % 2 = 3 % 2 from rfl)',
    axioms: ['Quot.sound'],
  },
  { look: 'decide', statement: 'theorem t : ∀ n : Fin 20, n.val * n.val < 400', proof: 'by decide' },
  { look: 'decide +kernel', statement: 'theorem t : 2 ^ 64 % 7 = 2', proof: 'by decide +kernel' },
  {
    look: 'set_option in a proof',
    statement: 'theorem t (a b : Nat) : a + b = b + a',
    proof: 'by\n  set_option maxRecDepth 2000 in\n  omega',
  },
  {
    look: 'set_option in a preamble',
    preamble: 'set_option autoImplicit true\nset_option pp.all true',
    statement: 'theorem t (a b : Nat) (h : a < b) : a ≠ b',
    proof: 'by omega',
  },
  {
    look: 'an honest proof under skipKernelTC',
    statement: 'theorem t : 10 < 20',
    proof: 'by set_option debug.skipKernelTC true in decide +kernel',
  },
  {
    look: 'let rec',
    statement: 'theorem t (n : Nat) : 0 + n = n',
    proof:
      'by\n  let rec go : (k : Nat) → 0 + k = k\n    | 0 => rfl\n    | k + 1 => congrArg (· + 1) (go k)\n  exact go n',
  },
  {
    look: 'where',
    statement: 'theorem t (n : Nat) : n < n + 1',
    proof: 'help n where\n  help (k : Nat) : k < k + 1 := Nat.lt_succ_self k',
  },
  {
    look: 'mutual theorems in a preamble',
    preamble:
      'mutual\ninductive Even : Nat → Prop | zero : Even 0 | step {n} : Odd n → Even (n + 1)\ninductive Odd : Nat → Prop | step {n} : Even n → Odd (n + 1)\nend',
    statement: 'theorem t : Even 2',
    proof: '.step (.step .zero)',
  },
  {
    look: 'a structure',
    preamble: 'structure Point where\n  x : Nat\n  y : Nat\n  deriving Repr',
    statement: 'theorem t (p : Point) : (⟨p.x, p.y⟩ : Point) = p',
    proof: 'rfl',
  },
  {
    look: 'a structure that extends another, with a default',
    preamble: 'structure A where\n  n : Nat := 3\nstructure B extends A where\n  m : Nat',
    statement: 'theorem t : ({ m := 1 } : B).n = 3',
    proof: 'rfl',
  },
  {
    look: 'notation',
    preamble: 'notation:65 a " ⊕⊕ " b:66 => a + b + 1',
    statement: 'theorem t (a b : Nat) : a ⊕⊕ b = b ⊕⊕ a',
    proof: 'by omega',
  },
  {
    look: 'a macro that writes proofs',
    preamble: 'macro "by_sums" : tactic => `(tactic| omega)',
    statement: 'theorem t (a b : Nat) (h : a ≤ b) : a ≤ b + 1',
    proof: 'by by_sums',
  },
  {
    look: 'open … in',
    statement: 'theorem t (a b : Nat) (h : a ≤ b) : a + 1 ≤ b + 1',
    proof: 'open Nat in succ_le_succ h',
  },
  {
    look: 'unicode names',
    preamble: 'def αβ₁ (ξ : Nat) : Nat := ξ * 2',
    statement: 'theorem τ (ξ : Nat) : αβ₁ ξ = ξ + ξ',
    proof: 'by unfold αβ₁; omega',
  },
  {
    look: 'well-founded recursion with a termination proof',
    preamble:
      'def halve (n : Nat) : Nat := if h : n < 2 then 0 else halve (n - 2) + 1\ntermination_by n\ndecreasing_by omega',
    statement: 'theorem t : halve 0 = 0',
    proof: 'by unfold halve; simp',
  },
  {
    look: 'structural recursion and induction',
    preamble: 'def total : List Nat → Nat\n  | [] => 0\n  | x :: xs => x + total xs',
    statement: 'theorem t (xs ys : List Nat) : total (xs ++ ys) = total xs + total ys',
    proof: 'by\n  induction xs with\n  | nil => simp [total]\n  | cons x xs ih => simp [total, ih]; omega',
  },
  {
    look: 'a theorem by recursion, with termination_by',
    statement: 'theorem t (n : Nat) : n ≤ 2 * n',
    proof: 'match n with\n  | 0 => Nat.le_refl 0\n  | k + 1 => by have := t k; omega\ntermination_by n',
  },
  {
    look: 'an instance of one’s own',
    preamble: 'structure Mod2 where\n  n : Nat\ninstance : Add Mod2 := ⟨fun a b => ⟨(a.n + b.n) % 2⟩⟩',
    statement: 'theorem t : (Mod2.mk 1 + Mod2.mk 1).n = 0',
    proof: 'rfl',
  },
  {
    look: 'a derived decision procedure',
    preamble: 'inductive Colour where | red | green | blue\n  deriving DecidableEq',
    statement: 'theorem t : Colour.red ≠ Colour.blue',
    proof: 'by decide',
  },
  {
    look: 'a private lemma',
    preamble: 'private theorem hidden (n : Nat) : n * 1 = n := Nat.mul_one n',
    statement: 'theorem t : 7 * 1 = 7',
    proof: 'hidden 7',
  },
  {
    look: 'nested namespaces and sections',
    preamble: 'namespace A.B\nsection\nvariable (n : Nat)\ntheorem c : n = n := rfl\nend\nend A.B',
    statement: 'theorem A.t : 5 = 5',
    proof: 'A.B.c 5',
  },
  {
    look: 'a namespace that stays open',
    preamble: 'namespace Open\ndef five : Nat := 5',
    statement: 'theorem t : five = 5',
    proof: 'rfl',
  },
  {
    look: 'universe polymorphism',
    statement: 'theorem t.{u, v} (α : Type u) (β : Type v) (p : α × β) : (p.1, p.2) = p',
    proof: 'rfl',
  },
  {
    look: 'an inductive family with a universe of its own',
    preamble:
      'universe w\ninductive Vec (α : Type w) : Nat → Type w where\n  | nil : Vec α 0\n  | cons {n} : α → Vec α n → Vec α (n + 1)',
    statement: 'theorem t (α : Type w) (v : Vec α 0) : v = .nil',
    proof: 'by cases v; rfl',
  },
  {
    look: 'auto-bound implicits',
    statement: 'theorem t (xs : List α) : xs ++ [] = xs',
    proof: 'by simp',
  },
  {
    look: 'section variables in a preamble',
    preamble: 'variable (a b : Nat) (h : a = b)\ninclude h',
    statement: 'theorem t : b = a',
    proof: 'h.symm',
  },
  {
    look: 'partial and implemented_by code that no proof uses',
    preamble:
      'partial def spin (n : Nat) : Nat := spin n\ndef fast : Nat := 1\n@[implemented_by fast] def slow : Nat := 1',
    statement: 'theorem t : slow = 1',
    proof: 'rfl',
  },
  {
    look: 'an opaque constant',
    preamble: 'opaque secret : Nat',
    statement: 'theorem t : secret = secret',
    proof: 'rfl',
  },
  {
    look: 'a coercion',
    statement: 'theorem t (n : Nat) : ((n : Int) + 1) = ((n + 1 : Nat) : Int)',
    proof: 'by simp',
  },
  { look: 'bit vectors', statement: 'theorem t (x : BitVec 8) : x &&& x = x', proof: 'by simp' },
  {
    look: 'calc',
    statement: 'theorem t (a b c : Nat) (h : a = b) (k : b = c) : a = c',
    proof: 'calc a = b := h\n  _ = c := k',
  },
  {
    look: 'an #eval that prints something true',
    preamble: '#eval IO.println "accepted"',
    statement: 'theorem t : 1 = 1',
    proof: 'rfl',
  },
];
