module

public import Sums.Append

/-! The order of a list does not matter to its sum. -/

public section

namespace Sums

theorem total_reverse (xs : List Nat) : total xs.reverse = total xs := sorry

end Sums
