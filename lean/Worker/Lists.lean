import Lean.Data.Json
import Lean.Elab.Command
import Lean.Elab.Import
import Lean.Elab.Tactic.Basic

/-! Small list functions. The embedded library holds only the exported level of Lean: many specialised library
functions (`List.reverse`, `List.append`, `toString` of a `Name`, every `for` loop) are missing from it, so the worker
keeps to `match` and `partial def`, which compile everywhere. -/

open Lean Meta Elab

namespace Orch

partial def nameText (n : Name) : String :=
  match n with
  | .anonymous => ""
  | .str .anonymous s => s
  | .num .anonymous k => Nat.repr k
  | .str p s => nameText p ++ "." ++ s
  | .num p k => nameText p ++ "." ++ Nat.repr k

partial def append {α : Type} (xs ys : List α) : List α :=
  match xs with | [] => ys | x :: r => x :: append r ys

partial def reverseOnto {α : Type} (xs ys : List α) : List α :=
  match xs with | [] => ys | x :: r => reverseOnto r (x :: ys)

partial def take {α : Type} (n : Nat) (xs : List α) : List α :=
  match xs with | [] => [] | x :: r => if n == 0 then [] else x :: take (n - 1) r

partial def drop {α : Type} (n : Nat) (xs : List α) : List α :=
  if n == 0 then xs else match xs with | [] => [] | _ :: r => drop (n - 1) r

partial def count {α : Type} (xs : List α) (n : Nat) : Nat :=
  match xs with | [] => n | _ :: r => count r (n + 1)

def none? {α : Type} (xs : List α) : Bool := match xs with | [] => true | _ => false

partial def hasName (n : Name) (xs : List Name) : Bool :=
  match xs with | [] => false | x :: r => x == n || hasName n r

partial def withoutNames (xs drop : List Name) (acc : List Name) : List Name :=
  match xs with
  | [] => reverseOnto acc []
  | x :: r => withoutNames r drop (if hasName x drop then acc else x :: acc)

end Orch
