import Worker.Arithmetic
import Worker.Recursion

/-! Steps of everyday logic: unfold definitions of the preamble that hide a quantifier, instantiate hypotheses at values in the
   context, turn `∀ … ∃ …` into a function, and split on propositions that decide a quantified claim. -/

open Lean Meta Elab

namespace Orch.Relational

/-- The definition at the head of a proposition, if it is not recursive. -/
def hidingDefinition? (definitions : NameSet) (type : Expr) : MetaM (Option Name) := do
  let .const n _ := type.getAppFn | return none
  unless definitions.contains n do return none
  let some next ← unfoldDefinition? type | return none
  return if (next.find? (·.isConstOf n)).isSome then none else some n

/-- Unfold the preamble's definitions in the target and in the hypotheses. -/
def unfoldings (definitions : NameSet) (target : Expr) : MetaM (Array String) := do
  let mut texts := #[]
  if let some n ← hidingDefinition? definitions target then texts := texts.push ("unfold " ++ (← constantText n))
  for d in ← locals do
    unless isNamed d && (← isProp d.type) do continue
    let type ← instantiateMVars d.type
    if let some n ← hidingDefinition? definitions type then
      texts := texts.push s!"unfold {← constantText n} at {nameText d.userName}"
  return texts

/-- A proposition under an operator or relation that the text defines by an instance, unfolded to that definition. -/
def meanings (target : Expr) : MetaM (Array String) := do
  let env ← getEnv
  let isOwn (n : Name) : Bool := (env.getModuleIdxFor? n).isNone
  let meaning? (type : Expr) : MetaM (Option String) := do
    let .const n _ := type.getAppFn | return none
    let isOperator := env.isProjectionFn n || n == ``HasEquiv.Equiv
    unless isOperator && type.getAppArgs.any (fun a => a.getAppFn.constName?.any isOwn) do return none
    let next ← whnf type
    if next == type || (env.isProjectionFn (next.getAppFn.constName?.getD .anonymous)) then return none
    return some ((← ppExpr next).pretty 1000)
  let mut texts := #[]
  if let some text ← meaning? target then texts := texts.push s!"change {text}"
  for d in ← locals do
    unless isNamed d && (← isProp d.type) do continue
    if let some text ← meaning? (← instantiateMVars d.type) then texts := texts.push s!"change {text} at {nameText d.userName}"
  return texts

/-- Extensionality: functions are equal if they agree at each value, propositions if each implies the other, elements of a
   subtype if their values are equal. `isSafe`: the step loses nothing. Two variables are excluded: they are equal because of
   hypotheses, not value by value. -/
def extensions (target : Expr) (isSafe : Bool) : MetaM (Array String) := do
  let some (α, a, b) := target.eq? | return #[]
  if (a.isFVar && b.isFVar) == isSafe then return #[]
  if α.isProp then return #["apply propext"]
  let type ← whnf α
  if type.isForall then return #[s!"funext {nameText (← freshName "x")}"]
  return if type.isAppOf ``Subtype then #["apply Subtype.ext"] else #[]

/-- Elements of a quotient have representatives. -/
def representatives : MetaM (Array String) := do
  let quotients ← (← locals).filterM fun d => do return isNamed d && (← whnf (← instantiateMVars d.type)).isAppOf ``Quot
  quotients.mapM fun d => do return s!"obtain ⟨{nameText (← freshName "a")}, rfl⟩ := Quot.exists_rep {nameText d.userName}"

/-- A negation that is equivalent to an existential claim. -/
def negations : MetaM (Array String) := do
  let mut texts := #[]
  for d in ← locals do
    unless isNamed d do continue
    let h := nameText d.userName
    let some p := (← instantiateMVars d.type).not? | continue
    let p ← whnfR p
    if let .forallE n domain body _ := p then
      if (← isProp domain) && !body.hasLooseBVars then
        texts := texts.push s!"(have {h}1 := Classical.not_imp.mp {h}; clear {h})"
      else
        let stem := match n.eraseMacroScopes with | .str .anonymous s => if s.all Char.isAlphanum then s else "x" | _ => "x"
        texts := texts.push s!"(obtain ⟨{nameText (← freshName stem)}, {nameText (← freshName (h ++ "w"))}⟩ := Classical.not_forall.mp {h}; clear {h})"
    else if p.not?.isSome then texts := texts.push s!"(have {h}1 := Classical.not_not.mp {h}; clear {h})"
  return texts

/-- The diagonal `fun x => ¬ f x x` of each relation in the context: the predicate that a list of all predicates leaves out. A
   type that unfolds to a predicate, such as a set, counts too. -/
def diagonals (type : Expr) : MetaM (Array String) := do
  let .forallE _ α body _ := ← whnf type | return #[]
  unless body.isProp do return #[]
  let relations ← (← locals).filterM fun d => do
    unless isNamed d do return false
    match ← whnf (← instantiateMVars d.type) with
    | .forallE _ a b _ =>
      if b.hasLooseBVars then return false
      match ← whnf b with
      | .forallE _ b c _ => return c.isProp && (← isDefEq a α) && (← isDefEq b α)
      | _ => return false
    | _ => return false
  return relations.map fun d => s!"(fun x => ¬ {nameText d.userName} x x)"

/-- Terms for an argument of a quantified hypothesis, newest first. -/
def argumentsFor (type : Expr) : MetaM (Array String) := do
  let values ← (← locals).filterM fun d => do return isNamed d && !(← isProp d.type) && (← isDefEq (← instantiateMVars d.type) type)
  return values.reverse.map (fun d => nameText d.userName) ++ (← diagonals type)

/-- Instances, at values in the context, of hypotheses without premises that state an existence or an equivalence. Also equal
   functions at a value, and a function from `∀ … ∃ …` where the goal needs one. -/
def instancesAtHand (target : Expr) : MetaM (Array (String × Expr)) := do
  let mut all := #[]
  let wantsFunction ← if target.isAppOfArity ``Exists 2 then (do pure (← whnfR (target.getArg! 0)).isForall) else pure false
  for d in ← locals do
    unless isNamed d && (← isProp d.type) do continue
    let h := nameText d.userName
    let type ← instantiateMVars d.type
    if let some (α, _, _) := type.eq? then
      if (← whnf α).isAppOf ``Quot then all ← add all s!"Quotient.exact {h}"
      if let .forallE _ a _ _ ← whnf α then
        for text in (← argumentsFor a).extract 0 2 do all ← add all s!"congrFun {h} {text}"
      continue
    unless type.isForall do continue
    let choices ← forallTelescope type fun xs body => do
      let body ← whnfR body
      unless [``Exists, ``And, ``Or, ``Iff].any (body.isAppOf ·) && xs.size ≤ 2 do return #[]
      if ← xs.anyM fun x => do isProp (← inferType x) then return #[]
      let infos ← xs.mapM fun x => x.fvarId!.getBinderInfo
      if infos.any (!·.isExplicit) then return #[]
      let types ← xs.mapM inferType
      if types.any fun t => xs.any fun x => t.containsFVar x.fvarId! then return #[]
      let mut texts := #[h]
      for t in types do
        let arguments := (← argumentsFor t).extract 0 4
        texts := texts.flatMap fun text => arguments.map fun a => text ++ " " ++ a
      if wantsFunction && body.isAppOf ``Exists && xs.size == 1 then texts := #["Classical.axiomOfChoice " ++ h] ++ texts
      return texts.extract 0 4
    for text in choices do all ← add all text
  return all
where
  add (all : Array (String × Expr)) (text : String) : MetaM (Array (String × Expr)) := do
    match Parser.runParserCategory (← getEnv) `term text with
    | .error _ => return all
    | .ok stx =>
      try
        let value ← (Term.elabTermAndSynthesize stx none).run'
        let type ← instantiateMVars (← inferType value)
        return if type.hasExprMVar then all else all.push (text, type)
      catch e => if e.isInterrupt then throw e else return all

/-- Propositions to split on: quantified propositions inside the goal. -/
def questions (target : Expr) : MetaM (Array String) := do
  let name := nameText (← freshName "hc")
  let mut texts := #[]
  for claim in ← claims target do
    let parts ← (partsThat (fun e => e.isForall || e.isAppOfArity ``Exists 2) claim).filterM fun e => do
      return e != claim && (← isProp e)
    for part in parts do texts := texts.push s!"by_cases {name} : {(← ppExpr part).pretty 1000}"
  return texts.toList.eraseDups.toArray.extract 0 3

/-- Some element of a type about which nothing else is known. -/
def anyElement (type : Expr) : MetaM (Array String) := do
  let isKnown (n : Name) : MetaM Bool := do
    try return (← synthInstance? (← mkAppM n #[type])).isSome catch _ => return false
  if ← isKnown ``Inhabited then return #["default"]
  if ← isKnown ``Nonempty then return #["(Classical.choice inferInstance)"]
  return #[]

end Orch.Relational
