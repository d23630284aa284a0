import Worker.Goals

/-! The export: everything new under a theorem, as data. Three tables (names, levels, expressions) whose entries refer to
earlier entries by number, and the declarations in an order in which the kernel can add them. docs/PROTOCOL.md has the
format. Annotations (`mdata`) are dropped: they mean nothing to the kernel. -/

open Lean Meta Elab

namespace Orch

/-- Objects that are in a table already, in buckets by hash; `none` of the library's hash maps can be specialised here. -/
structure Table (α : Type) where
  rows : IO.Ref (Array Json)
  known : IO.Ref (Array (List (α × Nat)))

def tableBuckets : Nat := 4096

def Table.new {α : Type} (first : Array Json) : IO (Table α) := do
  return { rows := ← IO.mkRef first, known := ← IO.mkRef (Array.replicate tableBuckets []) }

def Table.add {α : Type} (t : Table α) (hash : UInt64) (x : α) (row : Json) : IO Nat := do
  let rows ← t.rows.modifyGet (fun a => (a.size, a.push row))
  let i := hash.toNat % tableBuckets
  t.known.modify (fun a => a.modify i (fun bucket => (x, rows) :: bucket))
  return rows

structure Exporter where
  names : Table Name
  levels : Table Level
  exprs : Table Expr

/-- Row 0 of the names is the anonymous name, row 0 of the levels is zero. -/
def Exporter.new : IO Exporter := do
  return { names := ← Table.new #[Json.null], levels := ← Table.new #[Json.null], exprs := ← Table.new #[] }

partial def findName (n : Name) (xs : List (Name × Nat)) : Option Nat :=
  match xs with | [] => none | (x, k) :: r => if x == n then some k else findName n r

partial def findLevel (l : Level) (xs : List (Level × Nat)) : Option Nat :=
  match xs with | [] => none | (x, k) :: r => if x == l then some k else findLevel l r

partial def Exporter.name (e : Exporter) (n : Name) : IO Nat := do
  match n with
  | .anonymous => return 0
  | n =>
    let known ← e.names.known.get
    match findName n ((known[n.hash.toNat % tableBuckets]?).getD []) with
    | some k => return k
    | none =>
      match n with
      | .str p s => let p ← e.name p; e.names.add n.hash n (Json.arr #[num p, Json.str s])
      | .num p k => let p ← e.name p; e.names.add n.hash n (Json.arr #[num p, num k])
      | .anonymous => return 0

partial def Exporter.level (e : Exporter) (l : Level) : IO Nat := do
  match l with
  | .zero => return 0
  | l =>
    let known ← e.levels.known.get
    match findLevel l ((known[l.hash.toNat % tableBuckets]?).getD []) with
    | some k => return k
    | none =>
      match l with
      | .succ a => let a ← e.level a; e.levels.add l.hash l (Json.arr #["s", num a])
      | .max a b => let a ← e.level a; let b ← e.level b; e.levels.add l.hash l (Json.arr #["m", num a, num b])
      | .imax a b => let a ← e.level a; let b ← e.level b; e.levels.add l.hash l (Json.arr #["i", num a, num b])
      | .param n => let n ← e.name n; e.levels.add l.hash l (Json.arr #["p", num n])
      | _ => throw (IO.userError "a universe metavariable is left")

partial def Exporter.levelNumbers (e : Exporter) (ls : List Level) (acc : Array Json) : IO (Array Json) := do
  match ls with | [] => return acc | l :: r => e.levelNumbers r (acc.push (num (← e.level l)))

partial def Exporter.nameNumbers (e : Exporter) (ns : List Name) (acc : Array Json) : IO (Array Json) := do
  match ns with | [] => return acc | n :: r => e.nameNumbers r (acc.push (num (← e.name n)))

def binderNumber (i : BinderInfo) : Nat :=
  match i with | .default => 0 | .implicit => 1 | .strictImplicit => 2 | .instImplicit => 3

partial def Exporter.expr (x : Exporter) (e : Expr) : IO Nat := do
  match e with
  | .mdata _ b => x.expr b
  | e =>
    let known ← x.exprs.known.get
    match numberIn e ((known[e.hash.toNat % tableBuckets]?).getD []) with
    | some k => return k
    | none =>
      let row : Array Json ← match e with
        | .bvar k => pure #[Json.str "b", num k]
        | .sort l => pure #[Json.str "s", num (← x.level l)]
        | .const n ls => pure #[Json.str "c", num (← x.name n), Json.arr (← x.levelNumbers ls #[])]
        | .app f a => let f ← x.expr f; let a ← x.expr a; pure #[Json.str "a", num f, num a]
        | .lam n t b i =>
          let n ← x.name n; let t ← x.expr t; let b ← x.expr b
          pure #[Json.str "l", num n, num (binderNumber i), num t, num b]
        | .forallE n t b i =>
          let n ← x.name n; let t ← x.expr t; let b ← x.expr b
          pure #[Json.str "p", num n, num (binderNumber i), num t, num b]
        | .letE n t v b nonDependent =>
          let n ← x.name n; let t ← x.expr t; let v ← x.expr v; let b ← x.expr b
          pure #[Json.str "d", num n, num t, num v, num b, Json.bool nonDependent]
        | .lit (.natVal n) => pure #[Json.str "n", Json.str (Nat.repr n)]
        | .lit (.strVal s) => pure #[Json.str "t", Json.str s]
        | .proj s i b => let s ← x.name s; let b ← x.expr b; pure #[Json.str "j", num s, num i, num b]
        | .fvar _ => throw (IO.userError "a free variable is left")
        | .mvar _ => throw (IO.userError "a metavariable is left")
        | .mdata _ _ => pure #[]
      x.exprs.add e.hash e (Json.arr row)

def hintsJson (h : ReducibilityHints) : Json :=
  match h with | .opaque => "opaque" | .abbrev => "abbrev" | .regular n => num n.toNat

partial def Exporter.constructors (x : Exporter) (cs : List Constructor) (acc : Array Json) : IO (Array Json) := do
  match cs with
  | [] => return acc
  | c :: r => x.constructors r (acc.push (Json.arr #[num (← x.name c.name), num (← x.expr c.type)]))

partial def Exporter.dataTypes (x : Exporter) (ts : List InductiveType) (acc : Array Json) : IO (Array Json) := do
  match ts with
  | [] => return acc
  | t :: r =>
    let row := Json.mkObj [("name", num (← x.name t.name)), ("type", num (← x.expr t.type)),
      ("constructors", Json.arr (← x.constructors t.ctors #[]))]
    x.dataTypes r (acc.push row)

structure Exported where
  seen : NameSet := {}
  declarations : Array Json := #[]

def Exporter.declaration (x : Exporter) (kind : String) (n : Name) (levels : List Name) (type : Expr)
    (more : Fields) : IO Json := do
  return Json.mkObj (append [("kind", Json.str kind), ("name", num (← x.name n)),
    ("levels", Json.arr (← x.nameNumbers levels #[])), ("type", num (← x.expr type))] more)

mutual
partial def exportAll (x : Exporter) (base new : Environment) (ns : List Name) (s : Exported) : IO Exported := do
  match ns with
  | [] => return s
  | n :: r => exportAll x base new r (← exportName x base new n s)

/-- Export `n` after everything that it needs; what `base` has is only named. -/
partial def exportName (x : Exporter) (base new : Environment) (n : Name) (s : Exported) : IO Exported := do
  if s.seen.contains n || (base.find? n).isSome then return s
  match new.find? n with
  | none => throw (IO.userError ("unknown constant " ++ nameText n))
  | some info =>
    let s := { s with seen := s.seen.insert n }
    match info with
    | .inductInfo v => exportData x base new v s
    | .ctorInfo v => exportName x base new v.induct s
    | .recInfo v => exportAll x base new v.all s
    | info =>
      let s ← exportAll x base new info.type.getUsedConstants.toList s
      let s ← match info.value? (allowOpaque := true) with
        | some v => exportAll x base new v.getUsedConstants.toList s
        | none => pure s
      let row : Json ← match info with
        | .thmInfo v => x.declaration "theorem" n v.levelParams v.type [("value", num (← x.expr v.value))]
        | .defnInfo v =>
          let safe := match v.safety with | .safe => true | _ => false
          x.declaration "definition" n v.levelParams v.type
            [("value", num (← x.expr v.value)), ("hints", hintsJson v.hints), ("safe", Json.bool safe)]
        | .opaqueInfo v =>
          x.declaration "opaque" n v.levelParams v.type [("value", num (← x.expr v.value)), ("safe", Json.bool (!v.isUnsafe))]
        | .axiomInfo v => x.declaration "axiom" n v.levelParams v.type []
        | other => x.declaration "quotient" n other.levelParams other.type []
      return { s with declarations := s.declarations.push row }

partial def exportData (x : Exporter) (base new : Environment) (v : InductiveVal) (s : Exported) : IO Exported := do
  match dataTypes new v.all [] with
  | none => throw (IO.userError ("incomplete inductive type " ++ nameText v.name))
  | some types =>
    let s := { s with seen := markSeen types s.seen }
    let s ← exportAll x base new (dataConstants types []) s
    let row := Json.mkObj [("kind", "inductive"), ("levels", Json.arr (← x.nameNumbers v.levelParams #[])),
      ("parameters", num v.numParams), ("safe", Json.bool (!v.isUnsafe)), ("types", Json.arr (← x.dataTypes types #[]))]
    return { s with declarations := s.declarations.push row }
end

def exportTheorems (base new : Environment) (ns : List Name) : IO Json := do
  let x ← Exporter.new
  let exported ← exportAll x base new ns {}
  return Json.mkObj [("format", num 1), ("theorems", Json.arr (← x.nameNumbers ns #[])),
    ("names", Json.arr (← x.names.rows.get)), ("levels", Json.arr (← x.levels.rows.get)),
    ("exprs", Json.arr (← x.exprs.rows.get)), ("declarations", Json.arr exported.declarations)]

def usedConstants (env : Environment) (n : Name) : List Name :=
  match env.find? n with
  | some (.thmInfo v) => v.value.getUsedConstants.toList
  | _ => []

/-- Elaborate a candidate. That is a hint, not a verdict: whoever wants one asks for the export and gives it to a judge, so
the kernel need not look at it here as well. -/
def opCheck (w : Worker) (j : Json) : IO Answer := do
  match (← getSession w j), (← importsOf w) with
  | some session, some imports =>
    let wantsExport := getFlag j "export"
    let st := prepared session (heartbeatsOf j) false
    let st := if wantsExport then withoutKernel st else st
    let text := getText j "statement" ""
    match (← elaborateStatement w st (getNat j "session" 0) text) with
    | .error a => return a
    | .ok s =>
      let source := text ++ " := " ++ getText j "proof" ""
      match (← parseSingle st source) with
      | .error ms => failedBy "parse" ms
      | .ok stx =>
        let after ← runCommand w (inputContext source) st stx
        let said ← collectMessages after.messages.toList {}
        if said.errors > 0 then return failedWith "elaboration" said
        match after.env.find? s.name with
        | none => return .failed "statement-changed" "the proof did not produce the theorem" (messagesField said)
        | some _ =>
          let (_, axioms) := axiomsUnder imports after.env [s.name] {} []
          let fields := append (("name", Json.str (nameText s.name)) :: axiomFields axioms) (messagesField said)
          match judgeAxioms axioms (allowedAxioms j) with
          | some r => return refusalAnswer r fields
          | none =>
            let fields := if getFlag j "constants" then
              ("constants", Json.arr (namesJson (usedConstants after.env s.name) #[])) :: fields else fields
            if !wantsExport then return .done fields
            return .done (("export", ← exportTheorems st.env after.env [s.name]) :: fields)
  | _, _ => return noSession

partial def declaredNames (base new : Environment) (ns : List Name) (acc : List Name) : List Name :=
  match ns with
  | [] => reverseOnto acc []
  | n :: r => match newConstant new base [n, mkPrivateName new n] with
    | some info => declaredNames base new r (info.name :: acc)
    | none => declaredNames base new r acc

/-- Export theorems of a loaded text with everything that the text declares under them. -/
def opExport (w : Worker) (j : Json) : IO Answer := do
  match (← getSession w j), (← importsOf w) with
  | some session, some imports =>
    let names := declaredNames imports session.env (toNames (texts (getItems j "names") []) []) []
    return .done [("export", ← exportTheorems imports session.env names)]
  | _, _ => return noSession

end Orch
