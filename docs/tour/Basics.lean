/-! Small facts about numbers. Each `sorry` is a goal for orch. -/

theorem add_swap (a b c : Nat) : a + (b + c) = b + (a + c) := by
  sorry

theorem square_of_sum (a b : Nat) : (a + b) * (a + b) = a * a + 2 * a * b + b * b := by
  sorry

/-- False as stated: orch shows an instance. -/
theorem every_number_is_even (n : Nat) : n % 2 = 0 := by
  sorry

theorem min_le_both (a b : Nat) : min a b ≤ a ∧ min a b ≤ b := by
  constructor
  · sorry
  · sorry
