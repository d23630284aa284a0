import Worker.Preamble

/-! The judge. It runs in a process of its own that never elaborates a proof: it elaborates the preamble and the
statement, reads an export as data, and lets the kernel decide. Every row is checked before it becomes an object: known
shape, references to earlier rows only, bounded sizes and depths. -/

open Lean Meta Elab

namespace Orch

def maxRows : Nat := 2000000
def maxDepth : Nat := 20000
def maxLevelDepth : Nat := 200
def maxDigits : Nat := 20000

structure Tables where
  names : Array Name := #[.anonymous]
  levels : Array Level := #[.zero]
  levelDepths : Array Nat := #[0]
  /-- each with its depth -/
  exprs : Array (Expr × Nat) := #[]
  /-- the constants that expressions name -/
  mentioned : List Name := []
  /-- the form stage: are depths, sizes and loose bound variables checked? -/
  strict : Bool := true

abbrev Read := Except Refusal

def malformed {α : Type} (what : String) : Read α := .error (.mk "malformed-export" ("the export is malformed: " ++ what))

def readNat (j : Json) : Read Nat :=
  match j.getNat? with | .ok n => .ok n | .error _ => malformed "a number is expected"

def rowAt {α : Type} (what : String) (a : Array α) (j : Json) : Read α :=
  match j.getNat? with
  | .ok i => match a[i]? with
    | some x => .ok x
    | none => malformed ("a reference to a later or missing " ++ what)
  | .error _ => malformed ("a reference to a " ++ what ++ " is expected")

partial def rowsAt {α : Type} (what : String) (a : Array α) (js : List Json) (acc : List α) : Read (List α) :=
  match js with
  | [] => .ok (reverseOnto acc [])
  | j :: r => match rowAt what a j with
    | .ok x => rowsAt what a r (x :: acc)
    | .error e => .error e

def maxNat (a b : Nat) : Nat := if a < b then b else a

partial def readNames (js : List Json) (t : Tables) : Read Tables :=
  match js with
  | [] => .ok t
  | .arr row :: r =>
    match row.toList with
    | [p, part] =>
      match rowAt "name" t.names p with
      | .error e => .error e
      | .ok p =>
        match part with
        | .str s => readNames r { t with names := t.names.push (.str p s) }
        | part => match part.getNat? with
          | .ok k => readNames r { t with names := t.names.push (.num p k) }
          | .error _ => malformed "a name has a wrong part"
    | _ => malformed "a name row has two items"
  | _ => malformed "a name row is an array"

def levelRow (t : Tables) (row : List Json) : Read (Level × Nat) := do
  match row with
  | [.str "s", a] =>
    let l ← rowAt "level" t.levels a; let d ← rowAt "level" t.levelDepths a
    .ok (.succ l, d + 1)
  | [.str "m", a, b] =>
    let l ← rowAt "level" t.levels a; let m ← rowAt "level" t.levels b
    let d ← rowAt "level" t.levelDepths a; let c ← rowAt "level" t.levelDepths b
    .ok (.max l m, maxNat d c + 1)
  | [.str "i", a, b] =>
    let l ← rowAt "level" t.levels a; let m ← rowAt "level" t.levels b
    let d ← rowAt "level" t.levelDepths a; let c ← rowAt "level" t.levelDepths b
    .ok (.imax l m, maxNat d c + 1)
  | [.str "p", n] => let n ← rowAt "name" t.names n; .ok (.param n, 0)
  | _ => malformed "a level row has an unknown shape"

partial def readLevels (js : List Json) (t : Tables) : Read Tables :=
  match js with
  | [] => .ok t
  | .arr row :: r =>
    match levelRow t row.toList with
    | .error e => .error e
    | .ok (l, depth) =>
      if t.strict && depth > maxLevelDepth then malformed "a universe level is nested too deeply"
      else readLevels r { t with levels := t.levels.push l, levelDepths := t.levelDepths.push depth }
  | _ => malformed "a level row is an array"

def binderOf (j : Json) : Read BinderInfo := do
  match (← readNat j) with
  | 0 => .ok .default
  | 1 => .ok .implicit
  | 2 => .ok .strictImplicit
  | 3 => .ok .instImplicit
  | _ => malformed "an unknown kind of binder"

def exprRow (t : Tables) (row : List Json) : Read (Expr × Nat) := do
  match row with
  | [.str "a", f, a] =>
    let (x, d) ← rowAt "expression" t.exprs f; let (y, c) ← rowAt "expression" t.exprs a
    .ok (.app x y, maxNat d c + 1)
  | [.str "c", n, .arr ls] =>
    let n ← rowAt "name" t.names n
    let ls ← rowsAt "level" t.levels ls.toList []
    .ok (.const n ls, 0)
  | [.str "b", k] =>
    let k ← readNat k
    if t.strict && k > maxDepth then malformed "a bound variable is out of range" else .ok (.bvar k, 0)
  | [.str "s", l] => let l ← rowAt "level" t.levels l; .ok (.sort l, 0)
  | [.str "l", n, i, a, b] =>
    let n ← rowAt "name" t.names n; let i ← binderOf i
    let (x, d) ← rowAt "expression" t.exprs a; let (y, c) ← rowAt "expression" t.exprs b
    .ok (.lam n x y i, maxNat d c + 1)
  | [.str "p", n, i, a, b] =>
    let n ← rowAt "name" t.names n; let i ← binderOf i
    let (x, d) ← rowAt "expression" t.exprs a; let (y, c) ← rowAt "expression" t.exprs b
    .ok (.forallE n x y i, maxNat d c + 1)
  | [.str "d", n, a, v, b, .bool nonDependent] =>
    let n ← rowAt "name" t.names n
    let (x, d) ← rowAt "expression" t.exprs a; let (z, f) ← rowAt "expression" t.exprs v
    let (y, c) ← rowAt "expression" t.exprs b
    .ok (.letE n x z y nonDependent, maxNat d (maxNat f c) + 1)
  | [.str "n", .str digits] =>
    if t.strict && digits.length > maxDigits then malformed "a number has too many digits" else
    match digits.toNat? with
    | some k => .ok (.lit (.natVal k), 0)
    | none => malformed "a number literal is not a number"
  | [.str "t", .str s] => .ok (.lit (.strVal s), 0)
  | [.str "j", s, i, b] =>
    let s ← rowAt "name" t.names s; let i ← readNat i
    let (x, d) ← rowAt "expression" t.exprs b
    .ok (.proj s i x, d + 1)
  | _ => malformed "an expression row has an unknown shape"

partial def readExprs (js : List Json) (t : Tables) : Read Tables :=
  match js with
  | [] => .ok t
  | .arr row :: r =>
    match exprRow t row.toList with
    | .error e => .error e
    | .ok (e, depth) =>
      if t.strict && depth > maxDepth then malformed "an expression is nested too deeply"
      else
        let mentioned := match e with | .const n _ => n :: t.mentioned | .proj n _ _ => n :: t.mentioned | _ => t.mentioned
        readExprs r { t with exprs := t.exprs.push (e, depth), mentioned }
  | _ => malformed "an expression row is an array"

def field (j : Json) (key : String) : Read Json :=
  match j.getObjVal? key with | .ok v => .ok v | .error _ => malformed ("the field " ++ key ++ " is missing")

def items (j : Json) (key : String) : Read (List Json) := do
  match (← field j key) with
  | .arr a => if a.size > maxRows then malformed (key ++ " is too large") else .ok a.toList
  | _ => malformed (key ++ " is not an array")

def firstDropped (js : List Json) : List Json := match js with | [] => [] | _ :: r => r

/-! ### Declarations -/

def closedExpr (t : Tables) (j : Json) (key : String) : Read Expr := do
  let (e, _) ← rowAt "expression" t.exprs (← field j key)
  if t.strict && e.hasLooseBVars then malformed "a type or value has a loose bound variable" else .ok e

def readHints (j : Json) : Read ReducibilityHints := do
  match (← field j "hints") with
  | .str "opaque" => .ok .opaque
  | .str "abbrev" => .ok .abbrev
  | h => .ok (.regular (UInt32.ofNat (← readNat h)))

partial def readConstructors (t : Tables) (js : List Json) (acc : List Constructor) : Read (List Constructor) :=
  match js with
  | [] => .ok (reverseOnto acc [])
  | .arr row :: r =>
    match row.toList with
    | [n, e] => match rowAt "name" t.names n, rowAt "expression" t.exprs e with
      | .ok name, .ok (type, _) =>
        if t.strict && type.hasLooseBVars then malformed "a constructor has a loose bound variable"
        else readConstructors t r ({ name, type } :: acc)
      | .error e, _ => .error e
      | _, .error e => .error e
    | _ => malformed "a constructor row has two items"
  | _ => malformed "a constructor row is an array"

partial def readTypes (t : Tables) (js : List Json) (acc : List InductiveType) : Read (List InductiveType) := do
  match js with
  | [] => .ok (reverseOnto acc [])
  | j :: r =>
    let name ← rowAt "name" t.names (← field j "name")
    let type ← closedExpr t j "type"
    let ctors ← readConstructors t (← items j "constructors") []
    readTypes t r ({ name, type, ctors } :: acc)

def mustBeSafe (j : Json) : Read Unit := do
  match (← field j "safe") with
  | .bool true => .ok ()
  | _ => .error (.mk "unsafe" "the proof uses an unsafe or partial definition")

structure NewConstant where
  name : Name
  levels : List Name
  type : Expr
  declaration : Declaration

def readDeclaration (t : Tables) (j : Json) : Read NewConstant := do
  let kind ← field j "kind"
  let levels ← rowsAt "name" t.names (← items j "levels") []
  match kind with
  | .str "inductive" =>
    mustBeSafe j
    let types ← readTypes t (← items j "types") []
    let parameters ← readNat (← field j "parameters")
    match types with
    | first :: _ => .ok { name := first.name, levels, type := first.type, declaration := .inductDecl levels parameters types false }
    | [] => malformed "an inductive block has no type"
  | kind =>
    let name ← rowAt "name" t.names (← field j "name")
    let type ← closedExpr t j "type"
    let toNew (declaration : Declaration) : NewConstant := { name, levels, type, declaration }
    match kind with
    | .str "theorem" =>
      let value ← closedExpr t j "value"
      .ok (toNew (.thmDecl { name, levelParams := levels, type, value }))
    | .str "definition" =>
      mustBeSafe j
      let value ← closedExpr t j "value"
      let hints ← readHints j
      .ok (toNew (.defnDecl { name, levelParams := levels, type, value, hints, safety := .safe }))
    | .str "opaque" =>
      mustBeSafe j
      let value ← closedExpr t j "value"
      .ok (toNew (.opaqueDecl { name, levelParams := levels, type, value, isUnsafe := false }))
    | .str "axiom" => .ok (toNew (.axiomDecl { name, levelParams := levels, type, isUnsafe := false }))
    | _ => malformed "an unknown kind of declaration"

partial def readDeclarations (t : Tables) (js : List Json) (acc : List NewConstant) : Read (List NewConstant) :=
  match js with
  | [] => .ok (reverseOnto acc [])
  | j :: r => match readDeclaration t j with
    | .ok d => readDeclarations t r (d :: acc)
    | .error e => .error e

structure Candidate where
  theorems : List Name
  constants : List NewConstant
  mentioned : List Name

def readExport (j : Json) (strict : Bool) : Read Candidate := do
  let format ← readNat (← field j "format")
  if format != 1 then malformed "an unknown format version" else
  let t ← readNames (firstDropped (← items j "names")) { strict }
  let t ← readLevels (firstDropped (← items j "levels")) t
  let t ← readExprs (← items j "exprs") t
  let theorems ← rowsAt "name" t.names (← items j "theorems") []
  let constants ← readDeclarations t (← items j "declarations") []
  .ok { theorems, constants, mentioned := t.mentioned }

/-! ### Judging -/

/-- Annotations mean nothing to the kernel, and exports have none. -/
partial def withoutAnnotations (e : Expr) : Expr :=
  match e with
  | .mdata _ b => withoutAnnotations b
  | .app f a => .app (withoutAnnotations f) (withoutAnnotations a)
  | .lam n t b i => .lam n (withoutAnnotations t) (withoutAnnotations b) i
  | .forallE n t b i => .forallE n (withoutAnnotations t) (withoutAnnotations b) i
  | .letE n t v b d => .letE n (withoutAnnotations t) (withoutAnnotations v) (withoutAnnotations b) d
  | .proj s i b => .proj s i (withoutAnnotations b)
  | e => e

def sameUpToAnnotations (a b : Expr) : Bool := a == b || withoutAnnotations a == b

partial def findConstant (n : Name) (xs : List NewConstant) : Option NewConstant :=
  match xs with | [] => none | x :: r => if x.name == n then some x else findConstant n r

/-- Is what was exported the theorem of this name, with these universes and this type? -/
def bind (name : Name) (levels : List Name) (type : Expr) (constants : List NewConstant) : Option Refusal :=
  match findConstant name constants with
  | none => some (.mk "statement-changed" "the theorem is missing")
  | some x =>
    if x.levels != levels then some (.mk "statement-changed" "the universe parameters differ from the statement")
    else if sameUpToAnnotations type x.type then none
    else some (.mk "statement-changed" "the type differs from the statement")

/-- A proof may not declare axioms. (A file may; whether they are allowed is the axiom stage's question.) -/
partial def firstAxiom (xs : List NewConstant) : Option Refusal :=
  match xs with
  | [] => none
  | x :: r => match x.declaration with
    | .axiomDecl _ => some (.mk "axiom" ("the proof declares a new axiom " ++ nameText x.name))
    | _ => firstAxiom r

/-- The kernel runs compiled code when it meets these, so what names them is refused before it sees it. -/
def runsCompiledCode (ns : List Name) : Bool := hasName `Lean.reduceBool ns || hasName `Lean.reduceNat ns

def declarationConstants (d : Declaration) : List Name :=
  match d with
  | .thmDecl v => append v.type.getUsedConstants.toList v.value.getUsedConstants.toList
  | .defnDecl v => append v.type.getUsedConstants.toList v.value.getUsedConstants.toList
  | .opaqueDecl v => append v.type.getUsedConstants.toList v.value.getUsedConstants.toList
  | .axiomDecl v => v.type.getUsedConstants.toList
  | .inductDecl _ _ types _ => dataConstants types []
  | _ => []

def compilerRefusal : Refusal := .mk "axiom" ("the proof rests on the axiom " ++ nameText compilerAxiom)

/-- Let the kernel add each constant. One that it refuses is left out; so is, with `wary`, one that would run code. -/
partial def addAll (w : Worker) (checked wary : Bool) (xs : List NewConstant) (s : Judged) : Judged :=
  match xs with
  | [] => s
  | x :: r =>
    if wary && runsCompiledCode (declarationConstants x.declaration) then
      addAll w checked wary r { s with refused := (x.name, compilerRefusal) :: s.refused } else
    match s.env.addDeclCore 0 x.declaration (some w.cancel) checked with
    | .ok env => addAll w checked wary r { s with env }
    | .error e => addAll w checked wary r { s with refused := (x.name, reasonFor e x.name s.refused) :: s.refused }

/-- The stages that a request runs: all, unless it names fewer. -/
def runs (j : Json) (stage : String) : Bool :=
  match j.getObjVal? "stages" with
  | .ok (.arr a) => a.toList.contains (Json.str stage)
  | _ => true

/-- The verdict on one theorem after the kernel has seen everything. -/
def verdictOn (j : Json) (imports : Environment) (s : Judged) (bound : Option Refusal) (name : Name) : Answer :=
  let named : Fields := [("name", Json.str (nameText name))]
  match bound with
  | some r => refusalAnswer r named
  | none =>
    match refusalOf name s.refused with
    | some r => refusalAnswer r named
    | none =>
      if (s.env.find? name).isNone then refusalAnswer (.mk "statement-changed" "the theorem is missing") named else
      let (_, axioms) := axiomsUnder imports s.env [name] {} []
      let fields := append named (axiomFields axioms)
      match (if runs j "axioms" then judgeAxioms axioms (allowedAxioms j) else none) with
      | some r => refusalAnswer r fields
      | none => .done fields

def exportOf (j : Json) : Json := match j.getObjVal? "export" with | .ok e => e | .error _ => Json.null

def isWary (j : Json) (candidate : Candidate) : Bool :=
  runs j "axioms" && runsCompiledCode candidate.mentioned && !(hasName compilerAxiom (allowedAxioms j))

/-- Judge a candidate for a statement, on top of its preamble. -/
def opJudge (w : Worker) (j : Json) : IO Answer := do
  match (← getSession w j), (← importsOf w) with
  | some session, some imports =>
    let st := prepared session (heartbeatsOf j) false
    let number := getNat j "session" 0
    match (← elaborateStatement w st number (getText j "statement" "")) with
    | .error a => return a
    | .ok s =>
      match readExport (exportOf j) (runs j "form") with
      | .error r => return refusalAnswer r []
      | .ok candidate =>
        let bound := if runs j "binding" then bind s.name s.levels s.type candidate.constants else none
        let declared := if runs j "axioms" then firstAxiom candidate.constants else none
        let refused := match declared with | some r => some r | none => bound
        if refused.isSome then return verdictOn j imports { env := st.env } refused s.name
        let checked := runs j "kernel"
        let base ← if checked then replaySession w imports st.env number candidate.mentioned
          else pure { env := st.env }
        return verdictOn j imports (addAll w checked (isWary j candidate) candidate.constants base) none s.name
  | _, _ => return noSession

/-! ### Whole files -/

partial def sameConstructors (reference : Environment) (names : List Name) (cs : List Constructor) : Bool :=
  match names, cs with
  | [], [] => true
  | n :: ns, c :: r => n == c.name && sameConstructors reference ns r &&
    match reference.find? n with | some info => sameUpToAnnotations info.type c.type | none => false
  | _, _ => false

partial def sameData (reference : Environment) (types : List InductiveType) : Bool :=
  match types with
  | [] => true
  | t :: r => sameData reference r &&
    match reference.find? t.name with
    | some (.inductInfo v) => sameUpToAnnotations v.type t.type && sameConstructors reference v.ctors t.ctors
    | _ => false

/-- Does a constant of the file agree with the reference? Theorems are bound one by one, so they do not count here. -/
def agrees (env : Environment) (reference : ConstantInfo) (x : NewConstant) : Bool :=
  let sameHead := reference.levelParams == x.levels && sameUpToAnnotations reference.type x.type
  match reference, x.declaration with
  | .thmInfo _, .thmDecl _ => true
  | .axiomInfo _, .axiomDecl _ => sameHead
  | .defnInfo v, .defnDecl d => sameHead && sameUpToAnnotations v.value d.value
  | .opaqueInfo v, .opaqueDecl d => sameHead && sameUpToAnnotations v.value d.value
  | .inductInfo v, .inductDecl _ parameters types _ => sameHead && v.numParams == parameters && sameData env types
  | _, _ => false

/-- The first constant of the file that the reference has too, but otherwise. -/
partial def firstDisagreement (reference : Environment) (xs : List NewConstant) : Option Name :=
  match xs with
  | [] => none
  | x :: r => match reference.find? x.name with
    | some info => if agrees reference info x then firstDisagreement reference r else some x.name
    | none => firstDisagreement reference r

def boundIn (reference : Environment) (constants : List NewConstant) (name : Name) : Option Refusal :=
  match reference.find? name with
  | some info => bind name info.levelParams info.type constants
  | none => some (.mk "statement-changed" "the reference does not state it")

/-- The names of a text as the environment has them: those of private theorems are longer. -/
partial def namesIn (env : Environment) (ns : List Name) (acc : List Name) : List Name :=
  match ns with
  | [] => reverseOnto acc []
  | n :: r =>
    let hidden := mkPrivateName env n
    namesIn env r ((if (env.find? n).isNone && (env.find? hidden).isSome then hidden else n) :: acc)

partial def verdictsOn (j : Json) (imports : Environment) (s : Judged) (bound : Name → Option Refusal) (names : List Name)
    (acc : Array Json) : Array Json :=
  match names with
  | [] => acc
  | n :: r => verdictsOn j imports s bound r (acc.push (verdictOn j imports s (bound n) n).json)

/-- Judge theorems of a whole file on top of the imports. With a reference, everything that both declare must agree, and
the theorems are those that the reference names; a theorem that the file lacks is refused. -/
def opJudgeFile (w : Worker) (j : Json) : IO Answer := do
  match (← importsOf w) with
  | none => return noSession
  | some imports =>
    match readExport (exportOf j) (runs j "form") with
    | .error r => return refusalAnswer r []
    | .ok candidate =>
      let reference ← getSession w j
      let isBound := getFlag j "against" && runs j "binding"
      let disagreement := match reference with
        | some st => if isBound then firstDisagreement st.env candidate.constants else none
        | none => none
      let bound := fun (n : Name) => match reference, disagreement with
        | some st, none => if isBound then boundIn st.env candidate.constants n else none
        | some _, some d => some (.mk "statement-changed" ("the file defines " ++ nameText d ++ " otherwise than the reference"))
        | none, _ => none
      let written := toNames (texts (getItems j "names") []) []
      let names := match reference with
        | some st => if getFlag j "against" then namesIn st.env written [] else candidate.theorems
        | none => candidate.theorems
      let judged := addAll w (runs j "kernel") (isWary j candidate) candidate.constants { env := imports }
      return .done [("theorems", Json.arr (verdictsOn j imports judged bound names #[]))]

end Orch
