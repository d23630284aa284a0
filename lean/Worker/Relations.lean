import Worker.Derive

/-! How the relational prover reads a goal: which hypotheses are derivations, which rules can have produced them, what can be
   split without a choice, and on what an induction is possible. -/

open Lean Meta Elab

namespace Orch.Relational

/-- A hypothesis about an inductive predicate. -/
structure Derivation where
  declaration : LocalDecl
  info : InductiveVal
  indices : Array Expr
  /-- the number of constructors that can have produced it -/
  possible : Nat
  /-- does some index determine which? -/
  isInformative : Bool

/-- Can a constructor's index (with metavariables) and a term become equal when variables are replaced? -/
partial def mayMatch (pattern term : Expr) (fuel : Nat := 8) : MetaM Bool := do
  match fuel with
  | 0 => return true
  | fuel + 1 =>
  let pattern ← instantiateMVars pattern
  if pattern.getAppFn.isMVar || term.getAppFn.isMVar then return true
  match ← constructorApp'? pattern, ← constructorApp'? term with
  | some (c, arguments), some (d, others) =>
    if c.name != d.name then return false
    for a in arguments.toList.drop c.numParams, b in others.toList.drop d.numParams do
      unless ← mayMatch a b fuel do return false
    return true
  | _, _ => return true

def derivationOf (d : LocalDecl) : MetaM (Option Derivation) := do
  let some (info, arguments) ← predicateOf (← instantiateMVars d.type) | return none
  if isLogic info.name || isClass (← getEnv) info.name then return none
  let indices := arguments.extract info.numParams arguments.size
  let parameters := arguments.extract 0 info.numParams
  let mut possible := 0
  for c in info.ctors do
    let type ← inferType (mkAppN (← mkConstWithFreshMVarLevels c) parameters)
    let (_, _, conclusion) ← forallMetaTelescope type
    let made := conclusion.getAppArgs.extract info.numParams conclusion.getAppNumArgs
    let mut fits := true
    for a in made, b in indices do
      unless ← mayMatch a b do fits := false
    if fits then possible := possible + 1
  let isInformative ← indices.anyM fun i => do return (← constructorApp'? i).isSome
  return some { declaration := d, info, indices, possible, isInformative }

def isNamed (d : LocalDecl) : Bool := !(d.isImplementationDetail || d.userName.hasMacroScopes)

def locals : MetaM (Array LocalDecl) := do
  return (← getLCtx).foldl (init := #[]) fun all d => if d.isImplementationDetail then all else all.push d

def derivations : MetaM (Array Derivation) := do
  let mut all := #[]
  for d in ← locals do
    if ← isProp d.type then
      if let some found ← derivationOf d then all := all.push found
  return all

/-! ### Names -/

def stemOf (d : LocalDecl) : MetaM String := do
  let isProof ← isProp d.type
  let text := match d.userName.eraseMacroScopes with
    | .str _ s => String.ofList (s.toList.filter fun c => c.isAlphanum || c == '_')
    | _ => ""
  if text.endsWith "ih" then return "ih"
  let isPlain := match text.toList with | c :: _ => c.isAlpha | [] => false
  if isProof then return if isPlain && text != "a" && text != "x" then text else "h"
  return if isPlain then text else "x"

/-- A step that names every hypothesis without a usable name. -/
def naming : MetaM (Option String) := do
  let all ← locals
  let lctx ← getLCtx
  let isHidden (d : LocalDecl) : Bool := d.userName.hasMacroScopes ||
    (lctx.findFromUserName? d.userName).any (·.fvarId != d.fvarId)
  let hidden := all.filter isHidden
  if hidden.isEmpty then return none
  let mut used := (all.filter (!isHidden ·)).map (·.userName)
  let mut names := #[]
  for d in hidden do
    let stem ← stemOf d
    let mut name := Name.mkSimple stem
    for k in [1:200] do
      unless used.contains name do break
      name := Name.mkSimple (stem ++ toString k)
    used := used.push name
    names := names.push (nameText name)
  return some ("rename_i " ++ " ".intercalate names.toList)

/-! ### Steps that lose nothing -/

/-- A name for the target's first binder. -/
def introduction (target : Expr) : MetaM (Option String) := do
  let target ← if target.isForall then pure target else whnf target
  let .forallE n d _ _ := target | return none
  let stem := match n.eraseMacroScopes with
    | .str .anonymous s => if s.all Char.isAlphanum && s != "a" && !n.hasMacroScopes then s else ""
    | _ => ""
  let isProof ← isProp d
  let stem := if stem != "" then stem else if isProof then "h" else "x"
  return some ("intro " ++ nameText (← freshName stem))

/-- Alternative texts for one hypothesis; the first that works is used. `most`: the number of goals it may leave. -/
structure Safe where
  texts : List String
  most : Nat
  /-- texts to try if those fail, which may leave one goal -/
  others : List String := []

/-- The text of a term, with its type if Lean would otherwise read a different term. -/
def termText (e : Expr) : MetaM String := do
  let plain := (← ppExpr e).pretty 1000
  let isRead ← boundedMeta 200 false <| withoutModifyingState do
    match Parser.runParserCategory (← getEnv) `term plain with
    | .error _ => return false
    | .ok stx =>
      let value ← (Term.withoutErrToSorry (Term.elabTermAndSynthesize stx none)).run'
      return (← instantiateMVars value) == e
  if isRead then return plain
  return s!"({plain} : {(← ppExpr (← inferType e)).pretty 1000})"

/-- `cases` cannot handle an index that computes: generalise it to a variable and keep an equation. -/
def overIndices (found : Derivation) : MetaM (List String) := do
  let h := nameText found.declaration.userName
  let mut texts := #[]
  for i in found.indices, k in [0:found.indices.size] do
    if i.isFVar || (← constructorApp'? i).isSome then continue
    texts := texts.push s!"generalize e{k} : {← termText i} = i{k} at {h}"
  return if texts.isEmpty then [] else ["(" ++ "; ".intercalate (texts.push ("cases " ++ h)).toList ++ ")"]

/-- The same for each index that a constructor may compute: then `cases` does not get stuck at it. -/
def overEach (found : Derivation) : MetaM (List String) := do
  let h := nameText found.declaration.userName
  let mut texts := []
  for i in found.indices, k in [0:found.indices.size] do
    if i.isFVar then continue
    texts := s!"(generalize e{k} : {← termText i} = i{k} at {h}; cases {h})" :: texts
  return texts.reverse

def isOwnStructure (type : Expr) : MetaM Bool := do
  let .const n _ := type.getAppFn | return false
  unless isStructure (← getEnv) n do return false
  if isClass (← getEnv) n then return false
  return n == ``Prod || n == ``Sigma || n == ``Subtype || n == ``PSigma || isOwn (← getEnv) n

/-- Names for what nested pairs and witnesses consist of. -/
partial def componentNames (type : Expr) (stem : String) (used : List Name) : MetaM (List Name) := do
  let type ← whnfR type
  if type.isAppOfArity ``And 2 then
    let n ← freshName stem used
    return n :: (← componentNames (type.getArg! 1) stem (n :: used))
  if type.isAppOfArity ``Exists 2 then
    let binder := match type.getArg! 1 with
      | .lam n _ _ _ => n.eraseMacroScopes
      | _ => `x
    let x := match binder with
      | .str .anonymous s => if s.all Char.isAlphanum then s else "x"
      | _ => "x"
    let n ← freshName x used
    return ← withLocalDeclD n (type.getArg! 0) fun v => do
      return n :: (← componentNames (mkApp (type.getArg! 1) v).headBeta ("h" ++ x) (n :: used))
  return [← freshName stem used]

def safeFor (d : LocalDecl) : MetaM (Option Safe) := do
  let h := nameText d.userName
  let type ← whnfR (← instantiateMVars d.type)
  unless ← isProp type do return none
  if type.isConstOf ``False then return some ⟨["cases " ++ h], 0, []⟩
  if let some (_, a, b) := type.eq? then
    if a == b then return some ⟨["clear " ++ h], 1, []⟩
    let isFree (x t : Expr) : Bool := x.isFVar && !t.containsFVar x.fvarId!
    if isFree a b || isFree b a then return some ⟨["subst " ++ h, "cases " ++ h], 1, []⟩
    if (← constructorApp'? a).isSome && (← constructorApp'? b).isSome then
      return some ⟨["cases " ++ h, "injection " ++ h, "simp at " ++ h], 1, []⟩
    -- nothing is a part of itself
    let isInside (x t : Expr) : MetaM Bool := do return x.isFVar && t.containsFVar x.fvarId! && (← constructorApp'? t).isSome
    if (← isInside a b) || (← isInside b a) then return some ⟨["cases " ++ h], 0, []⟩
    return none
  if type.isAppOf ``HEq then return some ⟨["cases " ++ h], 1, []⟩
  if type.isAppOfArity ``And 2 || type.isAppOfArity ``Exists 2 then
    return some ⟨[s!"obtain ⟨{", ".intercalate ((← componentNames type h []).map nameText)}⟩ := {h}"], 1, []⟩
  if let some found ← derivationOf d then
    if found.possible == 0 then return some ⟨["cases " ++ h, "nomatch " ++ h], 0, ← overEach found⟩
    if found.possible == 1 && found.isInformative then
      return some ⟨("cases " ++ h) :: (← overIndices found), 1, ← overEach found⟩
  return none

/-- The next step that loses nothing, among all hypotheses. -/
def safeSteps : MetaM (List Safe) := do
  let mut all := []
  for d in ← locals do
    if isNamed d then
      if let some safe ← safeFor d then all := safe :: all
  return all.reverse

/-! ### Choices -/

def isVarying (d : LocalDecl) : MetaM Bool := do
  if !isNamed d || d.value?.isSome then return false
  let type ← whnfR (← instantiateMVars d.type)
  if type.isSort || (← isProp type) || (← isClass? type).isSome then return false
  forallTelescopeReducing type fun _ body => do return !body.isSort

def varyingClause (names : Array Name) : String :=
  if names.isEmpty then "" else " generalizing " ++ " ".intercalate (names.map nameText).toList

/-- Inductions on each derivation, first with everything else generalised, then with nothing generalised. Indices that are not
   variables become equations. -/
def derivationInductions : MetaM (Array String) := do
  let mut strong := #[]
  let mut plain := #[]
  for found in ← derivations do
    let d := found.declaration
    unless isNamed d && found.info.isRec do continue
    let h := nameText d.userName
    let some (_, arguments) ← predicateOf (← instantiateMVars d.type) | continue
    let parameters := arguments.extract 0 found.info.numParams
    let mut seen := #[]
    let mut texts := #[]
    for i in found.indices, k in [0:found.indices.size] do
      if i.isFVar && !seen.contains i && !parameters.any (·.containsFVar i.fvarId!) then seen := seen.push i
      else texts := texts.push s!"generalize e{k} : {← termText i} = i{k} at {h}"
    let mut others := #[]
    for other in ← locals do
      if seen.contains other.toExpr || parameters.any (·.containsFVar other.fvarId) then continue
      if ← isVarying other then others := others.push other.userName
    let whole (names : Array Name) : String :=
      let last := "induction " ++ h ++ varyingClause names
      if texts.isEmpty then last else "(" ++ "; ".intercalate (texts.push last).toList ++ ")"
    strong := strong.push (whole others)
    unless others.isEmpty do plain := plain.push (whole #[])
  return strong ++ plain

/-- The inductive type of a value that may be split. -/
def dataType? (type : Expr) : MetaM (Option InductiveVal) := do
  let type ← whnfR (← instantiateMVars type)
  let .const n _ := type.getAppFn | return none
  let some (.inductInfo info) := (← getEnv).find? n | return none
  if info.numIndices > 0 || (← isProp type) || isClass (← getEnv) n then return none
  -- library types are not split: their structure is an implementation detail
  if !isOwn (← getEnv) n && ![``Nat, ``List, ``Option, ``Bool, ``Sum, ``Int].contains n then return none
  return some info

def dataTypeOf (d : LocalDecl) : MetaM (Option InductiveVal) := dataType? d.type

/-- Inductions on each value of a recursive type. -/
def valueInductions : MetaM (Array String) := do
  let mut strong := #[]
  let mut plain := #[]
  for d in ← locals do
    unless isNamed d && d.value?.isNone do continue
    let some info ← dataTypeOf d | continue
    unless info.isRec do continue
    let mut others := #[]
    for other in ← locals do
      if other.fvarId == d.fvarId || (← instantiateMVars d.type).containsFVar other.fvarId then continue
      if ← isVarying other then others := others.push other.userName
    let name := nameText d.userName
    strong := strong.push ("induction " ++ name ++ varyingClause others)
    unless others.isEmpty do plain := plain.push ("induction " ++ name)
  return plain ++ strong

/-- Inductions along a function of the preamble that is applied to variables. -/
def functionInductions (definitions : NameSet) (target : Expr) : MetaM (Array String) := do
  let mut texts := #[]
  for e in #[target] ++ (← (← locals).mapM fun d => instantiateMVars d.type) do
    let calls := e.foldConsts (init := #[]) fun n all => if definitions.contains n then all.push n else all
    for n in calls do
      let found := e.find? fun t => t.isAppOf n && t.getAppNumArgs > 0 && t.getAppArgs.all (fun a => a.isFVar || !a.hasLooseBVars) &&
        t.getAppArgs.back?.any (·.isFVar)
      if let some t := found then
        let explicit ← explicitArguments t
        if explicit.all (·.isFVar) then
          let names ← explicit.mapM fun a => do return nameText (← a.fvarId!.getUserName)
          texts := texts.push ("fun_induction " ++ (← constantText n) ++ " " ++ " ".intercalate names.toList)
  return texts.toList.eraseDups.toArray
where
  explicitArguments (t : Expr) : MetaM (Array Expr) := do
    let infos ← forallTelescope (← inferType t.getAppFn) fun xs _ => xs.mapM fun x => return (← x.fvarId!.getBinderInfo)
    return (t.getAppArgs.zip infos).filterMap fun (a, info) => if info.isExplicit then some a else none

/-- Splits a sum into its non-literal terms and its literal part. -/
partial def sumOf (e : Expr) : Array Expr × Nat :=
  match e.nat? with
  | some k => (#[], k)
  | none =>
    if e.isAppOfArity ``HAdd.hAdd 6 && (e.getArg! 0).isConstOf ``Nat then
      let (left, j) := sumOf (e.getArg! 4)
      let (right, k) := sumOf (e.getArg! 5)
      (left ++ right, j + k)
    else (#[e], 0)

/-- Indices in the form that constructors have: `n + 2 + m` is `n + m + 2`, and lists are joined to the right. -/
def rewrites (target : Expr) : MetaM (Array String) := do
  let mut texts := #[]
  let named ← (← locals).filterM fun d => do return isNamed d && (← isProp d.type)
  let places ← named.mapM fun d => do return (← instantiateMVars d.type, " at " ++ nameText d.userName)
  for (type, place) in #[(target, "")] ++ places do
    let some (info, arguments) ← predicateOf type | continue
    if isLogic info.name then continue
    for i in arguments.extract info.numParams arguments.size do
      if (i.find? fun t => t.isAppOfArity ``HAppend.hAppend 6).isSome then
        texts := texts.push s!"simp only [List.append_assoc, List.nil_append, List.append_nil, List.cons_append]{place}"
      let (terms, k) := sumOf i
      if k == 0 || terms.size < 2 then continue
      let sum ← terms.toList.drop 1 |>.foldlM (fun all t => mkAdd all t) terms[0]!
      let normal ← mkAdd sum (mkNatLit k)
      unless i.isAppOfArity ``HAdd.hAdd 6 && (i.getArg! 5).nat? == some k do
        texts := texts.push s!"rw [show {(← ppExpr i).pretty 1000} = {(← ppExpr normal).pretty 1000} by omega]{place}"
  return texts

/-- Small terms of the right type for the witness of an existential target. -/
def witnesses (target : Expr) : MetaM (Array String) := do
  unless target.isAppOfArity ``Exists 2 do return #[]
  let wanted := target.getArg! 0
  let values ← (← locals).filterM fun d => do return isNamed d && !(← isProp d.type) && (← isDefEq d.type wanted)
  let names := values.map fun d => nameText d.userName
  let made ← if wanted.isConstOf ``Nat then pure (#["0", "1"] ++ names.map (· ++ " + 1")) else do
    let .const n _ := (← whnfR wanted).getAppFn | pure #[]
    let some (.inductInfo info) := (← getEnv).find? n | pure #[]
    let applied ← info.ctors.toArray.filterMapM fun c => do
      let some (.ctorInfo made) := (← getEnv).find? c | return none
      if made.numFields > 2 || !isWritable c then return none
      return some (← constantText c, made.numFields)
    pure <| applied.flatMap fun (c, fields) =>
      if fields == 0 then #[c] else if fields == 1 then names.map fun x => s!"({c} {x})"
      else names.flatMap fun x => names.map fun y => s!"({c} {x} {y})"
  return ((names ++ made).extract 0 8).map fun text => s!"refine ⟨{text}, ?_⟩"

/-- The argument positions of predicates at which a premise of some rule has a constructor: the term there decides which rule
   applies. -/
def decidingPlaces (predicates : Array Name) : MetaM (Array (Name × Nat)) := do
  let env ← getEnv
  let mut all := #[]
  for p in predicates do
    let some (.inductInfo info) := env.find? p | continue
    for c in info.ctors do
      let some made := env.find? c | continue
      let found ← forallTelescope made.type fun fields _ => do
        let mut here := #[]
        for x in fields do
          let type ← inferType x
          let .const q _ := type.getAppFn | continue
          let some (.inductInfo premise) := env.find? q | continue
          if isLogic q || !(← isProp type) then continue
          for a in type.getAppArgs, k in [0:type.getAppNumArgs] do
            if k ≥ premise.numParams && (← constructorApp'? a).isSome then here := here.push (q, k)
        return here
      all := all ++ found
  return all

/-- Splits of the terms at these positions: a variable, or a computation that gets a name. -/
def decidingSplits (target : Expr) : MetaM (Array String) := do
  let known ← derivations
  let mentioned := target.getUsedConstants.filter fun n => !isLogic n
  let places ← decidingPlaces ((known.map (·.info.name)) ++ mentioned).toList.eraseDups.toArray
  let mut all := #[]
  for found in known do
    for i in found.indices, k in [0:found.indices.size] do
      unless places.contains (found.info.name, found.info.numParams + k) do continue
      if (← constructorApp'? i).isSome then continue
      let some info ← dataType? (← inferType i) | continue
      if info.numCtors < 2 then continue
      if i.isFVar then
        if !(← i.fvarId!.getUserName).hasMacroScopes then all := all.push ("cases " ++ nameText (← i.fvarId!.getUserName))
      else
        let v := nameText (← freshName "v")
        all := all.push (s!"(generalize {nameText (← freshName "hv")} : {← termText i} = {v} at *; cases {v})")
  return all

/-- Hypotheses and values to split on, those with the most informative index first: an inversion that leaves few cases is better
   than a split of the term that decides between the rules. -/
def splits (target : Expr) : MetaM (Array String) := do
  let mut first := #[]
  let mut second := #[]
  let mut third := #[]
  for found in ← derivations do
    unless isNamed found.declaration do continue
    let plain := "cases " ++ nameText found.declaration.userName
    let text := (← overIndices found).headD plain
    if found.isInformative then first := first.push (2 * found.possible, text)
    else if found.info.isRec then third := third.push text else second := second.push text
  for text in ← decidingSplits target do first := first.push (7, text)
  for d in ← locals do
    unless isNamed d && d.value?.isNone do continue
    let h := nameText d.userName
    if (← whnfR (← instantiateMVars d.type)).isAppOf ``Or then first := first.push (3, s!"rcases {h} with {h} | {h}")
    let text := "cases " ++ h
    if ← isOwnStructure (← whnfR (← instantiateMVars d.type)) then second := second.push text
    let some info ← dataTypeOf d | continue
    if info.numCtors < 2 then continue
    if target.containsFVar d.fvarId && !info.isRec then second := second.push text else third := third.push text
  let mut condition := if ← isConditional target then #["split"] else #[]
  for d in ← locals do
    if isNamed d && (← isConditional (← instantiateMVars d.type)) then condition := condition.push ("split at " ++ nameText d.userName)
  let ordered := (first.mapIdx fun k (rank, text) => (rank, k, text)).qsort fun (i, j, _) (k, l, _) => i < k || (i == k && j < l)
  let all := ordered.map (·.2.2) ++ condition ++ second ++ third
  return all.toList.eraseDups.toArray

end Orch.Relational
