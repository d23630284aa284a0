import Lean.Data.Json
import Lean.Elab.Command
import Lean.Elab.Import
import Lean.Elab.Tactic.Basic

/-! Names as people read them and as the protocol encodes them. Both forms are injective: `«a.b»` is never taken for `a.b`. -/

open Lean

namespace Orch

/-- The first parts of the names of libraries' modules. Proofs do not look into what these declare. -/
def knownLibraries : List Name :=
  [`Init, `Std, `Lean, `Lake, `Mathlib, `Batteries, `Aesop, `Qq, `ProofWidgets, `Plausible, `ImportGraph, `LeanSearchClient]

/-- Does a loaded text or a module of the user's project declare this constant? -/
def isOwn (env : Environment) (n : Name) : Bool :=
  match env.getModuleIdxFor? n with
  | none => true
  | some i => !knownLibraries.contains ((env.header.moduleNames[i.toNat]?).getD .anonymous).getRoot

/-- One part of a name. A part that Lean would read otherwise is written `«…»`; inside, `»` is doubled. -/
def partText (s : String) : String :=
  let plain := match s.toList with
    | [] => false
    | c :: rest => isIdFirst c && rest.all isIdRest
  if plain then s else "«" ++ s.foldl (fun text c => if c == '»' then text ++ "»»" else text.push c) "" ++ "»"

def nameText (n : Name) : String :=
  match n with
  | .anonymous => ""
  | .str .anonymous s => partText s
  | .num .anonymous k => toString k
  | .str p s => nameText p ++ "." ++ partText s
  | .num p k => nameText p ++ "." ++ toString k

/-- A name in a request: an array of its parts, strings and numbers. -/
def nameOfJson? (j : Json) : Option Name :=
  match j with
  | .arr parts => parts.foldl (init := some .anonymous) fun
    | some n, .str s => some (.str n s)
    | some n, part => (part.getNat?.toOption).map (Name.num n)
    | none, _ => none
  | _ => none

/-- `n` below another root. Unlike `Name.append` this is injective and ignores what is inside the names. -/
def graft (root : Name) (n : Name) : Name :=
  match n with
  | .anonymous => root
  | .str p s => .str (graft root p) s
  | .num p k => .num (graft root p) k

end Orch
