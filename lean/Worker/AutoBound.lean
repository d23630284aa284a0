import Worker.Changes

/-! By default Lean turns any undeclared name into a variable. Files follow Lean's rule and their own options, and the names
   bound this way are listed. Claims follow a stricter rule. A statement may bind a letter with digits (Lean's strict rule),
   lower-case ASCII words, and longer words that the text before it uses as variables. The text before it may bind words in
   lower case or Greek. So `ℝ` without a library is an error in a claim and not a new type variable, unless the text says
   `set_option relaxedAutoImplicit true`. -/

open Lean Meta Elab

namespace Orch

def mayBindItself (n : Name) : Bool :=
  match n with
  | .str .anonymous s => n.hasMacroScopes || s.toList.head?.all fun c => c.isLower || c == '_' || ('Ͱ' ≤ c && c ≤ 'Ͽ')
  | _ => true

/-- The names that a syntax tree mentions, and those of them that it binds in brackets. -/
structure Mentioned where
  all : NameSet := {}
  bound : NameSet := {}
  /-- does it set `relaxedAutoImplicit` for itself? -/
  relaxed : Bool := false

def binders : List Name :=
  [``Parser.Term.explicitBinder, ``Parser.Term.implicitBinder, ``Parser.Term.strictImplicitBinder, ``Parser.Term.instBinder]

partial def Mentioned.visit (m : Mentioned) (stx : Syntax) : Mentioned :=
  match stx with
  | .ident _ _ n _ => { m with all := m.all.insert n }
  | .node _ kind args =>
    let names := if binders.contains kind then stx[1].getArgs
      else if kind == ``Parser.Command.declId then stx[1][1].getSepArgs else #[]
    let m := { m with
      bound := names.foldl (fun bound n => bound.insert n.getId) m.bound
      relaxed := m.relaxed || (kind == ``Parser.Command.set_option && stx[1].getId == `relaxedAutoImplicit && stx[3].isToken "true") }
    args.foldl Mentioned.visit m
  | _ => m

/-- The names that a command and the variables before it mention and bind, in the command's scope. -/
def mentionedIn (st : Command.State) (stx : Syntax) : Mentioned :=
  match st.scopes with
  | scope :: _ =>
    let m := scope.varDecls.foldl (fun m binder => m.visit binder.raw) (Mentioned.visit {} stx)
    { m with bound := scope.levelNames.foldl (·.insert ·) m.bound }
  | [] => Mentioned.visit {} stx

def Mentioned.join (m n : Mentioned) : Mentioned :=
  { all := n.all.foldl (·.insert ·) m.all, bound := n.bound.foldl (·.insert ·) m.bound, relaxed := m.relaxed || n.relaxed }

/-- The implicit variables in front of a type. -/
def implicitNames : Expr → List Name
  | .forallE n _ b info => if info == .implicit then n :: implicitNames b else implicitNames b
  | .mdata _ b => implicitNames b
  | _ => []

/-- The names that Lean bound automatically in front of a constant: the text mentions them and binds them nowhere. -/
def Mentioned.boundIn (m : Mentioned) (info : ConstantInfo) : List Name :=
  let isFree (n : Name) : Bool := m.all.contains n && !m.bound.contains n
  info.levelParams.filter isFree ++ (implicitNames info.type).filter isFree

/-- Does the text set `relaxedAutoImplicit`? -/
def isRelaxed (o : Options) : Bool := relaxedAutoImplicit.get? o == some true

/-- The state in which a statement is elaborated. The strict rule applies unless the text before it relaxes it. -/
def withStrictNames (st : Command.State) : Command.State :=
  match st.scopes with
  | scope :: rest =>
    if (relaxedAutoImplicit.get? scope.opts).isSome then st
    else { st with scopes := { scope with opts := relaxedAutoImplicit.set scope.opts false } :: rest }
  | [] => st

/-- A name that Lean bound automatically although the rule for claims does not allow it. -/
def boundByMistake (st : Command.State) (after : Environment) (stx : Syntax) : Option Name := do
  let scope ← st.scopes.head?
  if isRelaxed scope.opts then none
  let mentioned := mentionedIn st stx
  let isMistake (n : Name) : Bool := !mayBindItself n && mentioned.all.contains n && !mentioned.bound.contains n
  if mentioned.relaxed || mentioned.all.all (!isMistake ·) then none
  (addedTo st.env after).findSome? fun info =>
    if standsInText after info.name then (implicitNames info.type).find? isMistake else none

/-- A letter with the suffix that the strict rule allows, or a name that Lean generated. -/
def isShort (n : Name) : Bool :=
  n.hasMacroScopes || match n with
    | .str .anonymous s => (s.toList.drop 1).all fun c => c.isDigit || c == '_' || c == '\'' || isSubScriptAlnum c
    | _ => false

/-- `xs`, `acc`: names that cannot be mistaken for a type of a library. -/
def isLowerWord (n : Name) : Bool :=
  match n with
  | .str .anonymous s => match s.toList with
    | c :: rest => isLower c && rest.all fun c => isLower c || c.isDigit || c == '_' || c == '\''
    | [] => false
  | _ => false
where
  isLower (c : Char) : Bool := 'a' ≤ c && c ≤ 'z'

/-- Is every longer name that a statement bound in lower case, or also bound by the text before it? -/
def bindsAsBefore (library : Environment) (st : Command.State) (stx : Syntax) (levels : List Name) (type : Expr) : Bool :=
  let declared := st.scopes.head?.map (·.levelNames) |>.getD []
  let mentioned := mentionedIn st stx
  let isPlain (n : Name) : Bool := isShort n || isLowerWord n
  let longer := (implicitNames type).filter fun n => !isPlain n && !mentioned.bound.contains n
  levels.all (fun n => isPlain n || declared.contains n) && (longer.isEmpty ||
    let known : NameSet := (addedTo library st.env).foldl (init := {}) fun known info =>
      (implicitNames info.type).foldl (·.insert ·) known
    longer.all known.contains)

end Orch
