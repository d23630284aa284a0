import Worker.Session

/-! What heads a type, and of which kind that is: what search decides by, where people read print. -/

open Lean Meta Elab

namespace Orch

namespace Relational

/-- Connectives and equality have moves of their own. -/
def isLogic (n : Name) : Bool :=
  [``And, ``Or, ``Exists, ``Iff, ``True, ``False, ``Eq, ``HEq, ``Not, ``Nonempty, ``Decidable].contains n

/-- The inductive proposition behind a type; operators are unfolded to what their instances say. -/
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

/-- The constant that heads a type; `→` where the conclusion does not depend on what is given, else `∀`. -/
def headText (type : Expr) : MetaM String := do
  if type.isAppOf ``Ne then return "Ne"
  if type.not?.isSome then return "Not"
  let type ← whnfR type
  if type.isForall then return if type.isArrow then "→" else "∀"
  match type.getAppFn with
  | .const n _ => return nameText n
  | _ => return ""

/-- Types of the library whose values are taken apart as if they were the user's own. -/
def openTypes : List Name :=
  [``Nat, ``Int, ``List, ``Option, ``Bool, ``Array, ``Prod, ``Sum, ``Fin, ``Except, ``Ordering, ``Subtype, ``Sigma, ``PSigma, ``PUnit, ``Empty]

/-- May a value of this type be split, and may an induction on it have hypotheses? What the library builds its other types of
is nobody's business. -/
def splittingOf (type : Expr) : MetaM (Bool × Bool) := do
  let type ← whnfR type
  let .const n _ := type.getAppFn | return (false, false)
  let some (.inductInfo info) := (← getEnv).find? n | return (false, false)
  let isOwn := ((← getEnv).getModuleIdxFor? n).isNone
  if isClass (← getEnv) n then return (false, false)
  return (isOwn || openTypes.contains n || (← isProp type), info.isRec && (isOwn || n == ``Nat || n == ``List || (← isProp type)))

/-- Is some index of a derivation no variable, so that few rules can have made it? -/
def isInverted (type : Expr) : MetaM Bool := do
  let some (info, arguments) ← Relational.predicateOf type | return false
  if Relational.isLogic info.name then return false
  return (arguments.extract info.numParams arguments.size).any (!·.isFVar)

/-- Of an equation: is one side a variable that the other does not mention, and are both sides made by constructors? -/
def equationOf (type : Expr) : MetaM (Bool × Bool) := do
  let some (_, a, b) := (← whnfR type).eq? | return (false, false)
  let isFree (x t : Expr) : Bool := x.isFVar && !t.containsFVar x.fvarId!
  return (isFree a b || isFree b a, (← constructorApp'? a).isSome && (← constructorApp'? b).isSome)

/-- Does it contain a condition or a `match` that a split can decide? -/
def isConditional (e : Expr) : MetaM Bool := do
  let env ← getEnv
  return (e.find? fun t => t.isAppOf ``ite || t.isAppOf ``dite || (isMatcherAppCore? env t).isSome).isSome

/-- The constant that heads what a statement concludes, below all its quantifiers and premises. -/
partial def concludedHead (type : Expr) : String :=
  match type with
  | .forallE _ _ b _ | .mdata _ b => concludedHead b
  | e => (e.getAppFn.constName?.map nameText).getD ""

/-- The fields by which a printed hypothesis or target is described. -/
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
