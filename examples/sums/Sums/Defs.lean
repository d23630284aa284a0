module

/-! Sums of lists: what they are. -/

@[expose] public section

namespace Sums

/-- The sum of a list, from the left. -/
def total : List Nat → Nat
  | [] => 0
  | x :: xs => x + total xs

/-- A list with a number added to each of its members. -/
def shift (k : Nat) (xs : List Nat) : List Nat := xs.map (· + k)

@[simp] theorem total_nil : total [] = 0 := rfl

@[simp] theorem total_cons (x : Nat) (xs : List Nat) : total (x :: xs) = x + total xs := rfl

end Sums
