/** Realistic lemmas, with Lean's message when an arm fails. */
export interface Lemma {
  readonly name: string;
  readonly statement: string;
  readonly topic: string;
  readonly difficulty: number;
  /** The arm that usually finds a proof. */
  readonly arm: string;
  /** Null: no proof is found. */
  readonly proof: string | null;
  readonly left: string;
  readonly error: string;
  readonly helper: string | null;
}

type Row = readonly [
  name: string,
  statement: string,
  topic: string,
  difficulty: number,
  arm: string,
  proof: string | null,
];

const rows: readonly Row[] = [
  ['add_zero_right', '(a : Nat) : a + 0 = a', 'Nat', 0.08, 'micro/close', 'simp'],
  ['add_comm_three', '(a b c : Nat) : a + b + c = c + b + a', 'Nat', 0.15, 'micro/close', 'omega'],
  [
    'map_map_fusion',
    '{α β γ : Type} (f : α → β) (g : β → γ) (xs : List α) : (xs.map f).map g = xs.map (g ∘ f)',
    'List',
    0.31,
    'micro/library',
    'simp [List.map_map]',
  ],
  [
    'sqrt_two_irrational',
    '(a b : Nat) (hb : 0 < b) : a * a ≠ 2 * (b * b)',
    'Nat',
    0.83,
    'search/shallow',
    null,
  ],
  [
    'reverse_reverse',
    '{α : Type} (xs : List α) : xs.reverse.reverse = xs',
    'List',
    0.22,
    'micro/library',
    'simp',
  ],
  ['de_morgan_or', '(p q : Prop) : ¬(p ∨ q) ↔ ¬p ∧ ¬q', 'Logic', 0.28, 'micro/close', 'grind'],
  [
    'sum_first_n',
    '(f : Nat → Nat) (h0 : f 0 = 0) (h : ∀ n, f (n + 1) = f n + (n + 1)) : ∀ n, 2 * f n = n * (n + 1)',
    'Nat',
    0.58,
    'micro/induct',
    'intro n\n  induction n with\n  | zero => simp [h0]\n  | succ k ih => grind',
  ],
  [
    'bool_and_comm',
    '(a b : Bool) : (a && b) = (b && a)',
    'Bool',
    0.12,
    'micro/cases',
    'cases a <;> cases b <;> rfl',
  ],
  [
    'option_bind_some',
    '{α : Type} (x : Option α) : x.bind some = x',
    'Option',
    0.2,
    'micro/cases',
    'cases x <;> rfl',
  ],
  [
    'infinitely_many_primes',
    '(n : Nat) : ∃ p, p > n ∧ p ≥ 2 ∧ ∀ d, d ∣ p → d = 1 ∨ d = p',
    'Nat',
    0.91,
    'reprover/templates',
    null,
  ],
  ['min_max_absorb', '(a b : Nat) : min a (max a b) = a', 'Nat', 0.26, 'micro/close', 'omega'],
  [
    'length_append_swap',
    '{α : Type} (xs ys : List α) : (xs ++ ys).length = (ys ++ xs).length',
    'List',
    0.34,
    'micro/library',
    'simp [Nat.add_comm]',
  ],
  [
    'peirce',
    '(p q : Prop) : ((p → q) → p) → p',
    'Logic',
    0.44,
    'search/shallow',
    'intro h\n  by_cases hp : p\n  · exact hp\n  · exact h (fun x => absurd x hp)',
  ],
  ['square_mod_four', '(n : Nat) : n * n % 4 = 0 ∨ n * n % 4 = 1', 'Nat', 0.62, 'micro/cases', null],
  [
    'nodup_reverse',
    '{α : Type} (xs : List α) : xs.Nodup → xs.reverse.Nodup',
    'List',
    0.49,
    'micro/induct',
    'intro h\n  simpa [List.nodup_reverse] using h',
  ],
  [
    'exists_forall_swap',
    '{α β : Type} (r : α → β → Prop) : (∃ x, ∀ y, r x y) → ∀ y, ∃ x, r x y',
    'Logic',
    0.39,
    'micro/close',
    'rintro ⟨x, h⟩ y\n  exact ⟨x, h y⟩',
  ],
  [
    'gcd_comm',
    '(a b : Nat) : Nat.gcd a b = Nat.gcd b a',
    'Nat',
    0.37,
    'micro/library',
    'exact Nat.gcd_comm a b',
  ],
  [
    'foldr_cons',
    '{α : Type} (xs : List α) : xs.foldr List.cons [] = xs',
    'List',
    0.33,
    'micro/induct',
    'induction xs <;> simp_all',
  ],
  [
    'pigeonhole_two',
    '(f : Nat → Nat) (h : ∀ i, i < 3 → f i < 2) : ∃ i j, i < j ∧ j < 3 ∧ f i = f j',
    'Nat',
    0.71,
    'reprover/templates',
    'have h0 := h 0 (by omega)\n  have h1 := h 1 (by omega)\n  have h2 := h 2 (by omega)\n  by_cases h01 : f 0 = f 1\n  · exact ⟨0, 1, by omega, by omega, h01⟩\n  · by_cases h12 : f 1 = f 2\n    · exact ⟨1, 2, by omega, by omega, h12⟩\n    · exact ⟨0, 2, by omega, by omega, by omega⟩',
  ],
  ['pow_two_pos', '(n : Nat) : 0 < 2 ^ n', 'Nat', 0.24, 'micro/library', 'exact Nat.two_pow_pos n'],
];

export const lemmas: readonly Lemma[] = rows.map(([name, statement, topic, difficulty, arm, proof]) => {
  const [hypotheses = '', target = statement] = statement.split(/ : (?=[^:]*$)/);
  const left = `${hypotheses.replaceAll(/^[({[]|[)}\]]$/g, '').replaceAll(/[)}\]] [({[]/g, '\n')}\n⊢ ${target}`;
  return {
    name,
    statement,
    topic,
    difficulty,
    arm,
    proof,
    left,
    error: `unsolved goals\n${left}`,
    helper: difficulty > 0.6 ? '(n m : Nat) (h : n * n = 2 * (m * m)) : ∃ k, n = 2 * k' : null,
  };
});
