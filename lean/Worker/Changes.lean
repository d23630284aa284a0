import Worker.Answers

/-! The constants that a command has added to an environment. -/

open Lean

namespace Orch

/-- The constants of `after` that are not in `before`. -/
def addedTo (before after : Environment) : Array ConstantInfo :=
  after.constants.foldStage2 (fun found n info => if before.contains n then found else found.push info) #[]

/-- Did the user write this constant? Lean generates others: `injEq`, `match_1`, `_proof_1`. -/
def standsInText (env : Environment) (n : Name) : Bool := (declRangeExt.find? (level := .server) env n).isSome

end Orch
