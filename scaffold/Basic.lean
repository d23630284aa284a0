{{#mathlib}}
import Mathlib

{{/mathlib}}
namespace {{library}}

/-- Twice a number. -/
def double (n : Nat) : Nat := n + n

theorem double_eq (n : Nat) : double n = 2 * n := by
  sorry

end {{library}}
