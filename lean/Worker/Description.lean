import Worker.Relations
import Worker.Steps

/-! A goal as data: the head of its target and of each hypothesis, its kind and the form of its indices. Search decides by this
   data; printed goals are for people. Computed only on request, for states that are examined. -/

open Lean Meta Elab

namespace Orch

/-- The form of an index: headed by a constructor, a variable, or something that computes. -/
def indexKind (e : Expr) : MetaM String := do
  let e ← instantiateMVars e
  if e.isMVar then return "unknown"
  if e.isFVar then return "variable"
  return if (← constructorApp'? e).isSome then "constructor" else "computed"

open Relational in
def typeFields (type : Expr) (d : Option LocalDecl) : MetaM Fields := do
  let type ← instantiateMVars type
  let fields := [("kind", Json.str (← kindOfType type)), ("head", Json.str (← headText type))]
  let some (info, arguments) ← (do if ← isProp type then predicateOf type else pure none) | return fields
  if isLogic info.name then return fields
  let indices ← (arguments.extract info.numParams arguments.size).mapM indexKind
  let possible ← match d with
    | some d => do pure ((← derivationOf d).map (·.possible))
    | none => pure none
  let more := match possible with | some k => [("possible", num k)] | none => []
  return more ++ ("predicate", Json.str (nameText info.name)) :: ("parameters", num info.numParams) ::
    ("indices", Json.arr (indices.map Json.str)) :: ("constructors", num info.numCtors) :: ("recursive", Json.bool info.isRec) :: fields

/-- The inductive predicates that an expression mentions, also through definitions of loaded texts. -/
partial def predicatesIn (env : Environment) (e : Expr) : NameSet :=
  (go e.getUsedConstants.toList ({}, {})).2
where
  go (names : List Name) (found : NameSet × NameSet) : NameSet × NameSet :=
    names.foldl (init := found) fun (seen, predicates) n =>
      if seen.contains n then (seen, predicates) else
      let seen := seen.insert n
      match env.find? n with
      | some (.inductInfo info) =>
        let isPredicate := info.type.getForallBody.isProp && !Relational.isLogic n && !isClass env n && !isStructure env n
        (seen, if isPredicate then predicates.insert n else predicates)
      | some (.defnInfo info) =>
        if isOwn env n then go info.value.getUsedConstants.toList (seen, predicates) else (seen, predicates)
      | _ => (seen, predicates)

def describeGoal (others : List MVarId) (g : MVarId) : MetaM Json := do
  let d ← g.getDecl
  inGoal g do
    let mut hypotheses := #[]
    for h in d.lctx do
      if h.isImplementationDetail then continue
      hypotheses := hypotheses.push (Json.mkObj (("name", Json.str (nameText h.userName.eraseMacroScopes)) ::
        ("accessible", Json.bool (!h.userName.hasMacroScopes)) :: (← typeFields h.type (some h))))
    let whole ← closedGoal g
    let unknown ← getMVars whole
    let mut shared := #[]
    for other in others, k in [0:others.length] do
      if other == g then continue
      if (← getMVars (← closedGoal other)).any unknown.contains then shared := shared.push (num k)
    return Json.mkObj [
      ("target", Json.mkObj (← typeFields d.type none)), ("hypotheses", Json.arr hypotheses),
      ("predicates", namesJson (predicatesIn (← getEnv) whole).toList), ("shares", Json.arr shared)]

def opDescribe (w : Worker) (j : Json) : IO Answer := do
  match (← getState w j) with
  | .error a => return a
  | .ok (p, session) =>
    let ctx := coreContext w session (FileMap.ofString "") (← IO.getNumHeartbeats) (heartbeatsOf j)
    let r ← resume p
    match (← runTerm ctx r p.declaration (p.goals.mapM fun g => describeGoal p.goals g)) with
    | .error e => failedByException "tactic" e
    | .ok goals => return .done [("goals", Json.arr goals.toArray)]

end Orch
