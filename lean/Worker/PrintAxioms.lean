import Worker.Axioms

/-! `#print axioms` where the library comes without its proofs: Lean's own command would list the library's theorems as axioms. -/

open Lean Elab Command

namespace Orch

structure Reached where
  seen : NameSet := {}
  axioms : Array Name := #[]
  /-- is there a theorem of the library whose proof is missing? -/
  isPartial : Bool := false

/-- `sorry` carries its position, as a name; the constants in the type of names are not part of the proof. -/
def withoutPositions (e : Expr) : Expr := e.replace fun
  | .app (.app (.app f@(.const ``sorryAx _) (.forallE _ _ type _)) synthetic) _ => some (mkApp2 f type synthetic)
  | _ => none

/-- Everything that a constant depends on, as far as it is there. -/
partial def Reached.visit (env : Environment) (r : Reached) (n : Name) : Reached := Id.run do
  if r.seen.contains n then return r
  let mut r := { r with seen := r.seen.insert n }
  let some info := env.find? n | return r
  if let .axiomInfo _ := info then
    match getOriginalConstKind? env n with
    | some .thm => r := { r with isPartial := true }
    | some .defn | some .opaque => pure ()
    | _ => r := { r with axioms := r.axioms.push n }
  for used in info.type.getUsedConstants do r := r.visit env used
  if let some value := info.value? (allowOpaque := true) then
    for used in (withoutPositions value).getUsedConstants do r := r.visit env used
  if let .inductInfo v := info then
    for constructor in v.ctors do r := r.visit env constructor
  return r

/-- What `#print axioms` says. Of the library's axioms, only the standard three are used in its theorems. -/
def axiomsText (env : Environment) (n : Name) : MessageData :=
  let reached := Reached.visit env {} n
  let missing := if reached.isPartial then standardAxioms.filter (!reached.axioms.contains ·) else []
  let axioms := reached.axioms ++ missing.toArray
  if axioms.isEmpty then m!"'{n}' does not depend on any axioms" else
  let said := m!"'{n}' depends on axioms: {(axioms.qsort Name.lt).toList}"
  if missing.isEmpty then said
  else m!"{said}\n{missing}: at most, because the proofs of the library's theorems are not available"

def elabPrintAxioms : CommandElab
  | `(#print%$tk axioms $id) => withRef tk do
    if (← getEnv).header.isModule then throwUnsupportedSyntax
    for n in (← liftCoreM (realizeGlobalConstWithInfos id)) do logInfo (axiomsText (← getEnv) n)
  | _ => throwUnsupportedSyntax

/-- Lean's own command answers where this one does not. Environments that are imported later have it. -/
def replacePrintAxioms : IO Unit :=
  commandElabAttribute.addBuiltin ``Parser.Command.printAxioms ``elabPrintAxioms elabPrintAxioms

end Orch
