import Worker.Session

/-! The head of a type and its kind. Search decides by these instead of printed text. -/

open Lean Meta Elab

namespace Orch

namespace Relational

/-- Connectives and equality have their own moves. -/
def isLogic (n : Name) : Bool :=
  [``And, ``Or, ``Exists, ``Iff, ``True, ``False, ``Eq, ``HEq, ``Not, ``Nonempty, ``Decidable].contains n

/-- The inductive proposition behind a type. Operators are unfolded through their instances. -/
def predicateOf (type : Expr) : MetaM (Option (InductiveVal × Array Expr)) := do
  let type ← whnfR type
  let type ← if (← getEnv).find? (type.getAppFn.constName?.getD .anonymous) matches some (.inductInfo _) then pure type
    else withTransparency .instances (whnf type)
  let .const n _ := type.getAppFn | return none
  let some (.inductInfo info) := (← getEnv).find? n | return none
  unless ← isProp type do return none
  return some (info, type.getAppArgs)

end Relational

open Relational in
/-- The kind of a type, by the constant that heads it. -/
def kindOfType (type : Expr) : MetaM String := do
  if type.isAppOf ``Ne then return "equation"
  if type.not?.isSome then return "connective"
  let type ← whnfR type
  if type.isSort then return "sort"
  if type.isForall then return if ← isProp type then "quantifier" else "function"
  let .const n _ := type.getAppFn | return if ← isProp type then "claim" else "other"
  if [``And, ``Or, ``Exists, ``Iff, ``True, ``False].contains n then return "connective"
  if [``Eq, ``HEq].contains n then return "equation"
  if [``LE.le, ``LT.lt, ``GE.ge, ``GT.gt].contains n then return "order"
  if isClass (← getEnv) n then return "class"
  let isProof ← isProp type
  let env ← getEnv
  match env.find? n with
  | some (.inductInfo _) =>
    return if isProof then "predicate" else if isStructure env n then "structure" else "data"
  | _ =>
    if isProof then
      if (← predicateOf type).isSome then return "predicate"
      return "claim"
    return "other"

/-- The head constant of a type. For a function type it is `→` if the conclusion does not depend on the argument, else `∀`. -/
def headText (type : Expr) : MetaM String := do
  if type.isAppOf ``Ne then return "Ne"
  if type.not?.isSome then return "Not"
  let type ← whnfR type
  if type.isForall then return if type.isArrow then "→" else "∀"
  match type.getAppFn with
  | .const n _ => return nameText n
  | _ => return ""

/-- Library types whose values are split like those of the user's types. -/
def openTypes : List Name :=
  [``Nat, ``Int, ``List, ``Option, ``Bool, ``Array, ``Prod, ``Sum, ``Fin, ``Except, ``Ordering, ``Subtype, ``Sigma, ``PSigma, ``PUnit, ``Empty]

/-- May a value of this type be split, and may an induction on it have hypotheses? Other library types are not split: their
   structure is an implementation detail. -/
def splittingOf (type : Expr) : MetaM (Bool × Bool) := do
  let type ← whnfR type
  let .const n _ := type.getAppFn | return (false, false)
  let some (.inductInfo info) := (← getEnv).find? n | return (false, false)
  let isOwn := isOwn (← getEnv) n
  if isClass (← getEnv) n then return (false, false)
  return (isOwn || openTypes.contains n || (← isProp type), info.isRec && (isOwn || n == ``Nat || n == ``List || (← isProp type)))

/-- Is some index of a derivation not a variable, so that few rules can have produced it? -/
def isInverted (type : Expr) : MetaM Bool := do
  let some (info, arguments) ← Relational.predicateOf type | return false
  if Relational.isLogic info.name then return false
  return (arguments.extract info.numParams arguments.size).any (!·.isFVar)

/-- For an equation: is one side a variable that the other does not mention, and are both sides headed by constructors? -/
def equationOf (type : Expr) : MetaM (Bool × Bool) := do
  let some (_, a, b) := (← whnfR type).eq? | return (false, false)
  let isFree (x t : Expr) : Bool := x.isFVar && !t.containsFVar x.fvarId!
  return (isFree a b || isFree b a, (← constructorApp'? a).isSome && (← constructorApp'? b).isSome)

/-- Does it contain a condition or a `match` that a split can decide? -/
def isConditional (e : Expr) : MetaM Bool := do
  let env ← getEnv
  return (e.find? fun t => t.isAppOf ``ite || t.isAppOf ``dite || (isMatcherAppCore? env t).isSome).isSome

/-- The head constant of a statement's conclusion, below all quantifiers and premises. -/
partial def concludedHead (type : Expr) : String :=
  match type with
  | .forallE _ _ b _ | .mdata _ b => concludedHead b
  | e => (e.getAppFn.constName?.map nameText).getD ""

/-- The fields that describe a printed hypothesis or target. -/
def shapeFields (type : Expr) (stem : String := "") : MetaM Fields := do
  let type ← instantiateMVars type
  let (isSplit, isRecursive) ← splittingOf type
  let flag (name : String) (holds : Bool) : Fields := if holds then [(stem ++ name, Json.bool true)] else []
  let (isSolved, isInjective) ← equationOf type
  let concluded := if type.isForall then [(stem ++ "concludes", Json.str (concludedHead type))] else []
  return [(stem ++ "kind", Json.str (← kindOfType type)), (stem ++ "head", Json.str (← headText type))] ++ concluded ++
    flag "splits" isSplit ++ flag "recursive" isRecursive ++ flag "inverts" (← isInverted type) ++ flag "solved" isSolved ++
    flag "injective" isInjective ++ flag "conditional" (← isConditional type) ++ flag "unknown" type.hasExprMVar

end Orch
