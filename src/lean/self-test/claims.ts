import type { Claim } from '../gate/roles.ts';

/** A claim, and the verdict that every working Lean must give. */
export interface ExpectedVerdict {
  readonly name: string;
  readonly claim: Claim;
  readonly verdict: 'accepted' | 'rejected' | 'unknown';
  readonly kind: string;
}

const accepted = (name: string, statement: string, proof: string, preamble = ''): ExpectedVerdict => ({
  name,
  claim: { preamble, statement: `theorem t ${statement}`, proof },
  verdict: 'accepted',
  kind: 'proved',
});

const rejected = (
  name: string,
  kind: string,
  statement: string,
  proof: string,
  preamble = '',
): ExpectedVerdict => ({
  name,
  claim: { preamble, statement: `theorem t ${statement}`, proof },
  verdict: 'rejected',
  kind,
});

const tree = 'inductive Tree where\n  | leaf\n  | node (left right : Tree)\n';
const size = `${tree}def Tree.size : Tree → Nat\n  | leaf => 1\n  | node l r => l.size + r.size\n`;
const even = 'inductive Even : Nat → Prop\n  | zero : Even 0\n  | step : Even n → Even (n + 2)\n';

/** Claims that Lean must accept, and claims that the gate must reject. */
export const expectedVerdicts: readonly ExpectedVerdict[] = [
  accepted('definitional equality', ': 2 + 2 = 4', 'rfl'),
  accepted('a proof term', '(p q : Prop) (h : p ∧ q) : q ∧ p', '⟨h.2, h.1⟩'),
  accepted('simp', '(xs : List Nat) : xs ++ [] = xs', 'by simp'),
  accepted('omega', '(a b : Nat) (h : a < b) : a + 1 ≤ b', 'by omega'),
  accepted('decide', ': ∀ a b : Bool, (a && b) = (b && a)', 'by decide'),
  accepted('grind', '(a b c : Nat) (h : a = b) (g : b = c) : a = c', 'by grind'),
  accepted(
    'induction',
    '(n : Nat) : 0 + n = n',
    'by\n  induction n with\n  | zero => rfl\n  | succ n ih => omega',
  ),
  accepted(
    'an inductive type and a recursive function',
    '(s : Tree) : 0 < s.size',
    'by\n  induction s <;> simp [Tree.size] <;> omega',
    size,
  ),
  accepted('an inductive predicate', ': Even 4', '.step (.step .zero)', even),
  accepted('inversion of a predicate', ': ¬ Even 1', 'nofun', even),
  accepted(
    'well-founded recursion',
    ': halve 8 = 4',
    'by simp [halve]',
    'def halve (n : Nat) : Nat := if n < 2 then 0 else halve (n - 2) + 1\ntermination_by n\n',
  ),
  accepted(
    'a mutual definition',
    ': isEven 4 = true',
    'rfl',
    'mutual\ndef isEven : Nat → Bool | 0 => true | n + 1 => isOdd n\ndef isOdd : Nat → Bool | 0 => false | n + 1 => isEven n\nend\n',
  ),
  accepted(
    'a class and an instance',
    ': Size.size 3 = 3',
    'rfl',
    'class Size (α : Type) where\n  size : α → Nat\ninstance : Size Nat := ⟨id⟩\n',
  ),
  accepted('notation', '(n : Nat) : n ⋆ 0 = n', 'Nat.add_zero n', 'infixl:65 " ⋆ " => Nat.add\n'),
  accepted('universes', '{α : Sort u} (a : α) : a = a', 'rfl'),
  accepted('auto-bound variables', '(xs : List α) : xs.reverse.reverse = xs', 'by simp'),
  accepted(
    'quotients and function extensionality',
    '(f g : Nat → Nat) (h : ∀ n, f n = g n) : f = g',
    'funext h',
  ),
  accepted('classical logic', '(p : Prop) : p ∨ ¬ p', 'Classical.em p'),
  accepted('a large number', ': 2 ^ 200 % 7 = 4', 'by decide'),
  accepted('a string', ': "ab" ++ "c" = "abc"', 'by decide'),
  accepted('bit vectors', '(x : BitVec 8) : x &&& x = x', 'by simp'),
  rejected('a sorry', 'sorry', ': 1 = 2', 'by sorry'),
  rejected('an axiom', 'axiom', ': 1 = 2', 'bad', 'axiom bad : 1 = 2\n'),
  rejected('compiled code as a proof', 'axiom', ': 10 < 20', 'by native_decide'),
  rejected('a proof of something else', 'elaboration', ': 1 = 2', '(rfl : 1 = 1)'),
  rejected('a tactic that fails', 'elaboration', '(n : Nat) : n < 5', 'by omega'),
  rejected('a proof that does not parse', 'parse', ': 1 = 1', 'by exact ('),
  rejected('a statement that Lean does not know', 'statement', ': Nowhere 1', 'trivial'),
  rejected(
    'a proof that ends its theorem and adds another',
    'parse',
    ': 1 = 2',
    'by decide\n\ntheorem u : 1 = 1 := rfl',
  ),
];
