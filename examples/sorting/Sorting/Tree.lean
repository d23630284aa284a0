import Sorting.Defs

/-! Trees, and the lists that they stand for. -/

namespace Sorting

theorem occ_append (a : Nat) (xs ys : List Nat) : occ a (xs ++ ys) = occ a xs + occ a ys := by
  sorry

theorem mirror_mirror (t : Tree) : t.mirror.mirror = t := by
  sorry

theorem size_mirror (t : Tree) : t.mirror.size = t.size := by
  sorry

theorem length_flat (t : Tree) : t.flat.length = t.size := by
  sorry

theorem flat_mirror (t : Tree) : t.mirror.flat = t.flat.reverse := by
  sorry

theorem size_plant (x : Nat) (t : Tree) : (t.plant x).size = t.size + 1 := by
  sorry

end Sorting
