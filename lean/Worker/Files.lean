import Worker.Export

/-! What a file declares, from the environment that it leaves behind and not from its syntax. -/

open Lean Meta Elab

namespace Orch

/-- Constants that Lean made up beside those that the user declared: equations, `injEq`, `match_1`, `_proof_1`. -/
def isMadeUp (env : Environment) (n : Name) : Bool :=
  (privateToUserName n).isInternalDetail || isReservedName env n || (declRangeExt.find? (level := .server) env n).isNone

def newConstants (env : Environment) : Array ConstantInfo :=
  let all := env.constants.foldStage2 (fun all _ info => all.push info) #[]
  all.insertionSort fun a b => lineOf a.name < lineOf b.name
where
  /-- in the order of the text, as far as that is known -/
  lineOf (n : Name) : Nat := match declRangeExt.find? (level := .server) env n with
    | some ranges => ranges.selectionRange.pos.line
    | none => 0

def isTheorem : ConstantInfo → Bool
  | .thmInfo _ => true
  | _ => false

/-- Everything that the text of a session declares: candidate data that lists its theorems. -/
def exportFile (library env : Environment) : IO Json :=
  exportData library env do
    let all := newConstants env
    for info in all do exportConstant info.name
    let listed := all.filter fun info => isTheorem info && !isMadeUp env info.name
    return [("theorems", ← exportNames (listed.toList.map (·.name)))]

/-- What a file states, as data: its theorems without their proofs, its definitions in full. -/
def exportReference (library env : Environment) (allowed : List Name) : IO Json :=
  exportData library env do
    exportAxioms allowed
    let all := (newConstants env).filter fun info => !isMadeUp env info.name
    let (theorems, others) := all.partition isTheorem
    let statements ← theorems.mapM fun info => exportStatement info.name info.levelParams info.type
    for info in others do exportConstant info.name
    return [("statements", Json.arr statements), ("definitions", ← exportNames (others.toList.map (·.name)))]

/-- Export what a loaded text declares, as a candidate or as the reference for one. -/
def opExport (w : Worker) (j : Json) : IO Answer := do
  let some session ← getSession w j | return noSession
  let some library ← importsOf w | return noSession
  let data ← match getText j "role" "candidate" with
    | "reference" => exportReference library session.env (allowedAxioms j)
    | _ => exportFile library session.env
  return .done [("export", data)]

end Orch
