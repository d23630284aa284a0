import Worker.Export

/-! What a file declares, read from the resulting environment and not from its syntax. -/

open Lean Meta Elab

namespace Orch

/-- Constants that Lean generated for those that the user declared. -/
def isMadeUp (env : Environment) (n : Name) : Bool := isReservedName env n || !standsInText env n

def newConstants (env : Environment) : Array ConstantInfo :=
  let all := env.constants.foldStage2 (fun all _ info => all.push info) #[]
  all.insertionSort fun a b => lineOf a.name < lineOf b.name
where
  /-- in the order of the text, if it is known -/
  lineOf (n : Name) : Nat := match declRangeExt.find? (level := .server) env n with
    | some ranges => ranges.selectionRange.pos.line
    | none => 0

def isTheorem : ConstantInfo → Bool
  | .thmInfo _ => true
  | _ => false

/-- Each theorem, definition and instance that the text declares gets a verdict. Declarations marked `unsafe` do not: no kernel
   checks them. -/
def isListed (env : Environment) (info : ConstantInfo) : Bool :=
  !isMadeUp env info.name && match info with
    | .thmInfo _ => true
    | .defnInfo v => v.safety == .safe && !env.isProjectionFn v.name && !notationTypes.any v.type.isConstOf
    | .opaqueInfo v => !v.isUnsafe
    | _ => false

/-- Candidate data for everything that the text of a session declares, with the list of its theorems. -/
def exportFile (library env : Environment) : IO Json :=
  exportData library env do
    let all := newConstants env
    for info in all do exportConstant info.name
    let listed := all.filter (isListed env)
    return [("theorems", ← exportNames (listed.toList.map (·.name)))]

/-- What a file states, as data: its theorems without their proofs, its definitions in full. With `assumed`, also these theorems
   of imported modules. -/
def exportReference (library env : Environment) (allowed assumed : List Name) : IO Json :=
  exportData library env do
    exportAxioms allowed
    let all := (newConstants env).filter fun info => !isMadeUp env info.name
    let (theorems, others) := all.partition isTheorem
    let below := assumed.filter fun n => !theorems.any (·.name == n)
    let statements ← theorems.mapM fun info => exportStatement info.name info.levelParams info.type
    let statements := (← exportAssumed below) ++ statements
    for info in others do exportConstant info.name
    return [("statements", Json.arr statements), ("definitions", ← exportNames (others.toList.map (·.name)))]

/-- A theorem that a macro declared under a generated name. No file could prove it, so a reference must not require it. -/
def namelessTheorem (env : Environment) : Option Name :=
  ((newConstants env).find? fun info => isTheorem info && info.name.hasMacroScopes).map (·.name)

/-- Export what a loaded text declares, as a candidate or as the reference for one. -/
def opExport (w : Worker) (j : Json) : IO Answer := do
  let some session ← getSession w j | return noSession
  let some library ← importsOf w | return noSession
  if getText j "role" "candidate" != "reference" then return .done [("export", ← exportFile library session.env)]
  if let some n := namelessTheorem session.env then
    return .failed "unread" s!"a macro makes the theorem {nameText n} under a name that no file can write" []
  return .done [("export", ← exportReference library session.env (allowedAxioms j) (assumedTheorems j))]

end Orch
