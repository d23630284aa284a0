import Sorting.Defs

/-! Functions that carry their result along give the same as those that do not. -/

namespace Sorting

theorem totalOnto_zero (xs : List Nat) : totalOnto 0 xs = total xs := by
  sorry

theorem flatOnto_nil (t : Tree) : t.flatOnto [] = t.flat := by
  sorry

theorem sizeOnto_zero (t : Tree) : t.sizeOnto 0 = t.size := by
  sorry

end Sorting
