module

public import Sums.Defs

/-! Sums of lists that are put together. -/

public section

namespace Sums

@[simp] theorem total_append (xs ys : List Nat) : total (xs ++ ys) = total xs + total ys := by
  sorry

private theorem total_single (x : Nat) : total [x] = x := by
  simp

theorem total_concat (xs : List Nat) (x : Nat) : total (xs ++ [x]) = total xs + x := by
  rw [total_append, total_single]

end Sums
