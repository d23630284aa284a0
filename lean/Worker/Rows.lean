import Worker.Answers

/-! Reading an export (docs/PROTOCOL.md): the form check that statement data and candidate data both pass. Every row is checked
   before it becomes an object: known shape, references to earlier rows only, bounded sizes and depths, no loose bound
   variables. Expression rows are read when a declaration needs them, because only then are their names mapped. This is
   interpreted code that runs for every row of every proof, so small functions are inlined and nothing is looked up twice. -/

open Lean

namespace Orch

/-- Why something is refused: a kind of docs/PROTOCOL.md and a message. -/
structure Refusal where
  kind : String
  message : String

def refusalAnswer (r : Refusal) (fields : Fields) : Answer := .failed r.kind r.message fields

abbrev Read := Except Refusal

def malformed {α : Type} (what : String) : Read α := throw ⟨"malformed-export", "the export is malformed: " ++ what⟩

def maxRows : Nat := 2000000
def maxDepth : Nat := 20000
def maxLevelDepth : Nat := 200
def maxDigits : Nat := 20000

@[inline] def readNat (j : Json) : Read Nat :=
  match j with | .num ⟨.ofNat n, 0⟩ => .ok n | _ => malformed "a number is expected"

@[inline] def rowAt {α : Type} (what : String) (rows : Array α) (j : Json) : Read α := do
  match rows[← readNat j]? with
  | some x => pure x
  | none => malformed s!"a reference to a later or missing {what}"

def field (j : Json) (key : String) : Read Json :=
  match j.getObjVal? key with | .ok v => pure v | .error _ => malformed s!"the field {key} is missing"

def items (j : Json) (key : String) : Read (Array Json) := do
  match (← field j key) with
  | .arr a => if a.size > maxRows then malformed s!"{key} is too large" else pure a
  | _ => malformed s!"{key} is not an array"

/-- What a name of an export refers to while its rows are read. -/
inductive Meaning where
  /-- declared by the export itself, with the name that the judge uses -/
  | declared (target : Name) (universes : Nat)
  /-- the same for an inductive type, whose recursors are not declared -/
  | inductive (target : Name) (universes : Nat)

structure Tables where
  /-- the stage `form`: are depths, sizes and loose bound variables checked? -/
  strict : Bool
  /-- the stage `advisories`: are the names and universes checked that kernels have got wrong? -/
  careful : Bool
  library : Environment
  names : Array Name
  levels : Array Level
  /-- the rows of the expressions, read or not -/
  rows : Array Json
  /-- the expressions read so far, each with its depth -/
  exprs : Array (Expr × Nat) := #[]
  meanings : Std.HashMap Name Meaning := {}
  /-- Has `sorryAx`, or a constant that makes the kernel run compiled code, been named? -/
  suspicious : Bool := false
  /-- Has a projection been read? -/
  projects : Bool := false

/-- The kernel runs compiled code for these. -/
def runsCompiledCode (n : Name) : Bool := n == `Lean.reduceBool || n == `Lean.reduceNat

/-- A declaration that names one of these never reaches the kernel. -/
def isSuspicious (n : Name) : Bool :=
  n == `sorryAx || runsCompiledCode n || n == `Lean.ofReduceBool || n == `Lean.ofReduceNat || n == `Lean.trustCompiler

/-! ### Names and levels -/

def readNames (rows : Array Json) : Read (Array Name) := do
  let mut names : Array Name := #[.anonymous]
  for row in rows[1:] do
    match row with
    | .arr #[parent, part] =>
      let parent ← rowAt "name" names parent
      match part with
      | .str s => names := names.push (.str parent s)
      | part => match part.getNat? with
        | .ok k => names := names.push (.num parent k)
        | .error _ => malformed "a name has a wrong part"
    | _ => malformed "a name row is a pair"
  return names

/-- The level that a row stands for. A level that is zero for every choice of its parameters is written as zero, because the
   kernel tests some sorts only by their spelling. The parts are normalised already, so one step is enough. -/
def plainLevel : Level → Level
  | .max .zero .zero => .zero
  | .imax _ .zero => .zero
  | l => l

def readLevels (strict careful : Bool) (names : Array Name) (rows : Array Json) : Read (Array Level) := do
  let mut levels : Array Level := #[.zero]
  for row in rows[1:] do
    let level ← match row with
      | .arr #[.str "s", a] => pure (.succ (← rowAt "level" levels a))
      | .arr #[.str "m", a, b] => pure (.max (← rowAt "level" levels a) (← rowAt "level" levels b))
      | .arr #[.str "i", a, b] => pure (.imax (← rowAt "level" levels a) (← rowAt "level" levels b))
      | .arr #[.str "p", n] => pure (.param (← rowAt "name" names n))
      | _ => malformed "a level row has an unknown shape"
    if strict && level.depth > maxLevelDepth then malformed "a universe level is nested too deeply"
    levels := levels.push (if careful then plainLevel level else level)
  return levels

/-! ### Expressions -/

/-- The recursors generated with an inductive type: `T.rec`, and `T.rec_1`, … for nested types. -/
def isRecursorPart (s : String) : Bool := s == "rec" || (s.startsWith "rec_" && (s.drop 4).isNat)

/-- Roots under which the kernel and the judge generate names. -/
def isReserved (n : Name) : Bool :=
  match n.getRoot with
  | .str .anonymous s => ["_nested", "_nested_fresh", "_kernel_fresh", "_ind_fresh", "_judge"].contains s
  | _ => false

/-- What a name in an expression refers to, and the least and greatest number of its universes. -/
def Tables.lookUp (t : Tables) (n : Name) : Read (Name × Nat × Nat) :=
  match t.meanings[n]? with
  | some (.declared target k) | some (.inductive target k) => pure (target, k, k)
  | none =>
    let recursor := match n with
      | .str p s => if isRecursorPart s then
          match t.meanings[p]? with | some (.inductive target k) => some (.str target s, k, k + 1) | _ => none
        else none
      | _ => none
    match recursor with
    | some found => pure found
    | none =>
      match t.library.find? n with
      | some info => let k := info.levelParams.length; pure (n, k, k)
      | none => malformed s!"it names {nameText n}, which neither it nor the library declares"

/-- A name in an expression: one that the export declares, or one of the library. -/
def Tables.resolve (t : Tables) (n : Name) : Read Name := return (← t.lookUp n).1

/-- A constant with its universes. A wrong number is refused here, because the kernel can reduce a term before it counts them.
   -/
def Tables.constant (t : Tables) (n : Name) (levels : List Level) : Read Expr := do
  let (target, least, most) ← t.lookUp n
  let count := levels.length
  if t.careful && (count < least || count > most) then malformed s!"{nameText n} has a wrong number of universes"
  return .const target levels

def binderOf (j : Json) : Read BinderInfo := do
  match (← readNat j) with
  | 0 => pure .default
  | 1 => pure .implicit
  | 2 => pure .strictImplicit
  | 3 => pure .instImplicit
  | _ => malformed "an unknown kind of binder"

/-- An expression that was read before, and its depth. -/
@[inline] def Tables.exprAt (t : Tables) (j : Json) : Read (Expr × Nat) := rowAt "expression" t.exprs j

/-- `["a", f, x, y, …]`: a function and its arguments. Most rows are of this kind. -/
def Tables.application (t : Tables) (row : Array Json) : Read (Expr × Nat) := do
  let some f := row[1]? | malformed "an application has no function"
  let f ← t.exprAt f
  if row.size < 3 then malformed "an application has no argument"
  row.foldlM (start := 2) (init := f) fun (f, d) a => do
    let (a, c) ← t.exprAt a
    return (.app f a, max d c + 1)

/-- One expression and its depth. -/
def Tables.expr (t : Tables) (row : Array Json) : Read (Expr × Nat) := do
  if let some (Json.str "a") := row[0]? then return ← t.application row
  match row with
  | #[.str "c", n, .arr levels] =>
    return (← t.constant (← rowAt "name" t.names n) (← levels.toList.mapM (rowAt "level" t.levels)), 0)
  | #[.str "b", k] =>
    let k ← readNat k
    if t.strict && k > maxDepth then malformed "a bound variable is out of range"
    return (.bvar k, 0)
  | #[.str "s", l] => return (.sort (← rowAt "level" t.levels l), 0)
  | #[.str "l", n, i, a, b] =>
    let n ← rowAt "name" t.names n; let i ← binderOf i
    let (a, d) ← t.exprAt a; let (b, c) ← t.exprAt b
    return (.lam n a b i, max d c + 1)
  | #[.str "p", n, i, a, b] =>
    let n ← rowAt "name" t.names n; let i ← binderOf i
    let (a, d) ← t.exprAt a; let (b, c) ← t.exprAt b
    return (.forallE n a b i, max d c + 1)
  | #[.str "d", n, a, v, b, .bool nonDependent] =>
    let n ← rowAt "name" t.names n
    let (a, d) ← t.exprAt a; let (v, f) ← t.exprAt v; let (b, c) ← t.exprAt b
    return (.letE n a v b nonDependent, max d (max f c) + 1)
  | #[.str "n", .str digits] =>
    if t.strict && digits.length > maxDigits then malformed "a number has too many digits"
    match digits.toNat? with
    | some k => return (.lit (.natVal k), 0)
    | none => malformed "a number literal is not a number"
  | #[.str "t", .str s] => return (.lit (.strVal s), 0)
  | #[.str "j", s, i, b] =>
    let s ← t.resolve (← rowAt "name" t.names s); let i ← readNat i
    let (b, d) ← t.exprAt b
    return (.proj s i b, d + 1)
  | _ => malformed "an expression row has an unknown shape"

def namesSuspicious : Expr → Bool
  | .const n _ => isSuspicious n
  | _ => false

def isProjection : Expr → Bool
  | .proj .. => true
  | _ => false

/-- Read the rows up to `last`. -/
partial def Tables.readTo (t : Tables) (last : Nat) : Read Tables := do
  let next := t.exprs.size
  if next > last then return t
  match t.rows[next]? with
  | none => malformed "a reference to a missing expression"
  | some (.arr row) =>
    let read ← t.expr row
    if t.strict && read.2 > maxDepth then malformed "an expression is nested too deeply"
    let t := { t with exprs := t.exprs.push read, suspicious := t.suspicious || namesSuspicious read.1,
                         projects := t.projects || isProjection read.1 }
    t.readTo last
  | some _ => malformed "an expression row has an unknown shape"

/-- The closed expression that a declaration refers to. -/
def Tables.closed (t : Tables) (j : Json) : Read (Expr × Tables) := do
  let i ← readNat j
  let t ← t.readTo i
  let (e, _) ← t.exprAt j
  if t.strict && e.hasLooseBVars then malformed "a type or value has a loose bound variable"
  return (e, t)

def openTables (strict careful : Bool) (library : Environment) (j : Json) : Read Tables := do
  let format ← readNat (← field j "format")
  if format != 2 then malformed "an unknown format version"
  let names ← readNames (← items j "names")
  let levels ← readLevels strict careful names (← items j "levels")
  return { strict, careful, library, names, levels, rows := ← items j "exprs" }

end Orch
