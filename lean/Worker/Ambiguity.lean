import Worker.Names

/-! Names that mean two things: `Subset` and `insert` of a text are also short for something of the library. -/

open Lean

namespace Orch

/-- Does the plain name of a constant mean something else as well? -/
def isAmbiguous (env : Environment) (options : Options) (space : Name) (opened : List OpenDecl) (n : Name) : Bool :=
  ((ResolveName.resolveGlobalName env options space opened n).filter fun (_, fields) => fields.isEmpty).length > 1

/-- How a tactic refers to a constant. -/
def constantText (n : Name) : CoreM String := do
  let twice := isAmbiguous (← getEnv) (← getOptions) (← getCurrNamespace) (← getOpenDecls) n
  return if twice then "_root_." ++ nameText n else nameText n

end Orch
