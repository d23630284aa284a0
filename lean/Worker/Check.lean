import Worker.Statement
import Worker.Export
import Worker.Goals
import Worker.Running

/-! Turns a statement and a candidate into data. -/

open Lean Meta Elab

namespace Orch

/-- The elaborated statement, with everything Lean filled in: types of binders and automatically bound variables. -/
def printStatement (w : Worker) (session : Command.State) (s : Statement) : IO Json := do
  let ctx := coreContext w session (FileMap.ofString "") (← IO.getNumHeartbeats) defaultHeartbeats
  let r : Running := {
    core := ← IO.mkRef { env := s.env, infoState := { enabled := false } }, meta_ := ← IO.mkRef {}, term := ← IO.mkRef {} }
  match (← runTerm ctx r s.name (printed s.type)) with
  | .ok text => return text
  | .error e => return Json.str (← e.toMessageData.toString)

/-- Elaborate a statement. With `data`, also export it for the judge. -/
def opStatement (w : Worker) (j : Json) : IO Answer := do
  let some session ← getSession w j | return noSession
  let some library ← importsOf w | return noSession
  match (← elaborateStatement w (prepared session (heartbeatsOf j) false) j) with
  | .error a => return a
  | .ok s =>
    let fields : Fields := [
      ("name", Json.str (nameText s.name)),
      ("universes", namesJson s.levels),
      ("bound", namesJson s.bound),
      ("canonical", Json.str (canonical s.type)),
      ("symbols", namesJson s.type.getUsedConstants.toList)]
    let fields ← if getFlag j "print" then pure (("printed", ← printStatement w session s) :: fields) else pure fields
    if !getFlag j "data" then return .done fields
    return .done (("data", ← exportClaim library s (allowedAxioms j) (assumedTheorems j)) :: fields)

/-- Elaborate a candidate. The answer is a hint, not a verdict: for a verdict the caller gives the export to a judge. So the
   kernel does not check it here as well. -/
def opCheck (w : Worker) (j : Json) : IO Answer := do
  let some session ← getSession w j | return noSession
  let some library ← importsOf w | return noSession
  let wantsExport := getFlag j "export"
  let st := prepared session (heartbeatsOf j) false
  let st := if wantsExport then withoutKernel st else st
  match (← elaborateStatement w st j) with
  | .error a => return a
  | .ok s =>
    let st := if s.strict then withStrictNames st else st
    let source := getText j "statement" "" ++ " := " ++ getText j "proof" ""
    match (← parseSingle st source) with
    | .error log => failedBy "parse" log
    | .ok stx =>
      if let some why := refuseCode w st j stx then return why
      let after ← runClaimed w (inputContext source) st stx
      let said ← collectMessages after.messages
      if said.errors > 0 then return failedWith "elaboration" said
      let some (.thmInfo info) := after.env.find? s.name
        | return .failed "statement-changed" "the proof did not produce the theorem" (messagesField said)
      let assumed := assumable s.env (assumedTheorems j)
      let axioms := axiomsUnder library after.env s.name assumed
      let fields := ("name", Json.str (nameText s.name)) :: axiomFields axioms ++ messagesField said
      match judgeAxioms axioms (assumed ++ allowedAxioms j) with
      | some why => return refusalAnswer why fields
      | none =>
        let fields := if getFlag j "constants" then
          ("constants", namesJson info.value.getUsedConstants.toList) :: fields else fields
        if !wantsExport then return .done fields
        return .done (("export", ← exportTheorems library after.env [s.name]) :: fields)

end Orch
