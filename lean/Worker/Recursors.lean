import Worker.Inductives

/-! Checks what the kernel generated for a block: constructors, recursors and their rules. The kernel accepts the recursors it
   generates without checking them, and its decisions for a recursor's type and for its rules can differ. Here every type is
   checked again in a separate declaration, every rule must have the type that the recursor promises, and its shape must be
   structural recursion. -/

open Lean

namespace Orch

/-- Binders that were opened, and the variables that stand for them. -/
structure Opened where
  variables : Array Expr := #[]
  types : Array Expr := #[]
  names : Array Name := #[]

/-- Open binders, by variables that are numbered from `next`. -/
def openBinders (isLambda : Bool) (next : Nat) : Nat → Expr → Opened → Option (Opened × Expr)
  | 0, e, o => some (o, e)
  | n + 1, e, o =>
    let go (name : Name) (type body : Expr) :=
      let x := variableAt next
      openBinders isLambda (next + 1) n (body.instantiate1 x)
        { variables := o.variables.push x, types := o.types.push type, names := o.names.push name }
    match e with
    | .forallE name type body _ => if isLambda then none else go name type body
    | .lam name type body _ => if isLambda then go name type body else none
    | _ => none

def Opened.append (a b : Opened) : Opened :=
  { variables := a.variables ++ b.variables, types := a.types ++ b.types, names := a.names ++ b.names }

/-- The outermost binders. -/
def Opened.first (o : Opened) (count : Nat) : Opened :=
  { variables := o.variables.extract 0 count, types := o.types.extract 0 count, names := o.names.extract 0 count }

/-- Close the binders again, as a type or as a function. -/
def Opened.close (o : Opened) (body : Expr) (isLambda : Bool := false) : Expr := Id.run do
  let mut e := body
  for i in (List.range o.variables.size).reverse do
    let body := e.abstract #[o.variables[i]!]
    e := if isLambda then .lam o.names[i]! o.types[i]! body .default else .forallE o.names[i]! o.types[i]! body .default
  return e

/-- A block that the kernel has added, and how to check a declaration on top of it. -/
structure Added where
  before : Kernel.Environment
  env : Kernel.Environment
  levels : List Name
  parameters : Nat
  types : List InductiveType
  check : Declaration → Read Unit

def checkName : Name := .str (.str .anonymous "_judge") "check"

def Added.checkType (a : Added) (levels : List Name) (type : Expr) : Read Unit :=
  a.check (.axiomDecl { name := checkName, levelParams := levels, type, isUnsafe := false })

def Added.checkValue (a : Added) (levels : List Name) (type value : Expr) : Read Unit :=
  a.check (.defnDecl { name := checkName, levelParams := levels, type, value, hints := .abbrev, safety := .safe })

/-- The recursors of the block: one for each type, then those for what is nested in it. -/
partial def Added.recursors (a : Added) : List RecursorVal :=
  let own := a.types.filterMap fun t => recursor? (.str t.name "rec")
  match a.types.head? with
  | some first => own ++ nested first.name 1
  | none => own
where
  recursor? (n : Name) : Option RecursorVal := match a.env.find? n with | some (.recInfo r) => some r | _ => none
  nested (first : Name) (i : Nat) : List RecursorVal :=
    match recursor? (.str first s!"rec_{i}") with
    | some r => r :: nested first (i + 1)
    | none => []

def wrongRecursor {α : Type} (r : RecursorVal) (what : String) : Read α :=
  throw ⟨"kernel", s!"the kernel made a recursor {nameText (withoutRoot r.name)} that {what}"⟩

/-- A recursive call of a rule: a recursor of the block with the same parameters, motives and minor premises, applied to a
   field. -/
def isRecursiveCall (recursors : List Name) (before fields : Opened) (levels : List Level) (call : Expr) : Bool :=
  let depth := call.getNumHeadLambdas
  match openBinders true (before.variables.size + fields.variables.size) depth call {} with
  | some (inner, body) =>
    let arguments := body.getAppArgs
    match body.getAppFn, arguments.back? with
    | .const n used, some major =>
      recursors.contains n && used == levels && before.variables.isPrefixOf arguments &&
      before.variables.size < arguments.size &&
      fields.variables.contains major.getAppFn && major.getAppArgs == inner.variables
    | _, _ => false
  | none => false

/-- The parts of a recursor's type: what comes before the indices, the type it eliminates and the motive of its result. -/
structure Promise where
  before : Opened
  host : InductiveVal
  hostLevels : List Level
  hostParameters : List Expr
  motive : Expr

def promiseOf (a : Added) (r : RecursorVal) : Option Promise := do
  let (before, rest) ← openBinders false 0 (r.numParams + r.numMotives + r.numMinors) r.type {}
  -- numbers that no rule uses, so an index inside a parameter of the host shows up as a stray variable
  let (indices, rest) ← openBinders false 1000000 r.numIndices rest {}
  let .forallE _ major result _ := rest | none
  let x := variableAt 2000000
  let .const n hostLevels := major.getAppFn | none
  let some (.inductInfo host) := a.env.find? n | none
  let arguments := major.getAppArgs
  let result := result.instantiate1 x
  let motives := before.variables.extract r.numParams (r.numParams + r.numMotives)
  guard (arguments.extract host.numParams arguments.size == indices.variables)
  guard (motives.contains result.getAppFn && result.getAppArgs == indices.variables.push x)
  guard (host.ctors == r.rules.map (·.ctor))
  return { before, host, hostLevels, hostParameters := (arguments.extract 0 host.numParams).toList, motive := result.getAppFn }

/-- A rule must have the type that the recursor promises for its constructor, and recurse on fields alone. -/
def ruleFault (a : Added) (recursors : List Name) (r : RecursorVal) (p : Promise) (rule : RecursorRule) : Read Unit := do
  let some (.ctorInfo c) := a.env.find? rule.ctor | wrongRecursor r "has a rule for no constructor"
  if c.induct != p.host.name || c.numFields != rule.nfields then wrongRecursor r "has a rule for another constructor"
  let next := p.before.variables.size
  let levels := r.levelParams.map Level.param
  let opened := do
    let type ← applyType? (c.type.instantiateLevelParams c.levelParams p.hostLevels) p.hostParameters
    openBinders false next rule.nfields type {}
  let some (fields, result) := opened | wrongRecursor r "has a rule for another constructor"
  let arguments := result.getAppArgs
  if !result.getAppFn.isConstOf p.host.name then wrongRecursor r "has a rule for another type"
  let indices := arguments.extract p.host.numParams arguments.size
  let made := mkAppN (.const c.name p.hostLevels) (p.hostParameters.toArray ++ fields.variables)
  let all := p.before.append fields
  a.checkValue r.levelParams (all.close (mkAppN p.motive (indices.push made))) rule.rhs
  let some (_, body) := openBinders true 0 all.variables.size rule.rhs {} | wrongRecursor r "has a rule of another shape"
  let given := body.getAppArgs
  let minors := p.before.variables.extract (r.numParams + r.numMotives) next
  if !(minors.contains body.getAppFn && fields.variables.isPrefixOf given &&
      (given.extract fields.variables.size given.size).all (isRecursiveCall recursors p.before fields levels)) then
    wrongRecursor r "has a rule that is no structural recursion"

/-- May a type that can be a proposition be eliminated into data? It must have at most one constructor, and each field must be a
   proof or occur in the constructor's result. -/
def largeFault (a : Added) (r : RecursorVal) : Read Unit := do
  let [type] := a.types | wrongRecursor r "makes data out of mutual propositions"
  if r.numMotives != 1 then wrongRecursor r "makes data out of nested propositions"
  match type.ctors with
  | [] => return
  | [constructor] =>
    let count := constructor.type.getNumHeadForalls
    let some (all, result) := openBinders false 0 count constructor.type {}
      | wrongRecursor r "takes apart something unknown"
    let visible := result.getAppArgs
    for i in (List.range count).drop a.parameters do
      if visible.contains all.variables[i]! then continue
      let outer := all.first i
      a.checkValue a.levels (outer.close (.sort .zero)) (outer.close all.types[i]! (isLambda := true))
  | _ => wrongRecursor r "makes data out of a proposition with several constructors"

/-- The sort of the motives: propositions, or any universe; then the type must allow it. -/
def eliminationFault (a : Added) (level : Level) (r : RecursorVal) (p : Promise) : Read Unit := do
  let motives := p.before.types.extract r.numParams (r.numParams + r.numMotives)
  if motives.all (·.getForallBody == .sort .zero) && r.levelParams == a.levels then return
  let u :: others := r.levelParams | wrongRecursor r "has no universe for its motive"
  if others != a.levels || a.levels.contains u || !motives.all (·.getForallBody == .sort (.param u)) then
    wrongRecursor r "has motives in several universes"
  if !isNeverZero level then largeFault a r

/-- Does the recursor reduce without inspecting its major premise? Only if that must be the single constructor, without fields.
   -/
def shortcutFault (a : Added) (level : Level) (r : RecursorVal) : Read Unit := do
  if !r.k then return
  let isSingle := match a.types with
    | [{ ctors := [constructor], .. }] => constructor.type.getNumHeadForalls == a.parameters
    | _ => false
  if !(isSingle && level == .zero && r.numMotives == 1) then wrongRecursor r "reduces without looking at its argument"

def recursorFault (a : Added) (level : Level) (recursors : List Name) (r : RecursorVal) : Read Unit := do
  if (a.before.find? r.name).isSome then wrongRecursor r "replaces an older constant"
  if r.numMotives != recursors.length then wrongRecursor r "has more or fewer motives than there are recursors"
  a.checkType r.levelParams r.type
  if r.numParams != a.parameters then wrongRecursor r "has other parameters than its type"
  let some p := promiseOf a r | wrongRecursor r "promises something else than its motive"
  eliminationFault a level r p
  shortcutFault a level r
  for rule in r.rules do ruleFault a recursors r p rule

/-- Check everything that the kernel added with a block. -/
def checkAdded (a : Added) : Read Unit := do
  let some level := a.types.head?.bind fun t => resultLevel? a.env t.type
    | throw ⟨"kernel", "a block of inductive types has no explicit sort"⟩
  for type in a.types do
    for constructor in type.ctors do
      -- a recursor of the same name could have taken its place
      let some (.ctorInfo _) := a.env.find? constructor.name
        | throw ⟨"kernel", s!"the kernel made no constructor {nameText (withoutRoot constructor.name)}"⟩
      a.checkType a.levels constructor.type
  let recursors := a.recursors
  if recursors.length < a.types.length then throw ⟨"kernel", "the kernel made no recursor for a type"⟩
  for r in recursors do recursorFault a level (recursors.map (·.name)) r

end Orch
