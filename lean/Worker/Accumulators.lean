import Worker.Conjecture

/-! Laws of functions with accumulators. A call with a constant in such a place, `go xs []`, is known for this constant only; an
   induction needs it for every value. Two forms are conjectured from the call alone: `go xs a = a ⊕ go xs []`, where the constant
   is neutral for `⊕`, and, for a loop that carries values of the function that it computes, `go n (f k) (f (k + 1)) = f (n + k)`.
   Small values must confirm them. -/

open Lean Meta Elab

namespace Orch.Relational

/-- A law as a statement, with the places at which the goal needs it: for each variable `none`, or the constant. -/
structure Law where
  statement : Expr
  text : String
  /-- terms to apply it to, if tactics would not find them -/
  at? : Option String := none

/-- The library's own loops. -/
def folds : List Name := [``List.foldl, ``List.reverseAux, ``Array.foldl]

/-- Arguments that are constants or variables, by position; a function or an instance stays as it is. -/
inductive Place where
  | constant | value | fixed
  deriving BEq, Inhabited

def placesOf (call : Expr) : MetaM (Array Place) :=
  call.getAppArgs.mapM fun a => do
    if a.hasLooseBVars || a.hasMVar then return Place.fixed
    let type ← whnf (← inferType a)
    if type.isSort || type.isForall || (← isProp type) || (← isClass? type).isSome then return Place.fixed
    return if a.hasFVar then Place.value else Place.constant

/-- Calls that have a constant where the function takes a value, and another value to recurse on. -/
def callsWithConstant (definitions : NameSet) (e : Expr) : MetaM (Array (Expr × Array Place)) := do
  let mut all := #[]
  for t in partsOf e do
    let .const n _ := t.getAppFn | continue
    unless definitions.contains n || folds.contains n do continue
    if all.any (·.1 == t) || all.size ≥ 3 then continue
    if (← inferType t).isForall then continue
    let places ← placesOf t
    if places.contains Place.constant && places.contains Place.value then all := all.push (t, places)
  return all

/-- Two values joined by an operation of the library, as far as their type has it, or by a function that the call's equations use. -/
def joinedBy (definitions : NameSet) (call a b : Expr) : MetaM (Array Expr) := do
  let mut all := #[]
  for n in [``HAdd.hAdd, ``HAppend.hAppend, ``HMul.hMul, ``max, ``and, ``or, ``xor] do
    for (x, y) in [(a, b), (b, a)] do
      let some made ← (try return some (← mkAppM n #[x, y]) catch e => if e.isInterrupt then throw e else return none) | continue
      if ← isDefEq (← inferType made) (← inferType a) then all := all.push made
  for operation in ← operationsIn definitions call do
    for (x, y) in [(a, b), (b, a)] do
      let made := mkApp2 operation x y
      if ← isTypeCorrect made then
        if ← isDefEq (← inferType made) (← inferType a) then all := all.push made
  return all

/-- A statement in which the context's functions into data are constant functions, since small values of a function are not known. -/
def withoutFunctions (statement : Expr) : MetaM (Array Expr) := do
  let mut all := #[statement]
  for d in ← locals do
    unless statement.containsFVar d.fvarId do continue
    let type ← whnf (← instantiateMVars d.type)
    unless type.isForall do continue
    let values ← forallTelescope type fun xs body => do
      if body.isSort || xs.any (fun x => body.containsFVar x.fvarId!) then return #[]
      (← valuesOf #[] body 2).mapM fun v => mkLambdaFVars xs v
    if values.isEmpty then continue
    all := all.flatMap fun e => (values.extract 0 2).map fun v => (e.replaceFVar d.toExpr v).headBeta
  return all.extract 0 4

def isConfirmedLaw (statement : Expr) : MetaM Bool := do
  (← withoutFunctions statement).allM fun e => do isConfirmed (← Core.betaReduce e)

/-- `go xs a = a ⊕ go xs []` for the constants of a call, one at a time. -/
def accumulatorLaws (definitions : NameSet) (target : Expr) : MetaM (Array Law) := do
  let mut all := #[]
  for (call, places) in ← callsWithConstant definitions target do
    let arguments := call.getAppArgs
    for k in [0:places.size] do
      unless places[k]! == Place.constant do continue
      let c := arguments[k]!
      let type ← inferType c
      unless ← isDefEq type (← inferType call) do continue
      let found ← withValues ((List.range places.size).filter (places[·]! == Place.value)) arguments #[] fun arguments fresh => do
        withLocalDeclD (← freshName "acc") type fun acc => do
          let general := mkAppN call.getAppFn (arguments.set! k acc)
          let special := mkAppN call.getAppFn arguments
          (← joinedBy definitions call acc special).findSomeM? fun joined => do
            let statement ← mkForallFVars (fresh.push acc) (← mkEq general joined)
            if statement.hasExprMVar || !(← isConfirmedLaw statement) then return none
            return some { statement, text := ← statementText statement : Law }
      if let some law := found then
        unless all.any fun (other : Law) => other.statement == law.statement do all := all.push law
  return all.extract 0 2
where
  /-- The arguments with a new variable for each value. -/
  withValues {α : Type} (places : List Nat) (arguments : Array Expr) (fresh : Array Expr)
      (act : Array Expr → Array Expr → MetaM α) : MetaM α := do
    match places with
    | [] => act arguments fresh
    | k :: rest =>
      withLocalDeclD (← freshName "v") (← inferType arguments[k]!) fun x =>
        withValues rest (arguments.set! k x) (fresh.push x) act

/-- `go n (f k) (f (k + 1)) = f (n + k)`, if the constants are these values for `k = 0`; also with `k` itself as a counter. -/
def loopLaws (definitions : NameSet) (target : Expr) : MetaM (Array Law) := do
  let some (_, left, right) := target.eq? | return #[]
  let mut all := #[]
  for (call, whole) in [(left, right), (right, left)] do
    for (found, places) in ← callsWithConstant definitions call do
      unless found == call do continue
      let arguments := call.getAppArgs
      for d in ← locals do
        unless d.type.isConstOf ``Nat && call.containsFVar d.fvarId && whole.containsFVar d.fvarId do continue
        let n := d.toExpr
        let law ← withLocalDeclD (← freshName "k") d.type fun k => do
          let shifted (j : Nat) : MetaM Expr := if j == 0 then pure k else mkAdd k (mkNatLit j)
          let mut choices := #[arguments]
          for i in [0:places.size] do
            unless places[i]! == Place.constant do continue
            let c := arguments[i]!
            let mut options := #[]
            for j in [0, 1, 2] do
              for t in [whole.replaceFVar n (← shifted j), ← shifted j] do
                if ← isDefEq (← inferType t) (← inferType c) then
                  if ← boundedMeta 100 false (withTransparency .default (isDefEq (t.replaceFVar k (mkNatLit 0)) c)) then
                    options := options.push t
            choices := (choices.flatMap fun made => options.map fun t => made.set! i t).extract 0 40
          let sum ← mkAdd n k
          choices.findSomeM? fun made => do
            let body ← mkEq (mkAppN call.getAppFn made) (whole.replaceFVar n sum)
            let statement ← mkForallFVars #[n, k] body
            unless ← isConfirmedLaw statement do return none
            return some { statement, text := ← statementText statement, at? := some s!"{nameText d.userName} 0" : Law }
        if let some law := law then return #[law]
  return all

end Orch.Relational
