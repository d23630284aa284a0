import Worker.Conjecture
import Worker.Moves

/-! The operation `weaken`: lemmas from which a goal that was left open may follow. -/

open Lean Meta Elab

namespace Orch.Relational

/-- A target with an equation of the context used backwards on one side, if the other side mentions what that brings in: by all such
   equations together, then by each. -/
def fertilised (target : Expr) : MetaM (Array Expr) := do
  let some (_, left, right) := target.eq? | return #[]
  let known := (← proofs).filterMap fun (_, type) => type.eq?.map fun (_, a, b) =>
    if nodeCount a ≥ nodeCount b then (a, b) else (b, a)
  let turn (side other : Expr) (make : Expr → MetaM Expr) : MetaM (Array Expr) := do
    let fitting := known.filter fun (longer, shorter) =>
      (partsOf longer).any (fun t => t.hasFVar && !t.isFVar && (other.find? (· == t)).isSome) && (side.find? (· == shorter)).isSome
    let choices := if fitting.size > 1 then #[fitting] ++ fitting.map (#[·]) else fitting.map (#[·])
    choices.mapM fun some => make (side.replace fun t => (some.find? (·.2 == t)).map (·.1))
  return (← turn left right (mkEq · right)) ++ (← turn right left (mkEq left ·))

/-- Quantify over everything that a statement mentions. -/
def closedOver (statement : Expr) : MetaM Expr := do
  (← locals).reverse.foldlM (init := ← instantiateMVars statement) fun e d => do
    if e.containsFVar d.fvarId then mkForallFVars #[d.toExpr] e else return e

structure Weaker where
  statement : Expr
  /-- does a variable replace a term of the goal? -/
  isGeneral : Bool

/-- With names that a statement can use for everything in the context. -/
def withUsableNames {α : Type} (x : MetaM α) : MetaM α := do
  let mut lctx ← getLCtx
  let mut used : Array Name := #[]
  for d in ← locals do
    let mut name := d.userName.eraseMacroScopes
    if name.isAnonymous || name.hasMacroScopes || used.contains name then
      for k in [1:100] do
        unless used.contains (name.appendIndexAfter k) do
          name := name.appendIndexAfter k
          break
    used := used.push name
    lctx := lctx.setUserName d.fvarId name
  withReader (fun c => { c with lctx }) x

/-- Most general first, the goal under all its hypotheses last. -/
def weakenings (goal : MVarId) : MetaM (Array Weaker) := do
  let target ← instantiateMVars (← goal.getType)
  let mut all : Array Weaker := #[]
  for t in (← fertilised target).push target do
    let parts ← match t.eq? with
      | some (_, left, right) => commonParts left right #[]
      | none => pure #[]
    for statement in ← generalisations t do
      let statement ← closedOver statement
      unless all.any (·.statement == statement) do all := all.push { statement, isGeneral := !parts.isEmpty }
  let whole ← instantiateMVars (← mkForallFVars ((← locals).map (·.toExpr)) target)
  let rest := all.filter (·.statement != whole)
  return (rest.extract 0 7).push { statement := whole, isGeneral := false }

end Orch.Relational

namespace Orch

open Relational in
def opWeaken (w : Worker) (j : Json) : IO Answer :=
  atFirstGoal w j fun _ goal => withUsableNames do
    let all := (← weakenings goal).filter fun one => !one.statement.hasMVar && !one.statement.hasSorry
    let items ← all.mapM fun one => do
      -- types of numerals only where they are needed
      let plain := (← ppExpr one.statement).pretty 1000
      let text ← if (← termText one.statement) == plain then pure plain else statementText one.statement
      return Json.mkObj [("statement", Json.str text), ("general", Json.bool one.isGeneral)]
    return [("statements", Json.arr items)]

end Orch
