/-! Propositions. -/

theorem and_swap (p q : Prop) : p ∧ q → q ∧ p := by
  sorry

theorem peirce (p q : Prop) : ((p → q) → p) → p := by
  sorry

/-- Hard for tactics alone. -/
theorem two_cubes (a b c : Nat) : (a + 1) ^ 3 + (b + 1) ^ 3 ≠ c ^ 3 := by
  sorry
