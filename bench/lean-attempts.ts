/**
 * The attempts used to measure warm throughput: textbook facts with valid and invalid proofs, in the mix of a search.
 * Search tactics (`exact?`, `apply?`, `bv_decide`) are excluded, as in the prototype's figure.
 */
export interface Attempt {
  readonly statement: string;
  readonly proof: string;
  readonly holds: boolean;
}

const groups: readonly (readonly [statement: string, holds: readonly string[], fails: readonly string[]])[] =
  [
    [
      'theorem X (a b : Nat) : a + b = b + a',
      [
        'by omega',
        'by rw [Nat.add_comm]',
        'Nat.add_comm a b',
        'by grind',
        'by induction b with\n  | zero => simp\n  | succ n ih => omega',
      ],
      ['by rfl', 'by simp [foo_bar]', 'by (omega'],
    ],
    ['theorem X : 2 + 2 = 4', ['by rfl', 'by decide'], []],
    ['theorem X : 2 + 2 = 5', [], ['by decide', 'by simp']],
    ['theorem X (xs ys : List Nat) : (xs ++ ys).length = xs.length + ys.length', ['by simp'], []],
    [
      'theorem X (xs ys : List α) : (xs ++ ys).length = xs.length + ys.length',
      [],
      ['by induction xs <;> simp_all'],
    ],
    ['theorem X (xs : List α) : xs.reverse.reverse = xs', ['by simp'], []],
    ['theorem X (xs : List α) : xs ++ [] = xs', ['by induction xs <;> simp_all'], []],
    ['theorem X (f : Nat → Nat) (h : ∀ x, f x = x) : f (f 2) = 2', ['by simp [h]', 'by grind'], []],
    [
      'theorem X (a b c : Nat) : a * (b + c) = a * b + a * c',
      ['by grind', 'by exact Nat.mul_add a b c'],
      ['by omega'],
    ],
    ['theorem X (p q : Prop) (hp : p) (hq : q) : p ∧ q', ['by exact ⟨hp, hq⟩'], []],
    [
      'theorem X (p q : Prop) : p ∧ q → q ∧ p',
      ['by rintro ⟨a, b⟩; exact ⟨b, a⟩', 'by intro h; constructor; exact h.2; exact h.1'],
      [],
    ],
    [
      'theorem X (p q : Prop) : p ∨ q → q ∨ p',
      ['by intro h; cases h with\n  | inl h => right; exact h\n  | inr h => left; exact h', 'by grind'],
      [],
    ],
    ['theorem X (x y : Nat) (h : x < y) : ¬ y ≤ x', ['by omega'], []],
    ['theorem X (x y : Int) (h : 2*x + 1 = 2*y) : False', ['by omega'], []],
    ['theorem X (n : Nat) : n % 2 = 0 ∨ n % 2 = 1', ['by omega'], []],
    [
      'theorem X (n : Nat) : n ≤ n * n',
      ['by induction n with\n  | zero => simp\n  | succ n ih => exact Nat.le_mul_self _'],
      [],
    ],
    ['theorem X (x : BitVec 8) : x &&& x = x', ['by simp'], []],
    ['theorem X (m : Option Nat) : m.isSome = true ∨ m = none', ['by cases m <;> simp'], []],
    ['theorem X : ∃ x : Nat, x * x = 49', ['⟨7, rfl⟩'], []],
    ['theorem X (s : String) : s = s', ['by trivial'], []],
  ];

export const attempts: readonly Attempt[] = groups.flatMap(([statement, holds, fails]) => [
  ...holds.map((proof) => ({ statement, proof, holds: true })),
  ...fails.map((proof) => ({ statement, proof, holds: false })),
]);

/** Steps from one saved state, as in a search. */
export const steps = {
  statement: 'theorem X (a b c : Nat) (h : a ≤ b) : a + c ≤ b + c ∧ c + a ≤ c + b',
  cheap: ['constructor', 'intros', 'exact h', 'refine ⟨?_, ?_⟩'],
  mixed: [
    'constructor',
    'refine ⟨?_, ?_⟩',
    'apply And.intro',
    'have := h; constructor',
    'exact ⟨by omega, by omega⟩',
    'omega',
    'simp',
    'rfl',
  ],
} as const;
