import Worker.Relations

/-! Inductions that the tactic `induction` refuses: on mutual predicates and on types nested in lists. They apply the recursor
   with a motive for each type of the block. For the type of the induction it is the goal. For another type it is what its rules
   imply for the first one, the same claim, or `True`. -/

open Lean Meta Elab

namespace Orch.Relational

/-- The arguments of a recursor: the type of each motive and the number of cases. -/
structure Recursor where
  name : Name
  /-- for each motive the types of the indices and of the value -/
  motives : Array Expr
  cases : Nat

/-- The recursor of a block, with the parameters filled in. -/
def recursorOf? (info : InductiveVal) (levels : List Level) (parameters : Array Expr) : MetaM (Option Recursor) := do
  let name := mkRecName info.name
  let some (.recInfo recursor) := (← getEnv).find? name | return none
  if recursor.numMotives < 2 then return none
  let extra := recursor.levelParams.length - levels.length
  let type := recursor.type.instantiateLevelParams recursor.levelParams ((List.replicate extra .zero) ++ levels)
  let type ← instantiateForall type parameters
  let motives ← forallBoundedTelescope type (some recursor.numMotives) fun ms _ => ms.mapM inferType
  return some { name, motives, cases := recursor.numMinors }

def conjunction (parts : Array Expr) : Expr :=
  match parts.toList.reverse with
  | [] => mkConst ``True
  | last :: rest => rest.foldl (fun all p => mkAnd p all) last

/-- What the rules of another predicate of the block say about the first one: some rule, its indices, and the claim for each premise. -/
def byRules (info other : InductiveVal) (levels : List Level) (parameters indices : Array Expr)
    (claim : Array Expr → MetaM Expr) : MetaM (Option Expr) := do
  let mut options := #[]
  for c in other.ctors do
    let type ← instantiateForall (← inferType (mkConst c levels)) parameters
    let option ← forallTelescope type fun fields conclusion => do
      let here := conclusion.getAppArgs.extract other.numParams conclusion.getAppNumArgs
      let mut parts := #[]
      for i in indices, j in here do
        unless ← isDefEq (← inferType i) (← inferType j) do return none
        parts := parts.push (← mkEq i j)
      let mut values := #[]
      for x in fields do
        let t ← inferType x
        unless ← isProp t do
          values := values.push x
          continue
        if (t.find? (·.isConstOf other.name)).isSome then return none
        parts := parts.push t
        if t.isAppOf info.name then
          parts := parts.push (← claim (t.getAppArgs.extract info.numParams t.getAppNumArgs))
      let body := conjunction parts
      let mut whole := body
      for x in values.reverse do whole ← mkAppM ``Exists #[← mkLambdaFVars #[x] whole]
      return some whole
    let some option := option | return none
    options := options.push option
  match options.toList.reverse with
  | [] => return some (mkConst ``False)
  | last :: rest => return some (rest.foldl (fun all p => mkOr p all) last)

/-- The same claim for every element of a list. -/
def ofElements? (value : Expr) (type : Expr) (claim : Array Expr → MetaM Expr) : MetaM (Option Expr) := do
  unless type.isAppOfArity ``List 1 do return none
  withLocalDeclD `k (type.getArg! 0) fun k => do
    let member ← mkAppM ``Membership.mem #[value, k]
    withLocalDeclD `hk member fun hk => do return some (← mkForallFVars #[k, hk] (← claim #[k]))

def motiveText (type : Expr) (make : Array Expr → MetaM (Option Expr)) : MetaM (Option String) :=
  forallTelescope type fun xs _ => do
    let named := xs.mapIdx fun k x => (x, Name.mkSimple s!"j{k}")
    let lctx := named.foldl (fun lctx (x, name) => lctx.setUserName x.fvarId! name) (← getLCtx)
    withReader (fun c => { c with lctx }) do
      let some body ← make xs | return none
      let names := named.map fun (x, name) => if body.containsFVar x.fvarId! then nameText name else "_"
      return some s!"fun {" ".intercalate names.toList} => {(← ppExpr body).pretty 1000}"

/-- Inductions by a recursor with several motives, on one hypothesis or value. -/
def byRecursor (d : LocalDecl) (target : Expr) : MetaM (Array String) := do
  let type ← whnfR (← instantiateMVars d.type)
  let .const n levels := type.getAppFn | return #[]
  let some (.inductInfo info) := (← getEnv).find? n | return #[]
  let arguments := type.getAppArgs
  let parameters := arguments.extract 0 info.numParams
  let some recursor ← recursorOf? info levels parameters | return #[]
  let isPredicate ← isProp type
  let subjects := (arguments.extract info.numParams arguments.size) ++ if isPredicate then #[] else #[d.toExpr]
  -- indices must be different variables that the parameters do not mention
  let mut seen := #[]
  for x in subjects do
    unless x.isFVar && !seen.contains x && !parameters.any (·.containsFVar x.fvarId!) do return #[]
    seen := seen.push x
  let h := nameText d.userName
  -- hypotheses about the indices go back into the goal, and so do variables that may vary
  let mut others := #[]
  for other in ← locals do
    if other.fvarId == d.fvarId || seen.contains other.toExpr || parameters.any (·.containsFVar other.fvarId) then continue
    let type ← instantiateMVars other.type
    let isAbout := subjects.any (fun x => type.containsFVar x.fvarId!) || others.any (fun (o : LocalDecl) => type.containsFVar o.fvarId)
    if isAbout || (← isVarying other) then others := others.push other
  if others.any (!isNamed ·) then return #[]
  let whole ← mkForallFVars (others.map (·.toExpr)) target
  let claim (values : Array Expr) : MetaM Expr := do
    if values.size != subjects.size then throwError "another number of indices"
    return whole.replaceFVars subjects values
  let own := info.all.idxOf n
  let ways : Array (Array Expr → Nat → MetaM (Option Expr)) := #[
    fun xs k => do
      let some other := info.all[k]? | ofElements? xs.back! (← inferType xs.back!) claim
      let some (.inductInfo other) := (← getEnv).find? other | return none
      byRules info other levels parameters (xs.extract 0 (xs.size - 1)) claim,
    fun xs _ => do
      let values := if isPredicate then xs.extract 0 (xs.size - 1) else xs
      if values.size != subjects.size then return none
      for x in subjects, y in values do unless ← isDefEq (← inferType x) (← inferType y) do return none
      return some (← claim values),
    fun _ _ => return some (mkConst ``True)]
  let mut texts := #[]
  for way in ways do
    let motives ← (recursor.motives.zip (Array.range recursor.motives.size)).mapM fun (motive, k) =>
      motiveText motive fun xs => do
        if k == own then return some (← claim (if isPredicate then xs.extract 0 (xs.size - 1) else xs))
        boundedMeta 500 none (way xs k)
    if motives.all (·.isSome) then
      let given := (motives.zip (Array.range motives.size)).map fun (m, k) => s!"(motive_{k + 1} := {m.getD "_"})"
      let holes := " ".intercalate (List.replicate recursor.cases "?_")
      let names := others.map fun other => nameText other.userName
      let reverting := if names.isEmpty then "" else s!"revert {" ".intercalate names.toList}; "
      texts := texts.push s!"({reverting}refine {← constantText recursor.name} {" ".intercalate given.toList} {holes} {h} <;> try dsimp only)"
  return texts.toList.eraseDups.toArray

/-- Inductions that go through a recursor, over all hypotheses and values. -/
def recursorInductions (target : Expr) : MetaM (Array String) := do
  let mut texts := #[]
  for d in ← locals do
    unless isNamed d && d.value?.isNone do continue
    texts := texts ++ (← boundedMeta 1500 #[] (byRecursor d target))
  return texts

end Orch.Relational
