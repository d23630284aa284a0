import Worker.Declarations

/-! Equality by content: same kind, universe parameters by position, type and value (for theorems the type alone), where names
   of other declarations are compared by content too. A candidate declares again what its statement depends on, under names that
   Lean generated. Whatever is equal by content is identified with the statement's constant. A wrong match can only lose a
   proof, because the kernel checks the result. -/

open Lean

namespace Orch

/-- A constant of the statement, its universe parameters named by position. -/
structure Known where
  name : Name
  kind : String
  type : Expr
  value : Option Expr

structure Block where
  parameters : Nat
  levels : List Name
  types : List InductiveType

structure Content where
  /-- by the hash of their types -/
  constants : Std.HashMap UInt64 (Array Known) := {}
  blocks : Array Block := #[]

def positions (levels : List Name) : List Level :=
  levels.mapIdx fun i _ => .param (.num `u i)

/-- Universe parameters by position. -/
def byPosition (levels : List Name) (e : Expr) : Expr :=
  if levels.isEmpty then e else e.instantiateLevelParams levels (positions levels)

def knownAs (name : Name) : Declaration → Option Known
  | .thmDecl v => some ⟨name, "theorem", byPosition v.levelParams v.type, none⟩
  | .axiomDecl v => some ⟨name, "axiom", byPosition v.levelParams v.type, none⟩
  | .defnDecl v => some ⟨name, "definition", byPosition v.levelParams v.type, some (byPosition v.levelParams v.value)⟩
  | .opaqueDecl v => some ⟨name, "opaque", byPosition v.levelParams v.type, some (byPosition v.levelParams v.value)⟩
  | _ => none

def Content.add (c : Content) (s : Stated) : Content :=
  match s.declaration with
  | .inductDecl levels parameters types _ => { c with blocks := c.blocks.push { parameters, levels, types } }
  | d => match knownAs s.name d with
    | none => c
    | some known =>
      { c with constants := c.constants.alter known.type.hash fun all => some ((all.getD #[]).push known) }

/-- The constant with this content. If there are several, the one called `own`, else the first. -/
def Content.find (c : Content) (s : Stated) (own : Name) : Option Name := do
  let wanted ← knownAs s.name s.declaration
  let equal := (← c.constants[wanted.type.hash]?).filter fun known =>
    known.kind == wanted.kind && known.type == wanted.type && known.value == wanted.value
  let found ← (equal.find? (·.name == own)) <|> equal[0]?
  return found.name

def renameAll (names : Std.HashMap Name Name) (e : Expr) : Expr :=
  e.replace fun
    | .const n levels => names[n]?.map (Expr.const · levels)
    | _ => none

/-- The names of a block, paired with those of another block of the same shape. -/
def pairNames (from_ to : List InductiveType) : Option (List (Name × Name)) := do
  if from_.length != to.length then none
  let pairs ← (from_.zip to).mapM fun (a, b) =>
    if a.ctors.length != b.ctors.length then none
    else some ((a.name, b.name) :: a.ctors.zipWith (fun c d => (c.name, d.name)) b.ctors)
  return pairs.flatten

def sameBlock (a b : Block) : Option (List (Name × Name)) := do
  if a.parameters != b.parameters || a.levels.length != b.levels.length then none
  let pairs ← pairNames a.types b.types
  let names : Std.HashMap Name Name := .ofList pairs
  let same (x y : Expr) : Bool := renameAll names (byPosition a.levels x) == byPosition b.levels y
  let equal := (a.types.zip b.types).all fun (x, y) =>
    same x.type y.type && (x.ctors.zip y.ctors).all fun (c, d) => same c.type d.type
  if equal then some pairs else none

/-- The block with this content, as pairs of names. If there are several, one with the same names. -/
def Content.findBlock (c : Content) (block : Block) (own : Name) : Option (List (Name × Name)) :=
  let named := c.blocks.filter fun b => b.types.head?.any (·.name == own)
  (named ++ c.blocks).findSome? (sameBlock block)

end Orch
