/-! Lists of numbers, trees of numbers, and what is done with them. -/

namespace Sorting

/-- Puts a number before the first one that is not smaller. -/
def insert (x : Nat) : List Nat → List Nat
  | [] => [x]
  | y :: ys => if x ≤ y then x :: y :: ys else y :: insert x ys

/-- Sorting by insertion. -/
def sort : List Nat → List Nat
  | [] => []
  | x :: xs => insert x (sort xs)

/-- No number is larger than one behind it. -/
def Sorted : List Nat → Prop
  | [] => True
  | x :: xs => (∀ y ∈ xs, x ≤ y) ∧ Sorted xs

/-- How often a number occurs. -/
def occ (a : Nat) : List Nat → Nat
  | [] => 0
  | x :: xs => (if a = x then 1 else 0) + occ a xs

/-- The sum of a list. -/
def total : List Nat → Nat
  | [] => 0
  | x :: xs => x + total xs

/-- Binary trees with a number at each fork. -/
inductive Tree
  | leaf
  | node (left : Tree) (x : Nat) (right : Tree)

/-- The numbers of a tree, from left to right. -/
def Tree.flat : Tree → List Nat
  | leaf => []
  | node l x r => l.flat ++ x :: r.flat

/-- How many forks a tree has. -/
def Tree.size : Tree → Nat
  | leaf => 0
  | node l _ r => l.size + 1 + r.size

/-- Left and right exchanged, all the way down. -/
def Tree.mirror : Tree → Tree
  | leaf => leaf
  | node l x r => node r.mirror x l.mirror

/-- Puts a number where a search for it would end. -/
def Tree.plant (x : Nat) : Tree → Tree
  | leaf => node leaf x leaf
  | node l y r => if x ≤ y then node (l.plant x) y r else node l y (r.plant x)

/-- All numbers of a list, planted one after the other. -/
def Tree.ofList : List Nat → Tree
  | [] => leaf
  | x :: xs => (ofList xs).plant x

/-- The sum of a list and a number, in a loop. -/
def totalOnto (a : Nat) : List Nat → Nat
  | [] => a
  | x :: xs => totalOnto (a + x) xs

/-- The numbers of a tree in front of a list, without `++`. -/
def Tree.flatOnto : Tree → List Nat → List Nat
  | leaf, ys => ys
  | node l x r, ys => l.flatOnto (x :: r.flatOnto ys)

/-- How many forks a tree has, added to a number. -/
def Tree.sizeOnto (a : Nat) : Tree → Nat
  | leaf => a
  | node l _ r => r.sizeOnto (l.sizeOnto a + 1)

end Sorting
