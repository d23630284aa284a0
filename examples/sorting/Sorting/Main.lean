import Sorting.Sort

/-! Sorting sorts, and the order of its input does not matter. -/

namespace Sorting

theorem sorted_sort (xs : List Nat) : Sorted (sort xs) := by
  sorry

theorem sort_swap (x y : Nat) (xs : List Nat) : sort (x :: y :: xs) = sort (y :: x :: xs) := by
  sorry

theorem sort_reverse (xs : List Nat) : sort xs.reverse = sort xs := by
  sorry

theorem sort_append (xs ys : List Nat) : sort (xs ++ ys) = sort xs ++ sort ys := by
  sorry

end Sorting
