import Worker.Content

/-! What the judge has read of a statement. -/

open Lean

namespace Orch

/-- The declarations that the kernel has added, and why it refused the others. -/
structure Judging where
  env : Environment
  refused : Std.HashMap Name Refusal := {}

/-- A theorem of the statement's data. -/
structure Claimed where
  name : Name
  levels : List Name
  type : Expr

/-- The result of reading the statement's data on top of the library. It depends on nothing else, so a judge may cache it. -/
structure Base where
  library : Environment
  judging : Judging
  content : Content := {}
  statements : Array Claimed := #[]
  /-- definitions that a file may not change -/
  definitions : NameSet := {}
  /-- the declarations, in order, that a candidate's declarations of the same name replace, and what depends on them -/
  held : Array Stated := #[]
  /-- the names of those that are replaced -/
  holes : NameSet := {}
  /-- does it name `sorryAx` or a constant that makes the kernel run compiled code? -/
  suspicious : Bool := false
  /-- does it contain a projection? -/
  projects : Bool := false
  /-- the root under which the candidate's names are added -/
  root : Name := .anonymous

end Orch
