import Sorting.Defs

/-! What an insertion keeps. -/

namespace Sorting

theorem length_insert (x : Nat) (xs : List Nat) : (insert x xs).length = xs.length + 1 := by
  sorry

theorem total_insert (x : Nat) (xs : List Nat) : total (insert x xs) = x + total xs := by
  sorry

theorem occ_insert (a x : Nat) (xs : List Nat) : occ a (insert x xs) = occ a (x :: xs) := by
  sorry

theorem mem_insert (y x : Nat) (xs : List Nat) : y ∈ insert x xs ↔ y = x ∨ y ∈ xs := by
  sorry

theorem insert_comm (x y : Nat) (xs : List Nat) : insert x (insert y xs) = insert y (insert x xs) := by
  sorry

theorem insert_of_le (x : Nat) (xs : List Nat) (h : ∀ y ∈ xs, x ≤ y) : insert x xs = x :: xs := by
  sorry

end Sorting
