import Sorting.Defs

/-! One step of each loop, as a recursion would take it. -/

namespace Sorting

theorem totalOnto_cons (x : Nat) (xs : List Nat) : totalOnto 0 (x :: xs) = x + totalOnto 0 xs := by
  sorry

theorem flatOnto_node (l r : Tree) (x : Nat) :
    (Tree.node l x r).flatOnto [] = l.flatOnto [] ++ x :: r.flatOnto [] := by
  sorry

theorem sizeOnto_node (l r : Tree) (x : Nat) :
    (Tree.node l x r).sizeOnto 0 = l.sizeOnto 0 + 1 + r.sizeOnto 0 := by
  sorry

end Sorting
