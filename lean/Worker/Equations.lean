import Worker.Moves

/-! The operation `equations`: a goal that is an equation about a type of which only laws are known, and the equations that
   hypotheses and lemmas state at the types and structures of the goal. All as terms, for a search by completion. -/

open Lean Meta Elab

namespace Orch.Relational

def typeText (e : Expr) : MetaM String := do return (← ppExpr (← instantiateMVars (← inferType e))).pretty 1000

/-- A local structure: its operations belong to it, like `S.op`. -/
def isStructure (e : Expr) : MetaM Bool := do
  unless e.isFVar do return false
  return (← whnfR (← inferType e)).getAppFn.constName?.any (Lean.isStructure (← getEnv))

/-- A term: a variable, or a constant or local value with its explicit arguments. Any other part is a constant named by its text;
   `none` if a variable occurs in such a part. -/
partial def termJson (variables : Array Expr) (e : Expr) : MetaM (Option Json) := do
  let e := (← instantiateMVars e).consumeMData.headBeta
  let sort := Json.str (← typeText e)
  if let some k := variables.idxOf? e then return some (Json.mkObj [("variable", num k), ("sort", sort)])
  let mentions (t : Expr) : Bool := (t.find? variables.contains).isSome
  let whole : MetaM (Option Json) := do
    if mentions e || e.hasExprMVar then return none
    return some (Json.mkObj [("head", Json.str (← termText e)), ("args", Json.arr #[]), ("sort", sort)])
  if e.isAppOf ``OfNat.ofNat then return ← whole
  let head ← match e.getAppFn with
    | .const n _ => if isWritable n then pure (← constantText n) else pure ""
    | .fvar x => do
      let n ← x.getUserName
      pure (if n.hasMacroScopes then "" else nameText n)
    | _ => pure ""
  if head == "" then return ← whole
  let infos ← forallTelescopeReducing (← inferType e.getAppFn) fun xs _ => xs.mapM fun x => do return (← x.fvarId!.getBinderInfo)
  if infos.size < e.getAppNumArgs then return ← whole
  let mut (head, terms) := (head, #[])
  for a in e.getAppArgs, info in infos do
    if info.isExplicit && terms.isEmpty && (← isStructure a) && !mentions a then
      head := s!"{head} {← termText a}"
    else if info.isExplicit then
      let some term ← termJson variables a | return none
      terms := terms.push term
    else if mentions a then return none
  if terms.isEmpty && !e.isFVar then return ← whole
  return some (Json.mkObj [("head", Json.str head), ("args", Json.arr terms), ("sort", sort)])

/-- The two sides of an equation. -/
def sidesJson (variables : Array Expr) (e : Expr) : MetaM (Option (Json × Json)) := do
  let some (_, left, right) := (← instantiateMVars e).eq? | return none
  let some left ← termJson variables left | return none
  let some right ← termJson variables right | return none
  return some (left, right)

/-- Fill in the types, instances and structures of a law, in all ways; its other variables stay. Conditions rule it out. -/
partial def atTypes (types : Array Expr) (unknown : List Expr) (variables : Array Expr) (k : Array Expr → MetaM (Option Json)) :
    MetaM (Array Json) := do
  match unknown with
  | [] => return (← k variables).toArray
  | m :: rest =>
    if ← m.mvarId!.isAssigned then return ← atTypes types rest variables k
    let type ← whnfR (← instantiateMVars (← inferType m))
    let each (choices : Array Expr) : MetaM (Array Json) := do
      choices.flatMapM fun choice => withoutModifyingState do
        if ← isDefEq m choice then atTypes types rest variables k else return #[]
    if type.isSort then return ← if type.isProp then pure #[] else each types
    if (← isClass? type).isSome then
      let found ← try synthInstance? type catch _ => pure none
      return ← each found.toArray
    if ← isProp type then return #[]
    let isStructured := type.getAppFn.constName?.any (Lean.isStructure (← getEnv))
    if isStructured then
      let named := (← locals).filter isNamed
      return ← each (named.map (·.toExpr))
    atTypes types rest (variables.push m) k

def lawJson (types : Array Expr) (value : Expr) (name : String) (isLocal : Bool) : MetaM (Array Json) := withoutModifyingState do
  let type ← instantiateMVars (← inferType value)
  unless (conclusionOf type).isAppOf ``Eq do return #[]
  let (unknown, _, conclusion) ← forallMetaTelescope type
  atTypes types unknown.toList #[] fun variables => do
    let some (left, right) ← sidesJson variables conclusion | return none
    let sorts ← variables.mapM fun x => do return Json.str (← typeText x)
    return some (Json.mkObj [("name", Json.str name), ("local", Json.bool isLocal), ("sorts", Json.arr sorts), ("left", left), ("right", right)])

def mostTypes : Nat := 3

def equationsAt (lemmas : List Name) (goal : MVarId) : MetaM Fields := do
  let target ← instantiateMVars (← goal.getType)
  let some (α, _, _) := target.eq? | return []
  -- a type with constructors has its own ways
  unless (← whnfR α).getAppFn.isFVar do return []
  let some (left, right) ← sidesJson #[] target | return []
  let all ← (← locals).filterM fun d => do return isNamed d && !(← isProp d.type)
  let types := (#[α] ++ (all.filter (·.type.isSort)).map (·.toExpr)).toList.eraseDups.toArray.extract 0 mostTypes
  let facts ← (← locals).filterM fun d => do return isNamed d && (← isProp d.type)
  let own ← facts.flatMapM fun d => lawJson types d.toExpr (nameText d.userName) true
  let given ← (lemmas.toArray.extract 0 60).flatMapM fun n => do lawJson types (← mkConstWithFreshMVarLevels n) (← constantText n) false
  let values ← all.mapM fun d => do return Json.arr #[Json.str (nameText d.userName), Json.str (← typeText d.toExpr)]
  return [("sides", Json.arr #[left, right]), ("given", Json.arr (own ++ given)), ("values", Json.arr values)]

end Orch.Relational

namespace Orch

open Relational in
/-- The equation at the first goal of a state; no fields if it is none. -/
def opEquations (w : Worker) (j : Json) : IO Answer :=
  atFirstGoal w j fun _ goal => equationsAt ((getItems j "lemmas").filterMap nameOfJson?) goal

end Orch
