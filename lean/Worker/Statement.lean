import Worker.Session

/-! Statements: `theorem name binders : type`, elaborated once with `sorry` as its proof. -/

open Lean Meta Elab

namespace Orch

/-- The first node of this kind, at most `fuel` levels down. -/
partial def findKind (fuel : Nat) (kind : Name) (stx : Syntax) : Option Syntax :=
  if stx.getKind == kind then some stx
  else if fuel == 0 then none
  else stx.getArgs.findSome? (findKind (fuel - 1) kind)

/-- The names bound by the binders of a signature. -/
def binderNames (binders : Array Syntax) : List Name :=
  binders.toList.flatMap fun b =>
    if b.getKind == ``Parser.Term.instBinder then [((b.getArg 1).getArg 0).getId]
    else if b.getKind == `ident || b.getKind == ``Parser.Term.hole then [b.getId]
    else (b.getArg 1).getArgs.toList.map (·.getId)

def forallNames : Expr → List Name
  | .forallE n _ b _ => n :: forallNames b
  | .mdata _ b => forallNames b
  | _ => []

def agree : List Name → List Name → Bool
  | _, [] => true
  | x :: xs, y :: ys => (x == y || y == .anonymous || y.hasMacroScopes) && agree xs ys
  | [], _ => false

/-- The index of the first named binder: automatically bound and section variables come before it. -/
def offsetOf (all named : List Name) : Nat :=
  ((List.range (all.length + 1)).find? fun k => agree (all.drop k) named).getD 0

def currentNamespace (st : Command.State) : Name :=
  match st.scopes with | scope :: _ => scope.currNamespace | [] => .anonymous

def fullName (st : Command.State) (n : Name) : Name :=
  if rootNamespace.isPrefixOf n then n.replacePrefix rootNamespace .anonymous else currentNamespace st ++ n

/-- The theorem that a command declares: the new constant with the name of its `declId`. -/
def newTheorem (st after : Command.State) (declId : Syntax) : Option TheoremVal := do
  let name := fullName st (declId.getArg 0).getId
  [name, mkPrivateName after.env name].findSome? fun n =>
    match after.env.find? n with
    | some (.thmInfo info) => if st.env.contains n then none else some info
    | _ => none

/-- A statement is a theorem without a proof, so the `:=` after it must be the one added here. -/
def isStatement (text : String) (stx : Syntax) : Bool :=
  let isTheorem := [``Parser.Command.theorem, `lemma].any fun kind => (findKind 4 kind stx).isSome
  isTheorem && (findKind 4 ``Parser.Command.declValSimple stx).any fun value =>
    (value.getPos?).any fun place => place.byteIdx == text.utf8ByteSize + 1

def elaborateStatement (w : Worker) (st : Command.State) (j : Json) : IO (Except Answer Statement) := do
  let text := getText j "statement" ""
  let key := s!"{getNat j "session" 0} {text}"
  let known ← w.statements.get
  if let some (_, s) := known.find? (·.1 == key) then return .ok s
  let source := text ++ " := sorry"
  match (← parseSingle st source) with
  | .error log => return .error (← failedBy "statement" log)
  | .ok stx =>
    if let some why := refuseCode w st j stx then return .error why
    if !isStatement text stx then return .error notStatement
    let some declId := findKind 4 ``Parser.Command.declId stx | return .error notStatement
    let some signature := findKind 4 ``Parser.Command.declSig stx | return .error notStatement
    let run (st : Command.State) : IO Command.State := runClaimed w (inputContext source) st stx
    let strictly ← run (withStrictNames st)
    let loosely ← if isWhole st strictly declId then pure none else bindingAsBefore st stx declId (← run st)
    let after := loosely.getD strictly
    if after.messages.hasErrors then return .error (← failedBy "statement" after.messages)
    let some info := newTheorem st after declId
      | return .error (.failed "statement" "the statement does not introduce a new theorem" [])
    if info.type.hasSyntheticSorry then
      return .error (.failed "statement" "a variable before the statement has a type that nobody declares" [])
    let named := binderNames (signature.getArg 0).getArgs
    let all := forallNames info.type
    let offset := offsetOf all named
    let s : Statement := {
      name := info.name, levels := info.levelParams, type := info.type, env := after.env
      strict := loosely.isNone, intros := offset + named.length, bound := (mentionedIn st stx).boundIn (.thmInfo info) }
    w.statements.set ((key, s) :: (if known.length > 64 then known.take 16 else known))
    return .ok s
where
  bindingAsBefore (st : Command.State) (stx declId : Syntax) (after : Command.State) : IO (Option Command.State) := do
    let some library ← importsOf w | return none
    let some info := newTheorem st after declId | return none
    let binds := bindsAsBefore library st stx info.levelParams info.type
    return if isWhole st after declId && binds then some after else none
  -- Lean reports a variable whose type does not elaborate only once
  isWhole (st after : Command.State) (declId : Syntax) : Bool :=
    !after.messages.hasErrors && !(newTheorem st after declId).any (·.type.hasSyntheticSorry)
  notStatement : Answer := .failed "statement" "a statement is `theorem name binders : type`, without a proof" []

end Orch
