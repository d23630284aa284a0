/-! Lists, with definitions of our own. -/

def total : List Nat → Nat
  | [] => 0
  | x :: xs => x + total xs

theorem total_append (xs ys : List Nat) : total (xs ++ ys) = total xs + total ys := by
  sorry

theorem total_reverse (xs : List Nat) : total xs.reverse = total xs := by
  sorry

theorem map_twice {α β γ : Type} (f : α → β) (g : β → γ) (xs : List α) :
    (xs.map f).map g = xs.map (g ∘ f) := by
  sorry

def double (n : Nat) : Nat := n + n

theorem total_double : (xs : List Nat) → total (xs.map double) = double (total xs)
  | [] => sorry
  | x :: xs => by sorry
