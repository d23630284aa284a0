import Worker.Export
import Worker.Library

/-! Library constants as data, for a checker outside Lean. Each has its own tables. Recursors come without their rules, which
   readers derive. -/

open Lean

namespace Orch

def libraryFields (library : Environment) (info : ConstantInfo) : ExportM Fields := do
  let head : Fields := [
    ("kind", Json.str (kindText info (getOriginalConstKind? library info.name))),
    ("constant", num (← exportName info.name)),
    ("params", ← exportNames info.levelParams),
    ("safe", Json.bool !(info.isUnsafe || info.isPartial))]
  let typed : ExportM Fields := return ("type", num (← exportExpr info.type)) :: head
  match info with
  | .defnInfo v => return ("value", num (← exportExpr v.value)) :: ("hints", hintsJson v.hints) :: (← typed)
  | .thmInfo v => return ("value", num (← exportExpr v.value)) :: (← typed)
  | .inductInfo v =>
    return ("parameters", num v.numParams) :: ("indices", num v.numIndices) :: ("recursive", Json.bool v.isRec) ::
      ("all", ← exportNames v.all) :: ("constructors", ← exportNames v.ctors) :: (← typed)
  | .ctorInfo v =>
    return ("inductive", num (← exportName v.induct)) :: ("parameters", num v.numParams) ::
      ("fields", num v.numFields) :: (← typed)
  | .recInfo v => return ("all", ← exportNames v.all) :: head
  | _ => typed

/-- The constants with these names, in the same order; null if the library has none. -/
def opLibrary (w : Worker) (j : Json) : IO Answer := do
  let some library ← importsOf w | return noSession
  let constants ← (getItems j "names").toArray.mapM fun item => do
    match nameOfJson? item >>= library.find? with
    | none => return Json.null
    | some info => exportData library library (libraryFields library info)
  return .done [("constants", Json.arr constants)]

end Orch
