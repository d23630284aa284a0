import Worker.Moves

/-! The operation `refute`: small closed values of a goal's variables at which it is false. The result is a proposal that the host
   has judged. -/

open Lean Meta Elab

namespace Orch.Relational

/-- A few lists that differ in length, order and repetition. -/
def listsOf (element : Expr) (values : Array Expr) : MetaM (Array Expr) := do
  let made ← match values.toList with
    | [] => pure [[]]
    | [a] => pure [[], [a], [a, a]]
    | a :: b :: rest => pure ([[], [a], [b], [a, b], [b, a], [b, b]] ++ (rest.take 1).map fun c => [b, c])
  made.toArray.mapM fun all => mkListLit element all

def mostValues : Nat := 10

/-- A proof of a closed proposition by computation. -/
def proofsOf (claim : Expr) : MetaM (Array Expr) := do
  let found ← try
      let decidable ← synthInstance (mkApp (mkConst ``Decidable) claim)
      let value ← whnfD (mkApp2 (mkConst ``Decidable.decide) claim decidable)
      if value.isConstOf ``true then pure (some (← mkDecideProof claim)) else pure none
    catch _ => pure none
  return found.toArray

/-- Small closed values of a closed type, the smallest first; none if it is not built by constructors. -/
partial def smallValues (type : Expr) (depth : Nat) : MetaM (Array Expr) := do
  let type ← whnf type
  let numerals (all : List String) : MetaM (Array Expr) := all.toArray.filterMapM fun text => do
    match Parser.runParserCategory (← getEnv) `term text with
    | .error _ => return none
    | .ok stx => return some (← instantiateMVars (← (Term.elabTermEnsuringType stx type).run'))
  match type with
  | .sort .zero => return #[mkConst ``True, mkConst ``False]
  | .sort (.succ _) => return #[mkConst ``Nat]
  | .forallE n domain codomain _ =>
    if codomain.hasLooseBVars then return #[]
    let same := if domain == codomain then #[.lam n domain (.bvar 0) .default] else #[]
    let values ← smallValues codomain depth
    return same ++ (values.extract 0 2).map fun v => .lam n domain v .default
  | _ => pure ()
  let .const n levels := type.getAppFn | return #[]
  if n == ``Nat then return ← numerals ["0", "1", "2", "3"]
  if n == ``Int then return ← numerals ["0", "1", "-1", "2"]
  if n == ``Char then return ← numerals ["'a'", "'b'"]
  if n == ``String then return ← numerals ["\"\"", "\"a\"", "\"ab\""]
  if n == ``Fin then
    let some bound := (← whnf type.appArg!).nat? <|> (← whnf type.appArg!).rawNatLit? | return #[]
    return ← numerals ((List.range (min bound 4)).map toString)
  if n == ``List then
    let elements ← smallValues type.appArg! depth
    return ← listsOf type.appArg! elements
  let some (.inductInfo info) := (← getEnv).find? n | return #[]
  if info.numIndices > 0 || depth == 0 || (← isProp type) then return #[]
  let parameters := type.getAppArgs.extract 0 info.numParams
  let mut all := #[]
  for c in info.ctors do
    let made := mkAppN (mkConst c levels) parameters
    all := all ++ (← filled type made (← inferType made) depth)
  return all.extract 0 mostValues
where
  filled (own made type : Expr) (depth : Nat) : MetaM (Array Expr) := do
    match ← whnf type with
    | .forallE _ d b _ =>
      let values ← if ← isProp d then proofsOf d else do
        let all ← smallValues d (depth - 1)
        pure (all.extract 0 (if d == own then 3 else 2))
      values.flatMapM fun v => filled own (mkApp made v) (b.instantiate1 v) depth
    | _ => return #[made]

structure Refutation where
  /-- the values so far: name and value -/
  values : Array (Name × Expr) := #[]
  premises : Array Expr := #[]

/-- Continue with the values of every variable whose places add up to `rank`. -/
partial def valuations (type : Expr) (rank : Nat) (so : Refutation) (k : Refutation → Expr → TermElabM Bool) : TermElabM Bool := do
  match type with
  | .mdata _ b => valuations b rank so k
  | .forallE n d b info =>
    if info.isInstImplicit || (← isClass? d).isSome then
      let some found ← synthInstance? d | return false
      valuations (b.instantiate1 found) rank so k
    else if (← isProp d) then
      withLocalDecl n info d fun h => valuations (b.instantiate1 h) rank { so with premises := so.premises.push h } k
    else
      let values ← smallValues d 3
      for v in values, place in [0:rank + 1] do
        if ← valuations (b.instantiate1 v) (rank - place) { so with values := so.values.push (n, v) } k then return true
      return false
  | body => if rank == 0 then k so (← mkForallFVars so.premises body) else return false

/-- Variables of types that have no small values. -/
partial def untriedIn (type : Expr) : MetaM (Array String) := do
  match type with
  | .mdata _ b => untriedIn b
  | .forallE n d b info =>
    withLocalDecl n info d fun x => do
      let rest ← untriedIn (b.instantiate1 x)
      if info.isInstImplicit || (← isProp d) || (← isClass? d).isSome || (← isTried d) then return rest
      return #[s!"{nameText n} : {(← ppExpr d).pretty 1000}"] ++ rest
  | _ => return #[]
where
  isTried (type : Expr) : MetaM Bool := do
    match ← whnf type with
    | .sort l => return l.isZero || l.dec.isSome
    | .fvar x => return !((← x.getType) matches .sort (.param _))
    | .forallE _ _ b _ => if b.hasLooseBVars then return false else isTried b
    | t =>
      match t.getAppFn with
      | .const n _ => match (← getEnv).find? n with
        | some (.inductInfo info) => return info.numIndices == 0
        | _ => return n == ``Char || n == ``String
      | _ => return false

def mostRank : Nat := 6
def mostInstances : Nat := 64
def instanceHeartbeats : Nat := 400

/-- A goal's statement: its universes are the first. -/
def refuteAt (falsify : String) (goal : MVarId) : TermElabM Fields := do
  let whole ← closedGoal goal
  let untried ← untriedIn whole
  unless untried.isEmpty do return [("untried", Json.arr (untried.map Json.str))]
  let levels := (collectLevelParams {} whole).params.toList
  let statement := whole.instantiateLevelParams levels (levels.map fun _ => .zero)
  let tried ← IO.mkRef 0
  let found ← IO.mkRef (none : Option (Array (Name × Expr)))
  for rank in [0:mostRank] do
    let isFound ← valuations statement rank {} fun so claim => do
      if (← tried.get) ≥ mostInstances then return false
      tried.modify (· + 1)
      let disproof ← mkFreshExprMVar (mkNot claim)
      let isFalse := (← runText disproof.mvarId! falsify instanceHeartbeats) matches some []
      if isFalse then found.set (some so.values)
      return isFalse
    if isFound then break
  let some values ← found.get | return []
  let texts ← withOptions (·.setBool `pp.proofs true) <| values.mapM fun (n, v) => do return Json.arr #[Json.str (nameText n.eraseMacroScopes), Json.str (← termText v)]
  return [("values", Json.arr texts)]

end Orch.Relational

namespace Orch

/-- A counterexample to the first goal of a state. -/
def opRefute (w : Worker) (j : Json) : IO Answer :=
  atFirstGoal w j fun _ goal => Relational.refuteAt (getText j "falsify" "decide") goal

end Orch
