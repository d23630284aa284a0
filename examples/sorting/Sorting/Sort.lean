import Sorting.Insert

/-! What sorting keeps. -/

namespace Sorting

theorem length_sort (xs : List Nat) : (sort xs).length = xs.length := by
  sorry

theorem total_sort (xs : List Nat) : total (sort xs) = total xs := by
  sorry

theorem occ_sort (a : Nat) (xs : List Nat) : occ a (sort xs) = occ a xs := by
  sorry

theorem mem_sort (y : Nat) (xs : List Nat) : y ∈ sort xs ↔ y ∈ xs := by
  sorry

theorem sorted_insert (x : Nat) (xs : List Nat) (h : Sorted xs) : Sorted (insert x xs) := by
  sorry

theorem sort_of_sorted (xs : List Nat) (h : Sorted xs) : sort xs = xs := by
  sorry

theorem sort_concat (x : Nat) (xs : List Nat) : sort (xs ++ [x]) = insert x (sort xs) := by
  sorry

end Sorting
