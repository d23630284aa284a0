import Worker.Names

/-! Open theorems: stated by the user, with a `sorry` instead of a proof. Others may be proved from them. -/

open Lean Meta

namespace Orch

/-- A theorem of the user whose own proof contains `sorry`. -/
def isOpenTheorem (env : Environment) : ConstantInfo → Bool
  | .thmInfo v => isOwn env v.name && !v.name.isInternalDetail && v.value.hasSorry && !v.type.hasSorry && !isInstanceCore env v.name
  | _ => false

/-- The open theorems that a constant depends on. -/
structure Standing where
  open_ : NameSet := {}
  /-- it also depends on a `sorry` outside of open theorems, such as one in a definition -/
  isTainted : Bool := false
  deriving Inhabited

def Standing.join (a b : Standing) : Standing :=
  { open_ := b.open_.toList.foldl (·.insert ·) a.open_, isTainted := a.isTainted || b.isTainted }

def Standing.isFinished (s : Standing) : Bool := !s.isTainted && s.open_.isEmpty

abbrev Standings := Std.HashMap Name Standing

/-- What a constant depends on, in its type and its value. The proof of an open theorem does not count: nothing in it is used. -/
partial def Standings.look (known : Standings) (env : Environment) (n : Name) : Standings × Standing := Id.run do
  if let some found := known[n]? then return (known, found)
  if !isOwn env n then return (known, {})
  let some info := env.find? n | return (known, {})
  match info with
  | .ctorInfo v => look known env v.induct
  | .recInfo v => match v.all with
    | type :: _ => look known env type
    | [] => (known, {})
  | _ =>
    let isOpen := isOpenTheorem env info
    let value := if isOpen then none else info.value? (allowOpaque := true)
    let isTainted := info.type.hasSorry || value.any (·.hasSorry)
    let inType := match info with
      | .inductInfo v => v.ctors.foldl (init := info.type.getUsedConstants) fun all c =>
        all ++ ((env.find? c).map (·.type.getUsedConstants)).getD #[]
      | _ => info.type.getUsedConstants
    let used := inType ++ (value.map (·.getUsedConstants)).getD #[]
    -- a recursive type mentions itself
    let mut known := known.insert n {}
    let mut found : Standing := { open_ := if isOpen then ({} : NameSet).insert n else {}, isTainted }
    for other in used do
      let (more, standing) := look known env other
      known := more
      found := found.join standing
    return (known.insert n found, found)

/-- The names among these that are open theorems and depend on no other `sorry`. -/
def assumable (env : Environment) (names : List Name) : List Name :=
  names.filter fun n => (env.find? n).any (isOpenTheorem env) && !(Standings.look {} env n).2.isTainted

end Orch
