import Worker.Rows

/-! Reads the declarations of an export in order. -/

open Lean

namespace Orch

/-- A declaration as an export states it. Nothing in it has been checked by a kernel. -/
structure Stated where
  name : Name
  levels : List Name
  safe : Bool
  declaration : Declaration
  /-- may it contain a projection? -/
  projects : Bool := false

/-- All names that a declaration row declares: itself, or every type and constructor of a block. -/
structure Declares where
  first : Name
  names : Array Name
  types : Array Name := #[]

def declaredBy (names : Array Name) (row : Json) : Read Declares := do
  match row.getObjVal? "types" with
  | .error _ =>
    let name ← rowAt "name" names (← field row "name")
    return { first := name, names := #[name] }
  | .ok _ =>
    let mut all := #[]
    let mut types := #[]
    for type in (← items row "types") do
      types := types.push (← rowAt "name" names (← field type "name"))
      for constructor in (← items type "constructors") do
        match constructor with
        | .arr #[n, _] => all := all.push (← rowAt "name" names n)
        | _ => malformed "a constructor row is a pair"
    return { first := types[0]?.getD .anonymous, names := types ++ all, types }

/-- Map every declared name with `target`. No name may be declared twice. -/
def Tables.declare (t : Tables) (rows : Array Json) (target : Name → Name) : Read Tables := do
  let mut meanings := t.meanings
  for row in rows do
    let { names, types, .. } ← declaredBy t.names row
    let universes := (← items row "levels").size
    for n in names do
      if n.isAnonymous then malformed "it declares something without a name"
      if meanings.contains n then malformed s!"it declares {nameText n} twice"
      if t.careful && isReserved n then malformed s!"it declares {nameText n}, a name of the kernel's own"
      meanings := meanings.insert n
        (if types.contains n then .inductive (target n) universes else .declared (target n) universes)
  -- the kernel adds `T.rec` together with `T`; whether there is a `T.rec_1` is known only afterwards (Recursors.lean)
  for n in meanings.keys do
    if let .str p "rec" := n then
      if let some (.inductive ..) := meanings[p]? then malformed s!"it declares {nameText n}, which is a recursor"
  return { t with meanings }

def readHints (j : Json) : Read ReducibilityHints := do
  match (← field j "hints") with
  | .str "opaque" => return .opaque
  | .str "abbrev" => return .abbrev
  | h => return .regular (UInt32.ofNat (← readNat h))

def isSafe (j : Json) : Read Bool := do
  match (← field j "safe") with
  | .bool b => return b
  | _ => malformed "a declaration does not say whether it is safe"

def readBlock (t : Tables) (levels : List Name) (j : Json) : Read (Stated × Tables) := do
  let mut t := t
  let mut types := #[]
  for type in (← items j "types") do
    let name ← t.resolve (← rowAt "name" t.names (← field type "name"))
    let (signature, read) ← t.closed (← field type "type")
    t := read
    let mut ctors := #[]
    for constructor in (← items type "constructors") do
      match constructor with
      | .arr #[n, e] =>
        let (type, read) ← t.closed e
        t := read
        ctors := ctors.push { name := ← t.resolve (← rowAt "name" t.names n), type : Constructor }
      | _ => malformed "a constructor row is a pair"
    types := types.push { name, type := signature, ctors := ctors.toList : InductiveType }
  let some first := types[0]? | malformed "an inductive block has no type"
  let parameters ← readNat (← field j "parameters")
  return ({ name := first.name, levels, safe := ← isSafe j,
            declaration := .inductDecl levels parameters types.toList false }, t)

def readStated (t : Tables) (j : Json) : Read (Stated × Tables) := do
  let levels ← (← items j "levels").toList.mapM (rowAt "name" t.names)
  let kind ← field j "kind"
  if kind == .str "inductive" then return ← readBlock t levels j
  let name ← t.resolve (← rowAt "name" t.names (← field j "name"))
  let (type, t) ← t.closed (← field j "type")
  if kind == .str "axiom" then
    return ({ name, levels, safe := true, declaration := .axiomDecl { name, levelParams := levels, type, isUnsafe := false } }, t)
  let (value, t) ← t.closed (← field j "value")
  match kind with
  | .str "theorem" =>
    return ({ name, levels, safe := true, declaration := .thmDecl { name, levelParams := levels, type, value } }, t)
  | .str "definition" =>
    let hints ← readHints j
    return ({ name, levels, safe := ← isSafe j,
              declaration := .defnDecl { name, levelParams := levels, type, value, hints, safety := .safe } }, t)
  | .str "opaque" =>
    return ({ name, levels, safe := ← isSafe j,
              declaration := .opaqueDecl { name, levelParams := levels, type, value, isUnsafe := false } }, t)
  | _ => malformed "an unknown kind of declaration"

/-- Read one declaration, with its names mapped. -/
def readDeclaration (t : Tables) (j : Json) : Read (Stated × Tables) := do
  let (stated, t) ← readStated t j
  return ({ stated with projects := t.projects }, t)

/-- The types and values of a declaration. -/
def expressionsOf : Declaration → List Expr
  | .thmDecl v => [v.type, v.value]
  | .defnDecl v => [v.type, v.value]
  | .opaqueDecl v => [v.type, v.value]
  | .axiomDecl v => [v.type]
  | .inductDecl _ _ types _ => types.flatMap fun type => type.type :: type.ctors.map (·.type)
  | _ => []

/-- The constants that a declaration names. -/
def constantsOf (d : Declaration) : Array Name :=
  (expressionsOf d).foldl (init := #[]) fun all e => all ++ e.getUsedConstants

end Orch
