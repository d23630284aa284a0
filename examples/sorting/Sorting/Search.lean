import Sorting.Tree

/-! Search trees hold what was planted. -/

namespace Sorting

theorem occ_plant (a x : Nat) (t : Tree) : occ a (t.plant x).flat = occ a (x :: t.flat) := by
  sorry

theorem size_ofList (xs : List Nat) : (Tree.ofList xs).size = xs.length := by
  sorry

end Sorting
