import Worker.Relations

/-! Conjectures lemmas that a proof lacks: generalised goals of a failed induction, and laws that the operations of the goal may
   obey. Small values must confirm a conjecture before work on its proof begins. -/

open Lean Meta Elab

namespace Orch.Relational

/-! ### Small values -/

/-- A few values of a type, the smallest first; `known` has elements of types about which nothing is known. -/
partial def valuesOf (known : Array Expr) (type : Expr) (depth : Nat) : MetaM (Array Expr) := do
  let type ← whnf type
  if type.isConstOf ``Nat then return #[mkNatLit 1, mkNatLit 0, mkNatLit 2]
  if type.isConstOf ``Int then return #[← mkNumeral type 1, ← mkNumeral type 0, mkApp (mkConst ``Int.negSucc) (mkNatLit 1)]
  let own ← known.filterM fun x => do isDefEq (← inferType x) type
  if !own.isEmpty then return own
  let .const n levels := type.getAppFn | return #[]
  let some (.inductInfo info) := (← getEnv).find? n | return #[]
  if info.numIndices > 0 || isClass (← getEnv) n then return #[]
  let parameters := type.getAppArgs.extract 0 info.numParams
  let mut all := #[]
  for c in info.ctors do
    let made := mkAppN (mkConst c levels) parameters
    all := all ++ (← filled made (← inferType made) depth)
  return all.extract 0 5
where
  filled (made type : Expr) (depth : Nat) : MetaM (Array Expr) := do
    match ← whnf type with
    | .forallE _ d b _ =>
      if depth == 0 then return #[]
      let mut all := #[]
      let values ← valuesOf known d (depth - 1)
      -- largest first: the constructors already cover the values with few parts
      for v in values.reverse.extract 0 2 do all := all ++ (← filled (mkApp made v) (b.instantiate1 v) depth)
      return all
    | _ => return #[made]

/-- Do small values confirm an equation about all values? -/
def confirms (statement : Expr) : MetaM Bool :=
  forallTelescope statement fun xs body => do
    let some (_, left, right) := body.eq? | return false
    let abstract ← abstractTypes xs
    withElements abstract.toList #[] fun known => do
      let values ← xs.mapM fun x => do
        let type ← inferType x
        if type.isForall then return #[x]
        let found ← valuesOf known type 3
        return if found.isEmpty then #[x] else found
      let strides := #[1, 2, 3, 1, 2]
      for s in [0:10] do
        let chosen := values.mapIdx fun i all => all[(s * strides[i % 5]! + s / (i + 2) + i) % all.size]!
        unless ← withTransparency .default (isDefEq (left.replaceFVars xs chosen) (right.replaceFVars xs chosen)) do return false
      return true
where
  /-- Type variables inside the types of the values. -/
  abstractTypes (xs : Array Expr) : MetaM (Array Expr) := do
    let mut all := #[]
    for x in xs do
      let type ← inferType x
      for d in ← locals do
        if type.containsFVar d.fvarId && d.type.isSort && !all.contains d.toExpr then all := all.push d.toExpr
    return all
  withElements (types : List Expr) (known : Array Expr) (k : Array Expr → MetaM Bool) : MetaM Bool := do
    match types with
    | [] => k known
    | α :: rest => withLocalDeclD `p α fun p => withLocalDeclD `q α fun q => withElements rest (known ++ #[p, q]) k

/-- The same, with a limit on the work. -/
def isConfirmed (statement : Expr) : MetaM Bool := do
  boundedMeta 300 false (confirms statement)

/-! ### Generalising -/

/-- The arguments that are values, not types, instances or proofs. -/
def valueArguments (e : Expr) : MetaM (Array Expr) := do
  e.getAppArgs.filterM fun a => do
    if a.hasLooseBVars then return false
    let type ← inferType a
    if type.isSort || (← isProp type) then return false
    return (← isClass? type).isNone

/-- The largest subexpressions of the left side that also occur on the right. -/
partial def commonParts (left right : Expr) (all : Array Expr) : MetaM (Array Expr) := do
  if left.isFVar || !left.hasFVar || left.isLambda || left.isForall then return all
  if (right.find? (· == left)).isSome then return if all.contains left then all else all.push left
  (← valueArguments left).foldlM (fun all a => commonParts a right all) all

/-- The variables over which a lemma about an expression quantifies: values, not types. -/
def valuesIn (e : Expr) : MetaM (Array Expr) := do
  let found ← (← locals).filterM fun d => do
    if !e.containsFVar d.fvarId then return false
    let type ← instantiateMVars d.type
    if type.isSort || (← isProp type) || (← isClass? type).isSome then return false
    return true
  return found.map (·.toExpr)

/-- The side that a rewriting rule should have on the left: no variable, no constructor. -/
def oriented (left right : Expr) : MetaM (Expr × Expr) := do
  if left.isFVar || (← constructorApp'? left).isSome then return (right, left)
  return (left, right)

partial def nodeCount (e : Expr) : Nat :=
  match e with
  | .app f a => nodeCount f + nodeCount a
  | .lam _ _ b _ | .forallE _ _ b _ => 1 + nodeCount b
  | .mdata _ b => nodeCount b
  | _ => 1

/-- Generalises an equation: common subexpressions become variables, quantified over all values. -/
def generalised (left right : Expr) (parts : Array Expr) : MetaM (Option Expr) := do
  let rec go (parts : List Expr) (left right : Expr) (fresh : Array Expr) : MetaM (Option Expr) := do
    match parts with
    | [] =>
      let (left, right) ← oriented left right
      if left == right || left.isFVar then return none
      let body ← mkEq left right
      let xs := (← valuesIn body)
      let statement ← mkForallFVars xs body
      return if statement.hasExprMVar then none else some statement
    | t :: rest =>
      withLocalDeclD (← freshName "u") (← inferType t) fun u => do
        let abstracted (e : Expr) : Expr := e.replace fun s => if s == t then some u else none
        go rest (abstracted left) (abstracted right) (fresh.push u)
  go parts.toList left right #[]

/-- Statements of which an equation may be an instance, most general first. -/
def generalisations (target : Expr) : MetaM (Array Expr) := do
  let some (_, left, right) := target.eq? | return #[]
  let parts ← commonParts left right #[]
  let calls ← parts.filterM fun t => do return (← constructorApp'? t).isNone
  let choices := if calls.size == parts.size then #[parts, #[]] else #[parts, calls, #[]]
  let all ← choices.filterMapM fun ps => generalised left right ps
  return all.foldl (init := #[]) fun some e => if some.contains e || nodeCount e > 60 then some else some.push e

/-! ### Laws of operations -/

/-- Applications inside an expression that mention no bound variable. -/
def partsOf (e : Expr) : Array Expr := Id.run do
  let mut found := #[]
  let mut rest := [e]
  for _ in [0:1000] do
    match rest with
    | [] => break
    | t :: others =>
      if t.isApp && !t.hasLooseBVars then found := found.push t
      rest := match t with
        | .app f a => f :: a :: others
        | .forallE _ d b _ | .lam _ d b _ => d :: b :: others
        | .mdata _ b => b :: others
        | _ => others
  return found

/-- Where two values differ: below what both apply, down to calls of the preamble's functions. -/
partial def differences (definitions : NameSet) (left right : Expr) : MetaM (Array (Expr × Expr)) := do
  if left == right then return #[]
  let f := left.getAppFn
  unless f.isConst && f == right.getAppFn && left.getAppNumArgs == right.getAppNumArgs && !definitions.contains f.constName! do
    return #[(left, right)]
  let mut all := #[]
  for a in left.getAppArgs, b in right.getAppArgs do
    if a == b then continue
    unless ← isDefEq (← inferType a) (← inferType b) do return #[(left, right)]
    all := all ++ (← differences definitions a b)
  return all

/-- Computed values, such as `m.start`, with which an expression calls functions of the preamble, also inside pairs. -/
partial def seedsOf (definitions : NameSet) (e : Expr) : MetaM (Array Expr) := do
  let mut all := #[]
  for t in partsOf e do
    if t.getAppFn.constName?.any definitions.contains then
      for a in ← valueArguments t do all ← leaves a all
  return all
where
  leaves (a : Expr) (all : Array Expr) : MetaM (Array Expr) := do
    if a.isFVar || !a.hasFVar || all.contains a then return all
    if a.isAppOfArity ``Prod.mk 4 then return ← leaves (a.getArg! 3) (← leaves (a.getArg! 2) all)
    if (← constructorApp'? a).isSome || (← whnf (← inferType a)).isForall then return all
    return all.push a

/-- The expression with variables in place of these values, but only where they are arguments of the preamble's functions. -/
partial def withSeeds (definitions : NameSet) (seeds : Array (Expr × Expr)) (e : Expr) : Expr :=
  e.replace fun t =>
    if t.isApp && t.getAppFn.constName?.any definitions.contains then
      some (mkAppN t.getAppFn (t.getAppArgs.map inArgument))
    else none
where
  inArgument (a : Expr) : Expr :=
    match seeds.find? (·.1 == a) with
    | some (_, x) => x
    | none =>
      let a := withSeeds definitions seeds a
      if a.isAppOfArity ``Prod.mk 4 then mkAppN a.getAppFn (a.getAppArgs.map inArgument) else a

/-- Equations between the parts in which the sides of an equation differ, for all values that the preamble's functions start from. -/
def differencesGeneralised (definitions : NameSet) (target : Expr) : MetaM (Array Expr) := do
  let some (_, left, right) := target.eq? | return #[]
  let pairs ← differences definitions left right
  pairs.extract 0 3 |>.filterMapM fun (left, right) => do
    let whole ← mkEq left right
    let seeds ← seedsOf definitions whole
    if seeds.isEmpty && whole == target then return none
    let rec go (rest : List Expr) (made : Array (Expr × Expr)) : MetaM (Option Expr) := do
      match rest with
      | [] =>
        let (left, right) ← oriented (withSeeds definitions made left) (withSeeds definitions made right)
        let body ← mkEq left right
        unless (← isTypeCorrect body) && !left.isFVar do return none
        let statement ← mkForallFVars (← valuesIn body) body
        return if statement.hasExprMVar || nodeCount statement > 60 then none else some statement
      | t :: rest => withLocalDeclD (← freshName "u") (← inferType t) fun u => go rest (made.push (t, u))
    go seeds.toList #[]

/-- Equations that define the functions of an expression, at the types that it has. -/
def definingEquations (definitions : NameSet) (e : Expr) : MetaM (Array Expr) := do
  let mut all := #[]
  for t in partsOf e do
    let .const n levels := t.getAppFn | continue
    unless definitions.contains n do continue
    let types := t.getAppArgs.takeWhile fun a => a.isFVar || a.isConst || a.isApp
    let parameters ← types.filterM fun a => do return (← inferType a).isSort
    for equation in (← getEqnsFor? n).getD #[] do
      let some info := (← getEnv).find? equation | continue
      if info.levelParams.length != levels.length then continue
      let type ← try instantiateForall (info.type.instantiateLevelParams info.levelParams levels) parameters catch _ => continue
      unless all.contains type do all := all.push type
  return all

/-- Operations `α → α → α` that an expression applies, with types and instances filled in. -/
def operationsIn (definitions : NameSet) (e : Expr) : MetaM (Array Expr) := do
  let here ← go e #[]
  (← definingEquations definitions e).foldlM (init := here) fun all equation =>
    forallTelescope equation fun xs body => do
      return (← go body all).filter fun operation => !xs.any fun x => operation.containsFVar x.fvarId!
where
  go (e : Expr) (before : Array Expr) : MetaM (Array Expr) := do
    let mut all := before
    for t in partsOf e do
      let .const n _ := t.getAppFn | continue
      unless definitions.contains n || n == ``HAdd.hAdd || n == ``HMul.hMul do continue
      let arguments := t.getAppArgs
      let values ← valueArguments t
      if values.size != 2 || arguments.size < 2 then continue
      let operation := mkAppN t.getAppFn (arguments.extract 0 (arguments.size - 2))
      if arguments.extract (arguments.size - 2) arguments.size != values then continue
      let type ← inferType t
      if type.isConstOf ``Nat || type.isConstOf ``Int || all.contains operation then continue
      if ← values.allM fun v => do isDefEq (← inferType v) type then all := all.push operation
    return all

/-- Candidate laws of an operation: its value at constructors on either side, commutativity and associativity. -/
def lawsOf (definitions : NameSet) (operation : Expr) : MetaM (Array Expr) := do
  let .forallE _ α _ _ ← whnfR (← inferType operation) | return #[]
  let type ← whnfR α
  let .const n levels := type.getAppFn | return #[]
  let some (.inductInfo info) := (← getEnv).find? n | return #[]
  if info.numIndices > 0 then return #[]
  let parameters := type.getAppArgs.extract 0 info.numParams
  withLocalDeclD `a α fun a => withLocalDeclD `b α fun b => withLocalDeclD `c α fun c => do
    let op (x y : Expr) : Expr := mkApp2 operation x y
    let close (xs : Array Expr) (l r : Expr) : MetaM Expr := do mkForallFVars xs (← mkEq l r)
    let mut all := #[]
    for name in info.ctors do
      let made := mkAppN (mkConst name levels) parameters
      let laws ← forallTelescope (← inferType made) fun fields _ => do
        let whole := mkAppN made fields
        if fields.isEmpty then
          return #[← close #[a] (op whole a) a, ← close #[a] (op a whole) a, ← close #[a] (op whole a) whole, ← close #[a] (op a whole) whole]
        let recursive ← fields.filterM fun x => do isDefEq (← inferType x) α
        unless recursive.size == 1 do return #[]
        let x := recursive[0]!
        let again (t : Expr) : Expr := whole.replaceFVar x t
        return #[← close (fields.push a) (op whole a) (again (op x a)), ← close (#[a] ++ fields) (op a whole) (again (op a x)),
          ← close (fields.push a) (op whole a) (op a (op x a)), ← close (#[a] ++ fields) (op a whole) (op (op a x) a)]
      all := all ++ laws
    all := all ++ #[← close #[a, b] (op a b) (op b a), ← close #[a, b, c] (op (op a b) c) (op a (op b c))]
    -- for a function of the preamble, unfolding already gives these
    unless definitions.contains operation.getAppFn.constName! do return all
    all.filterM fun law => forallTelescope law fun _ body => do
      let some (_, l, r) := body.eq? | return false
      return !(← isDefEq l r)

/-- The text of a statement, with the types of all numerals and binders. -/
def statementText (e : Expr) : MetaM String := do
  let format ← withOptions (fun o => (o.setBool `pp.numericTypes true).setBool `pp.fullNames true |>.setBool `pp.fieldNotation false) (ppExpr e)
  return format.pretty 1000

end Orch.Relational
