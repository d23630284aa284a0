import Worker.Changes

/-! Lean makes a variable of any name that nobody declared. Here only one in lower case or Greek is meant as such, unless the text
relaxes the rule: `ℝ` without a library is an error and not a type of its own. A statement binds by Lean's strict rule besides, a
letter with digits: what it means must not hang on a word that nobody has declared. A longer word is a variable in it only where
the text before has it as one: parts of files rely on that. -/

open Lean Meta Elab

namespace Orch

def mayBindItself (n : Name) : Bool :=
  match n with
  | .str .anonymous s => n.hasMacroScopes || s.toList.head?.all fun c => c.isLower || c == '_' || ('Ͱ' ≤ c && c ≤ 'Ͽ')
  | _ => true

/-- The names that a syntax tree mentions, and among them those that it binds in brackets. -/
structure Mentioned where
  all : NameSet := {}
  bound : NameSet := {}
  /-- does it relax the rule for itself? -/
  relaxed : Bool := false

def binders : List Name :=
  [``Parser.Term.explicitBinder, ``Parser.Term.implicitBinder, ``Parser.Term.strictImplicitBinder, ``Parser.Term.instBinder]

partial def Mentioned.visit (m : Mentioned) (stx : Syntax) : Mentioned :=
  match stx with
  | .ident _ _ n _ => if mayBindItself n then m else { m with all := m.all.insert n }
  | .node _ kind args =>
    let names := if binders.contains kind then stx[1].getArgs else #[]
    let m := { m with
      bound := names.foldl (fun bound n => bound.insert n.getId) m.bound
      relaxed := m.relaxed || (kind == ``Parser.Command.set_option && stx[1].getId == `relaxedAutoImplicit && stx[3].isToken "true") }
    args.foldl Mentioned.visit m
  | _ => m

/-- Has the text relaxed the rule? -/
def isRelaxed (o : Options) : Bool := relaxedAutoImplicit.get? o == some true

/-- The state in which a statement is elaborated: strict, unless the text before it says otherwise. -/
def withStrictNames (st : Command.State) : Command.State :=
  match st.scopes with
  | scope :: rest =>
    if (relaxedAutoImplicit.get? scope.opts).isSome then st
    else { st with scopes := { scope with opts := relaxedAutoImplicit.set scope.opts false } :: rest }
  | [] => st

/-- The implicit variables in front of a type. -/
def implicitNames : Expr → List Name
  | .forallE n _ b info => if info == .implicit then n :: implicitNames b else implicitNames b
  | .mdata _ b => implicitNames b
  | _ => []

/-- A name that Lean bound by itself in front of what a command declares, and that the text does not mean as a variable. -/
def boundByMistake (st : Command.State) (after : Environment) (stx : Syntax) : Option Name := do
  let scope ← st.scopes.head?
  if isRelaxed scope.opts then none
  let mentioned := scope.varDecls.foldl (fun m binder => m.visit binder.raw) (Mentioned.visit {} stx)
  if mentioned.relaxed || mentioned.all.all mentioned.bound.contains then none
  let isMistake (n : Name) : Bool := mentioned.all.contains n && !mentioned.bound.contains n
  (addedTo st.env after).findSome? fun info =>
    if standsInText after info.name then (implicitNames info.type).find? isMistake else none

/-- A letter and what may stand behind it by the strict rule, or a name that Lean made up. -/
def isShort (n : Name) : Bool :=
  n.hasMacroScopes || match n with
    | .str .anonymous s => (s.toList.drop 1).all fun c => c.isDigit || c == '_' || c == '\'' || isSubScriptAlnum c
    | _ => false

/-- Is every longer word that a statement made a variable one of the text before it too? -/
def bindsAsBefore (library : Environment) (st : Command.State) (stx : Syntax) (levels : List Name) (type : Expr) : Bool :=
  let declared := st.scopes.head?.map (·.levelNames) |>.getD []
  let variables := st.scopes.head?.map (·.varDecls) |>.getD #[]
  let mentioned := variables.foldl (fun m binder => m.visit binder.raw) (Mentioned.visit {} stx)
  let longer := (implicitNames type).filter fun n => !isShort n && !mentioned.bound.contains n
  levels.all (fun n => isShort n || declared.contains n) && (longer.isEmpty ||
    let known : NameSet := (addedTo library st.env).foldl (init := {}) fun known info =>
      (implicitNames info.type).foldl (·.insert ·) known
    longer.all known.contains)

end Orch
