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

/-- Steps that unfold definitions that only call another function, as in `run b ts := ts.foldl step b`: an induction needs the
   function behind them. The first step unfolds those that no lemma is about, the second all. -/
def unwrappings (definitions : NameSet) (lemmas : Array Rule) (target : Expr) : MetaM (Array String × Array String) := do
  let env ← getEnv
  let mut all := #[]
  let facts ← (← locals).mapM fun d => do instantiateMVars d.type
  for type in #[target] ++ facts do
    for t in partsThat (fun e => e.getAppFn.constName?.any definitions.contains) type do
      let .const n _ := t.getAppFn | continue
      let some next ← unfoldDefinition? t | continue
      let .const called _ := next.getAppFn | continue
      let isCall := !(env.isProjectionFn called || env.isConstructor called || isMatcherCore env called || isCasesOnRecursor env called)
      if isCall && ![``ite, ``dite].contains called && !all.contains n && (next.find? (·.isConstOf n)).isNone then all := all.push n
  let hasLemma (n : Name) : Bool := lemmas.any fun l => (env.find? l.name).any fun info => (info.type.find? (·.isConstOf n)).isSome
  let step (names : Array Name) : MetaM (Array String) := do
    if names.isEmpty then return #[]
    let place := if facts.any fun type => (type.find? (·.getAppFn.constName?.any names.contains)).isSome then " at *" else ""
    return #[s!"simp only [{", ".intercalate (← names.toList.mapM fun n => constantText n)}]{place}"]
  return (← step (all.filter (!hasLemma ·)), ← step all)

/-- A proposition under an operator or relation that the text defines by an instance, unfolded to that definition. -/
def meanings (target : Expr) : MetaM (Array String) := do
  let env ← getEnv
  let meaning? (type : Expr) : MetaM (Option String) := do
    let .const n _ := type.getAppFn | return none
    let isOperator := env.isProjectionFn n || n == ``HasEquiv.Equiv
    unless isOperator && type.getAppArgs.any (fun a => a.getAppFn.constName?.any (isOwn env)) do return none
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

/-- What the rules for the target ask about values that are known already, such as `n = 0` in one rule and `n ≠ 0` in another. -/
def sideConditions (target : Expr) : MetaM (Array String) := do
  let known ← (← locals).mapM fun d => instantiateMVars d.type
  let found ← boundedMeta 400 #[] <| withoutModifyingState do
    let mut all : Array Expr := #[]
    for atom in ← atomsOf target 6 do
      let some (info, arguments) ← predicateOf atom | continue
      if isLogic info.name || isClass (← getEnv) info.name then continue
      for c in info.ctors do
        let conditions ← withoutModifyingState do
          let rule := mkAppN (← mkConstWithFreshMVarLevels c) (arguments.extract 0 info.numParams)
          let (fields, _, conclusion) ← forallMetaTelescope (← inferType rule)
          unless ← isDefEq conclusion atom do return #[]
          fields.filterMapM fun x => do
            let p ← instantiateMVars (← inferType x)
            if p.hasExprMVar || !(← isProp p) then return none
            let p := (p.not?.orElse fun _ => p.ne?.map fun (α, a, b) => mkApp3 (mkConst ``Eq [.succ .zero]) α a b).getD p
            let some n := p.getAppFn.constName? | return none
            return if isOwn (← getEnv) n || p.isForall || known.any (fun q => q == p || q.not?.any (· == p) || q.ne?.any (fun (_, a, b) => p.eq?.any fun (_, c, d) => a == c && b == d)) then none else some p
        for p in conditions do unless all.contains p do all := all.push p
    return all
  let name := nameText (← freshName "hc")
  (found.extract 0 3).mapM fun p => do return s!"by_cases {name} : {(← ppExpr p).pretty 1000}"
where
  /-- The claims under `∨`, `∧` and `∃`, with unknowns for the witnesses. -/
  atomsOf (e : Expr) (fuel : Nat) : MetaM (Array Expr) := do
    match fuel with
    | 0 => return #[]
    | fuel + 1 =>
      let e ← whnfR e
      if e.isAppOfArity ``Or 2 || e.isAppOfArity ``And 2 then
        return (← atomsOf (e.getArg! 0) fuel) ++ (← atomsOf (e.getArg! 1) fuel)
      if e.isAppOfArity ``Exists 2 then
        let x ← mkFreshExprMVar (e.getArg! 0)
        return ← atomsOf (mkApp (e.getArg! 1) x).headBeta fuel
      return #[e]

/-- The arguments of a call that are written, not implicit. -/
def explicitArguments (call : Expr) : MetaM (Array Expr) := do
  let infos ← forallTelescope (← inferType call.getAppFn) fun xs _ => xs.mapM fun x => return (← x.fvarId!.getBinderInfo)
  return (call.getAppArgs.zip infos).filterMap fun (a, info) => if info.isExplicit then some a else none

/-- Inductions along a function that some argument is no variable of: that argument gets a name and an equation. Functions that Lean
   does not unfold, since their recursion is well-founded, are unfolded once in an induction over all smaller numbers. -/
def computedInductions (definitions : NameSet) (target : Expr) : MetaM (Array String) := do
  let mut along := #[]
  let mut below := #[]
  for call in partsThat (fun t => t.isApp && t.getAppFn.constName?.any definitions.contains) target do
    let some f := call.getAppFn.constName? | continue
    if (← inferType call).isForall then continue
    let arguments ← explicitArguments call
    let variables := arguments.filter (·.isFVar)
    if variables.isEmpty || variables.toList.eraseDups.length != variables.size then continue
    if ← variables.anyM fun x => do return !isNamed (← x.fvarId!.getDecl) then continue
    if (← getReducibilityStatus f) == .irreducible then
      for x in variables do
        let d ← x.fvarId!.getDecl
        unless d.type.isConstOf ``Nat do continue
        let others ← (← locals).filterM fun other => do
          return other.fvarId != d.fvarId && target.containsFVar other.fvarId && (← isVarying other)
        let m := nameText d.userName
        below := below.push s!"(induction {m} using Nat.strongRecOn{varyingClause (others.map (·.userName))}; rename_i {m} ih; unfold {← constantText f}; repeat' split)"
    if variables.size == arguments.size then continue
    -- functions without recursion have no induction
    if (← getEnv).find? (f ++ `induct) |>.isNone then unless (← getReducibilityStatus f) == .irreducible do continue
    let mut texts := #[]
    let mut names := #[]
    for a in arguments do
      if a.isFVar then names := names.push (nameText (← a.fvarId!.getUserName))
      else if (← whnf (← inferType a)).isForall || (← inferType a).isSort then names := names.push (← termText a)
      else
        let k := names.size
        texts := texts.push s!"generalize he{k} : {← termText a} = x{k}"
        names := names.push s!"x{k}"
    unless texts.isEmpty do
      along := along.push s!"({"; ".intercalate texts.toList}; fun_induction {← constantText f} {" ".intercalate names.toList})"
  return (below.extract 0 2) ++ (along.extract 0 2)

/-- Some element of a type about which nothing else is known. -/
def anyElement (type : Expr) : MetaM (Array String) := do
  let isKnown (n : Name) : MetaM Bool := do
    try return (← synthInstance? (← mkAppM n #[type])).isSome catch _ => return false
  if ← isKnown ``Inhabited then return #["default"]
  if ← isKnown ``Nonempty then return #["(Classical.choice inferInstance)"]
  return #[]

end Orch.Relational
