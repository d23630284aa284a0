import Worker.Moves

/-! The operation `refute`: small closed values of a goal's variables at which it is false. The result is a proposal that the host
   has judged. -/

open Lean Meta Elab

namespace Orch.Relational

/-- How many values of a type are tried: the few smallest, one variable after the other, or many, drawn at random. -/
structure Width where
  values : Nat
  /-- values of a constructor's field, and of a field with the constructor's own type -/
  fields : Nat
  ownFields : Nat
  isWide : Bool

def narrow : Width := ⟨10, 2, 3, false⟩

def wide : Width := ⟨40, 4, 6, true⟩

/-- Lists that differ in length, order and repetition. -/
def listsOf (element : Expr) (values : Array Expr) (width : Width) : MetaM (Array Expr) := do
  let few ← match values.toList with
    | [] => pure [[]]
    | [a] => pure [[], [a], [a, a]]
    | a :: b :: rest => pure ([[], [a], [b], [a, b], [b, a], [b, b]] ++ (rest.take 1).map fun c => [b, c])
  let size := values.size
  let value (k : Nat) : Expr := values[k % size]!
  let places := if width.isWide && size > 1 then List.range size else []
  let more := places.map (fun k => [value k]) ++ places.map (fun k => [value k, value (7 * k + 3)]) ++
    places.map fun k => [value (5 * k + 1), value k, value (3 * k + 2)]
  (few ++ more).toArray.mapM fun all => mkListLit element all

/-- A proof of a closed proposition by computation. -/
def proofsOf (claim : Expr) : MetaM (Array Expr) := do
  let found ← try
      let decidable ← synthInstance (mkApp (mkConst ``Decidable) claim)
      let value ← whnfD (mkApp2 (mkConst ``Decidable.decide) claim decidable)
      if value.isConstOf ``true then pure (some (← mkDecideProof claim)) else pure none
    catch _ => pure none
  return found.toArray

/-- Small closed values of a closed type, the smallest first; none if it is not built by constructors. -/
partial def smallValues (type : Expr) (depth : Nat) (width : Width := narrow) : MetaM (Array Expr) := do
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
    let values ← smallValues codomain depth width
    return same ++ (values.extract 0 2).map fun v => .lam n domain v .default
  | _ => pure ()
  let .const n levels := type.getAppFn | return #[]
  if n == ``Nat then return ← numerals (["0", "1", "2", "3"] ++ if width.isWide then ["4", "5", "7", "10"] else [])
  if n == ``Int then return ← numerals (["0", "1", "-1", "2"] ++ if width.isWide then ["-2", "3", "-5", "7"] else [])
  if n == ``Char then return ← numerals ["'a'", "'b'"]
  if n == ``String then return ← numerals ["\"\"", "\"a\"", "\"ab\""]
  if n == ``Fin then
    let some bound := (← whnf type.appArg!).nat? <|> (← whnf type.appArg!).rawNatLit? | return #[]
    return ← numerals ((List.range (min bound 4)).map toString)
  if n == ``List then
    let elements ← smallValues type.appArg! depth width
    return ← listsOf type.appArg! elements width
  let some (.inductInfo info) := (← getEnv).find? n | return #[]
  if info.numIndices > 0 || depth == 0 || (← isProp type) then return #[]
  let parameters := type.getAppArgs.extract 0 info.numParams
  let mut all := #[]
  for c in info.ctors do
    let made := mkAppN (mkConst c levels) parameters
    all := all ++ (← filled type made (← inferType made) depth)
  return all.extract 0 width.values
where
  filled (own made type : Expr) (depth : Nat) : MetaM (Array Expr) := do
    match ← whnf type with
    | .forallE _ d b _ =>
      let values ← if ← isProp d then proofsOf d else do
        let all ← smallValues d (depth - 1) width
        pure (all.extract 0 (if d == own then width.ownFields else width.fields))
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
def systematicHeartbeats : Nat := 400

/-! ### Instances drawn at random -/

/-- A statement whose instances Lean can decide: its variables with their values, and the decision as a function of them. -/
structure Decided where
  fixed : Array (Name × Expr)
  variables : Array (Name × Array Expr)
  claim : Expr
  decision : Expr

/-- Types take their first value; `none` if a type depends on a value, or if the claim cannot be decided. -/
partial def decided? (type : Expr) (fixed : Array (Name × Expr) := #[]) (variables : Array (Name × Expr × Array Expr) := #[])
    (premises : Array Expr := #[]) : MetaM (Option Decided) := do
  match type with
  | .mdata _ b => decided? b fixed variables premises
  | .forallE n d b info =>
    if info.isInstImplicit || (← isClass? d).isSome then
      let some found ← synthInstance? d | return none
      decided? (b.instantiate1 found) fixed variables premises
    else if (← isProp d) then
      withLocalDecl n info d fun h => decided? (b.instantiate1 h) fixed variables (premises.push h)
    else
      if d.hasFVar then return none
      let values ← smallValues d 3 wide
      let some first := values[0]? | return none
      if (← whnf d).isSort then return ← decided? (b.instantiate1 first) (fixed.push (n, first)) variables premises
      withLocalDecl n info d fun x => decided? (b.instantiate1 x) fixed (variables.push (n, x, values)) premises
  | body =>
    let claim ← mkForallFVars premises body
    let some decidable ← synthInstance? (mkApp (mkConst ``Decidable) claim) | return none
    let xs := variables.map (·.2.1)
    return some {
      fixed, variables := variables.map fun (n, _, values) => (n, values)
      claim := ← mkLambdaFVars xs claim, decision := ← mkLambdaFVars xs (mkApp2 (mkConst ``Decidable.decide) claim decidable) }

def mostDraws : Nat := 200
def drawHeartbeats : Nat := 100
def drawsHeartbeats : Nat := 400

/-- Finds values at which the statement is false by computation, and makes each variable's value as small as it can be while the
   others stay. The draws are the same each time. -/
def draw (statement : Expr) (found : IO.Ref (Option (Array (Name × Expr) × Expr))) : TermElabM Unit := do
  let some { fixed, variables, claim, decision } ← decided? statement | return
  if variables.isEmpty then return
  let isFalse (values : Array Expr) : TermElabM Bool := do
    let answer ← bounded drawHeartbeats (mkConst ``true) (do whnfD (decision.beta values))
    unless answer.isConstOf ``false do return false
    found.set (some (fixed ++ (variables.zip values).map fun ((n, _), v) => (n, v), claim.beta values))
    return true
  let mut seed := 1
  for _ in [0:mostDraws] do
    let mut values := #[]
    for (_, all) in variables do
      seed := (seed * 1103515245 + 12345) % 2147483648
      values := values.push all[(seed / 65536) % all.size]!
    unless ← isFalse values do continue
    for (_, all) in variables, k in [0:variables.size] do
      for v in all do
        if v == values[k]! then break
        if ← isFalse (values.set! k v) then
          values := values.set! k v
          break
    return

/-- A goal's statement: its universes are the first. -/
def refuteAt (falsify : String) (goal : MVarId) : TermElabM Fields := do
  let whole ← closedGoal goal
  let untried ← untriedIn whole
  unless untried.isEmpty do return [("untried", Json.arr (untried.map Json.str))]
  let levels := (collectLevelParams {} whole).params.toList
  let statement := whole.instantiateLevelParams levels (levels.map fun _ => .zero)
  let tried ← IO.mkRef 0
  let found ← IO.mkRef (none : Option (Array (Name × Expr)))
  let isFalse (claim : Expr) : TermElabM Bool := do
    let disproof ← mkFreshExprMVar (mkNot claim)
    return (← runText disproof.mvarId! falsify instanceHeartbeats) matches some []
  bounded systematicHeartbeats () do
    for rank in [0:mostRank] do
      let isFound ← valuations statement rank {} fun so claim => do
        if (← tried.get) ≥ mostInstances then return false
        tried.modify (· + 1)
        if !(← isFalse claim) then return false
        found.set (some so.values)
        return true
      if isFound then break
  if (← found.get).isNone then
    let drawn ← IO.mkRef none
    bounded drawsHeartbeats () (draw statement drawn)
    if let some (values, claim) ← drawn.get then
      if ← isFalse claim then found.set (some values)
  let some values ← found.get | return []
  let texts ← withOptions (·.setBool `pp.proofs true) <| values.mapM fun (n, v) => do return Json.arr #[Json.str (nameText n.eraseMacroScopes), Json.str (← termText v)]
  return [("values", Json.arr texts)]

end Orch.Relational

namespace Orch

/-- A counterexample to the first goal of a state. -/
def opRefute (w : Worker) (j : Json) : IO Answer :=
  atFirstGoal w j fun _ goal => Relational.refuteAt (getText j "falsify" "decide") goal

end Orch
