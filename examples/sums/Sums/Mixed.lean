import Sums.Reverse
import Sums.Shift

/-! Both together, in a plain file that imports modules. -/

namespace Sums

theorem total_twice (xs : List Nat) : total (xs ++ xs.reverse) = 2 * total xs := by
  sorry

example (xs : List Nat) : (shift 1 (xs ++ xs)).length = 2 * xs.length := by
  have h : (xs ++ xs).length = 2 * xs.length := by sorry
  rw [length_shift, h]

end Sums
