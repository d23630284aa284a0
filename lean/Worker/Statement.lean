import Worker.Session

/-! Statements: `theorem name binders : type`, elaborated once with `sorry` as its proof. -/

open Lean Meta Elab

namespace Orch

mutual
partial def findKind (fuel : Nat) (kind : Name) (stx : Syntax) : Option Syntax :=
  if stx.getKind == kind then some stx
  else if fuel == 0 then none
  else findKindIn (fuel - 1) kind stx.getArgs.toList

partial def findKindIn (fuel : Nat) (kind : Name) (xs : List Syntax) : Option Syntax :=
  match xs with
  | [] => none
  | x :: r => match findKind fuel kind x with | some s => some s | none => findKindIn fuel kind r
end

partial def identifiers (xs : List Syntax) (acc : List Name) : List Name :=
  match xs with | [] => acc | x :: r => identifiers r (x.getId :: acc)

/-- The names bound by the binders of a signature, last first. -/
partial def binderNames (xs : List Syntax) (acc : List Name) : List Name :=
  match xs with
  | [] => acc
  | b :: r =>
    let kind := b.getKind
    let acc :=
      if kind == `Lean.Parser.Term.instBinder then ((b.getArg 1).getArg 0).getId :: acc
      else if kind == `ident || kind == `Lean.Parser.Term.hole then b.getId :: acc
      else identifiers (b.getArg 1).getArgs.toList acc
    binderNames r acc

partial def forallNames (e : Expr) (acc : List Name) : List Name :=
  match e with
  | .forallE n _ b _ => forallNames b (n :: acc)
  | .mdata _ b => forallNames b acc
  | _ => reverseOnto acc []

partial def agree (xs ys : List Name) : Bool :=
  match xs, ys with
  | _, [] => true
  | x :: xs, y :: ys => (x == y || y == .anonymous || y.hasMacroScopes) && agree xs ys
  | [], _ => false

/-- Auto-bound and section variables come before the named binders: where do the named ones start? -/
partial def offsetOf (xs ys : List Name) (k : Nat) : Nat :=
  if agree xs ys then k else match xs with | [] => 0 | _ :: t => offsetOf t ys (k + 1)

partial def lookup (xs : List (String × Statement)) (key : String) : Option Statement :=
  match xs with
  | [] => none
  | (k, s) :: r => if k == key then some s else lookup r key

def fullName (st : Command.State) (n : Name) : Name :=
  match st.scopes with
  | scope :: _ => scope.currNamespace ++ n
  | [] => n

partial def newConstant (env base : Environment) (candidates : List Name) : Option ConstantInfo :=
  match candidates with
  | [] => none
  | n :: r => match env.find? n with
    | some info => if (base.find? n).isNone then some info else newConstant env base r
    | none => newConstant env base r

def elaborateStatement (w : Worker) (st : Command.State) (session : Nat) (text : String) :
    IO (Except Answer Statement) := do
  let key := Nat.repr session ++ "|" ++ text
  match lookup (← w.statements.get) key with
  | some s => return .ok s
  | none =>
  let source := text ++ " := sorry"
  match (← parseSingle st source) with
  | .error ms => return .error (← failedBy "statement" ms)
  | .ok stx =>
    match findKind 4 `Lean.Parser.Command.declId stx, findKind 4 `Lean.Parser.Command.declSig stx with
    | some declId, some signature =>
      let name := fullName st (declId.getArg 0).getId
      let after ← runCommand w (inputContext source) st stx
      if after.messages.hasErrors then return .error (← failedBy "statement" after.messages.toList)
      match newConstant after.env st.env [name, mkPrivateName after.env name] with
      | some (.thmInfo info) =>
        let named := reverseOnto (binderNames (signature.getArg 0).getArgs.toList []) []
        let offset := offsetOf (forallNames info.type []) named 0
        let s : Statement :=
          { name := info.name, levels := info.levelParams, type := info.type, intros := offset + count named 0 }
        let known ← w.statements.get
        w.statements.set ((key, s) :: (if count known 0 > 64 then take 16 known else known))
        return .ok s
      | _ => return .error (← failedBy "statement" (oneMessage ⟨1, 0⟩ "the statement does not introduce a new theorem"))
    | _, _ => return .error (← failedBy "statement" (oneMessage ⟨1, 0⟩ "a statement is `theorem name binders : type`, without a proof"))

end Orch
