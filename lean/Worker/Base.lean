import Worker.Content

/-! What a judge has read of a statement. -/

open Lean

namespace Orch

/-- What the kernel has added, and why it has not added the rest. -/
structure Judging where
  env : Environment
  refused : Std.HashMap Name Refusal := {}

/-- A theorem as a statement's data states it. -/
structure Claimed where
  name : Name
  levels : List Name
  type : Expr

/-- Library and statement data. A function of them alone, so a judge may keep it. -/
structure Base where
  library : Environment
  judging : Judging
  content : Content := {}
  statements : Array Claimed := #[]
  /-- what a file may not define otherwise -/
  definitions : NameSet := {}
  /-- does it name `sorryAx`, or what makes the kernel run compiled code? -/
  suspicious : Bool := false
  /-- does it contain a projection? -/
  projects : Bool := false
  /-- the root of the candidate's names -/
  root : Name := .anonymous

end Orch
