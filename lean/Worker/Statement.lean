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

/-- Auto-bound and section variables come before the named binders: where do the named ones start? -/
def offsetOf (all named : List Name) : Nat :=
  ((List.range (all.length + 1)).find? fun k => agree (all.drop k) named).getD 0

def currentNamespace (st : Command.State) : Name :=
  match st.scopes with | scope :: _ => scope.currNamespace | [] => .anonymous

def fullName (st : Command.State) (n : Name) : Name :=
  if rootNamespace.isPrefixOf n then n.replacePrefix rootNamespace .anonymous else currentNamespace st ++ n

/-- Lean would make a variable of any single letter that nobody declared. Here only a lower-case or Greek one is meant as
such, unless the text relaxes the rule: `ℝ` without a library is an error and not a type of its own. -/
def mayBindItself (n : Name) : Bool :=
  match n with
  | .str .anonymous s => n.hasMacroScopes || s.toList.head?.all fun c => c.isLower || c == '_' || ('Ͱ' ≤ c && c ≤ 'Ͽ')
  | _ => true

/-- The names that a syntax tree binds in braces. -/
partial def boundInBraces (stx : Syntax) : List Name :=
  let isBinder := stx.getKind == ``Parser.Term.implicitBinder || stx.getKind == ``Parser.Term.strictImplicitBinder
  (if isBinder then (stx.getArg 1).getArgs.toList.map (·.getId) else []) ++ stx.getArgs.toList.flatMap boundInBraces

/-- A name that Lean bound by itself at the front of a statement, and that the text does not mean as a variable. -/
def boundByMistake (st : Command.State) (signature : Syntax) (type : Expr) : Option Name := do
  let scope ← st.scopes.head?
  if relaxedAutoImplicit.get scope.opts then none
  let meant := binderNames (scope.varDecls.map (·.raw)) ++ binderNames (signature.getArg 0).getArgs ++ boundInBraces signature
  front meant type
where
  front (meant : List Name) : Expr → Option Name
    | .forallE n _ b info =>
      if meant.contains n || mayBindItself n then front meant b
      else if info == .implicit then some n
      else none
    | .mdata _ b => front meant b
    | _ => none

/-- The theorem that a command declares: what is new after it under the name of its `declId`. -/
def newTheorem (st after : Command.State) (declId : Syntax) : Option TheoremVal := do
  let name := fullName st (declId.getArg 0).getId
  [name, mkPrivateName after.env name].findSome? fun n =>
    match after.env.find? n with
    | some (.thmInfo info) => if st.env.contains n then none else some info
    | _ => none

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
    let some declId := findKind 4 ``Parser.Command.declId stx | return .error notStatement
    let some signature := findKind 4 ``Parser.Command.declSig stx | return .error notStatement
    let after ← runCommand w (inputContext source) st stx
    if after.messages.hasErrors then return .error (← failedBy "statement" after.messages)
    let some info := newTheorem st after declId
      | return .error (.failed "statement" "the statement does not introduce a new theorem" [])
    let named := binderNames (signature.getArg 0).getArgs
    let all := forallNames info.type
    let offset := offsetOf all named
    if let some n := boundByMistake st signature info.type then
      return .error (.failed "statement"
        s!"{nameText n} is not declared; who means a variable says so, or `set_option relaxedAutoImplicit true`" [])
    let s : Statement := {
      name := info.name, levels := info.levelParams, type := info.type, env := after.env, intros := offset + named.length }
    w.statements.set ((key, s) :: (if known.length > 64 then known.take 16 else known))
    return .ok s
where
  notStatement : Answer := .failed "statement" "a statement is `theorem name binders : type`, without a proof" []

end Orch
