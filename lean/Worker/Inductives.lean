import Worker.Sorts

/-! Checks of a declaration that the kernel does not make. Each closes entries of docs/kernel-advisories.md. None relies on a
   reduction that the kernel may perform in one place and not in another. -/

open Lean

namespace Orch

/-- A name without the root that the judge puts before a candidate's names. -/
def withoutRoot (n : Name) : Name :=
  match n.components with
  | .str .anonymous "_candidate" :: _ :: rest => rest.foldl (· ++ ·) .anonymous
  | _ => n

/-! ### Projections -/

/-- May this field be projected out of this type at all? The type must have one constructor with such a field, and it must
   always or never be a proposition: if that depends on universes, the kernel decides anew at each use. Which fields may leave a
   proposition is left to the kernel, which decides correctly when the sort is explicit. -/
def mayProject (env : Kernel.Environment) (structureName : Name) (index : Nat) : Bool :=
  match env.find? structureName with
  | some (.inductInfo v) =>
    match v.ctors, resultLevel? env v.type with
    | [constructor], some level =>
      (level == .zero || isNeverZero level) &&
      match env.find? constructor with
      | some (.ctorInfo c) => index < c.numFields
      | _ => false
    | _, _ => false
  | _ => false

def hasWrongProjection (env : Kernel.Environment) (e : Expr) : Bool :=
  (e.find? fun | .proj s i _ => !mayProject env s i | _ => false).isSome

/-! ### Recursive occurrences -/

/-- A variable that nothing else uses. -/
def variableAt (k : Nat) : Expr := .fvar ⟨.num `_judge k⟩

/-- Instantiate the first binders of a type. -/
def applyType? : Expr → List Expr → Option Expr
  | type, [] => some type
  | .forallE _ _ b _, a :: rest => applyType? (b.instantiate1 a) rest
  | _, _ => none

/-- The types of a block while their constructors are checked: parameters are variables. -/
structure Family where
  names : List Name
  levels : List Level
  parameters : Array Expr

def Family.occursIn (f : Family) (e : Expr) : Bool :=
  (e.find? fun
    | .const n _ | .proj n _ _ => f.names.contains n
    | _ => false).isSome

/-- Does every type of the family occur only with its own universes and parameters? -/
partial def Family.isUniformIn (f : Family) (e : Expr) : Bool :=
  if !f.occursIn e then true else
  match e with
  | .forallE _ t b _ | .lam _ t b _ => f.isUniformIn t && f.isUniformIn b
  | .letE _ t v b _ => f.isUniformIn t && f.isUniformIn v && f.isUniformIn b
  | .mdata _ b => f.isUniformIn b
  | .proj .. => false
  | e =>
    let arguments := e.getAppArgs
    let head := match e.getAppFn with
      | .const n levels =>
        !f.names.contains n || (levels == f.levels && f.parameters.isPrefixOf arguments)
      | head => f.isUniformIn head
    head && arguments.all f.isUniformIn

mutual
/-- May a field have this type? Unfolding alone must show how the family occurs in it: behind arrows as one of its types, or as
   a parameter of an older type whose own fields pass the same test. `seen` lists the older types on the way. -/
partial def Family.admits (env : Kernel.Environment) (f : Family) (seen : List Expr) (next : Nat) (type : Expr) : Bool :=
  if !f.occursIn type then true else
  let type := unfoldHead env type
  if !f.occursIn type then true else
  match type with
  | .forallE _ d b _ => !f.occursIn d && f.admits env seen (next + 1) (b.instantiate1 (variableAt next))
  | type => Id.run do
    let .const n levels := type.getAppFn | return false
    let arguments := type.getAppArgs
    if !f.isUniformIn type then return false
    if f.names.contains n then return (arguments.extract f.parameters.size arguments.size).all (!f.occursIn ·)
    let some (.inductInfo host) := env.find? n | return false
    if (arguments.extract host.numParams arguments.size).any f.occursIn then return false
    let given := (arguments.extract 0 host.numParams).toList
    let nested := mkAppN (.const n levels) given.toArray
    if seen.contains nested then return true
    let seen := host.all.map (fun other => mkAppN (.const other levels) given.toArray) ++ seen
    return host.all.all fun other =>
      match env.find? other with
      | some (.inductInfo v) => v.ctors.all fun constructor =>
        match env.find? constructor with
        | some info =>
          if info.levelParams.length != levels.length then false else
          match applyType? (info.type.instantiateLevelParams info.levelParams levels) given with
          | some fields => f.admitsAll env seen next fields
          | none => false
        | none => false
      | _ => false

/-- The same for all fields of a constructor. -/
partial def Family.admitsAll (env : Kernel.Environment) (f : Family) (seen : List Expr) (next : Nat) (fields : Expr) : Bool :=
  match fields with
  | .forallE _ d b _ => f.admits env seen next d && f.admitsAll env seen (next + 1) (b.instantiate1 (variableAt next))
  | _ => true
end

/-- Checks a block of inductive types beyond what the kernel checks; answers the reason for a refusal. -/
def blockFault (env : Kernel.Environment) (levels : List Name) (parameters : Nat) (types : List InductiveType) : Option String := do
  let variables := (List.range parameters).map variableAt
  let family : Family := { names := types.map (·.name), levels := levels.map .param, parameters := variables.toArray }
  types.findSome? fun type =>
    if (resultLevel? env type.type).isNone then some s!"the sort of {nameText (withoutRoot type.name)} is not explicit" else
    type.ctors.findSome? fun constructor =>
      let isRegular := match applyType? constructor.type variables with
        | some fields => family.admitsAll env [] parameters fields && family.isUniformIn fields
        | none => false
      if isRegular then none
      else some s!"{nameText (withoutRoot constructor.name)} uses the types of its block in a way that the judge does not follow"

end Orch
