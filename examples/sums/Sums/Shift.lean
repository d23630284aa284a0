import Sums.Defs

/-! Sums of lists whose members grow. -/

namespace Sums

theorem length_shift (k : Nat) (xs : List Nat) : (shift k xs).length = xs.length := by
  sorry

theorem total_shift_zero (xs : List Nat) : total (shift 0 xs) = total xs := by
  induction xs with
  | nil => rfl
  | cons x xs ih =>
    sorry

end Sums
