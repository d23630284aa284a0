import Worker.Session
import Worker.Axioms
import Worker.Open

/-! The export: constants as data. Three tables (names, levels, expressions) whose entries refer to earlier entries by
number, and the declarations in an order in which the kernel can add them. docs/PROTOCOL.md has the format. Annotations
(`mdata`) are dropped: they mean nothing to the kernel. -/

open Lean Meta Elab

namespace Orch

/-- The rows of a table, and the row of each object. -/
structure Table (α : Type) [BEq α] [Hashable α] where
  rows : Array Json
  known : Std.HashMap α Nat := {}

structure Exporter where
  /-- the library, which is not exported -/
  library : Environment
  env : Environment
  names : Table Name := { rows := #[Json.null] }
  levels : Table Level := { rows := #[Json.null] }
  exprs : Table Expr := { rows := #[] }
  seen : NameSet := {}
  declarations : Array Json := #[]

abbrev ExportM := StateRefT Exporter IO

partial def exportName (n : Name) : ExportM Nat := do
  if n.isAnonymous then return 0
  if let some k := (← get).names.known[n]? then return k
  let row ← match n with
    | .str p s => pure #[num (← exportName p), Json.str s]
    | .num p k => pure #[num (← exportName p), num k]
    | .anonymous => pure #[]
  modifyGet fun x =>
    let k := x.names.rows.size
    (k, { x with names := { rows := x.names.rows.push (Json.arr row), known := x.names.known.insert n k } })

def exportNames (ns : List Name) : ExportM Json := return Json.arr (← ns.toArray.mapM fun n => return num (← exportName n))

partial def exportLevel (l : Level) : ExportM Nat := do
  if l == .zero then return 0
  if let some k := (← get).levels.known[l]? then return k
  let row ← match l with
    | .succ a => pure #[Json.str "s", num (← exportLevel a)]
    | .max a b => pure #[Json.str "m", num (← exportLevel a), num (← exportLevel b)]
    | .imax a b => pure #[Json.str "i", num (← exportLevel a), num (← exportLevel b)]
    | .param n => pure #[Json.str "p", num (← exportName n)]
    | _ => throw (IO.userError "a universe metavariable is left")
  modifyGet fun x =>
    let k := x.levels.rows.size
    (k, { x with levels := { rows := x.levels.rows.push (Json.arr row), known := x.levels.known.insert l k } })

def binderNumber : BinderInfo → Nat
  | .default => 0 | .implicit => 1 | .strictImplicit => 2 | .instImplicit => 3

partial def exportExpr (e : Expr) : ExportM Nat := do
  if let .mdata _ b := e then return ← exportExpr b
  if let some k := (← get).exprs.known[e]? then return k
  let row : Array Json ← match e with
    | .bvar k => pure #[Json.str "b", num k]
    | .sort l => pure #[Json.str "s", num (← exportLevel l)]
    | .const n ls =>
      pure #[Json.str "c", num (← exportName n), Json.arr (← ls.toArray.mapM fun l => return num (← exportLevel l))]
    | .app .. =>
      let arguments ← e.getAppArgs.mapM fun a => return num (← exportExpr a)
      pure (#[Json.str "a", num (← exportExpr e.getAppFn)] ++ arguments)
    | .lam n t b i =>
      pure #[Json.str "l", num (← exportName n), num (binderNumber i), num (← exportExpr t), num (← exportExpr b)]
    | .forallE n t b i =>
      pure #[Json.str "p", num (← exportName n), num (binderNumber i), num (← exportExpr t), num (← exportExpr b)]
    | .letE n t v b nonDependent =>
      pure #[Json.str "d", num (← exportName n), num (← exportExpr t), num (← exportExpr v), num (← exportExpr b),
        Json.bool nonDependent]
    | .lit (.natVal n) => pure #[Json.str "n", Json.str (toString n)]
    | .lit (.strVal s) => pure #[Json.str "t", Json.str s]
    | .proj s i b => pure #[Json.str "j", num (← exportName s), num i, num (← exportExpr b)]
    | .fvar _ => throw (IO.userError "a free variable is left")
    | .mvar _ => throw (IO.userError "a metavariable is left")
    | .mdata _ _ => pure #[]
  modifyGet fun x =>
    let k := x.exprs.rows.size
    (k, { x with exprs := { rows := x.exprs.rows.push (Json.arr row), known := x.exprs.known.insert e k } })

def hintsJson : ReducibilityHints → Json
  | .opaque => "opaque" | .abbrev => "abbrev" | .regular n => num n.toNat

def exportRow (row : Fields) : ExportM Unit :=
  modify fun x => { x with declarations := x.declarations.push (Json.mkObj row) }

def exportPlain (kind : String) (info : ConstantInfo) (more : ExportM Fields) : ExportM Unit := do
  let head : Fields := [("kind", Json.str kind), ("name", num (← exportName info.name)),
    ("levels", ← exportNames info.levelParams), ("type", num (← exportExpr info.type))]
  exportRow (head ++ (← more))

/-- The first name parts of the modules that come with Lean. No module of a project may use them. -/
def libraryRoots : List Name := [`Init, `Std, `Lean, `Lake]

/-- Does Lean's own library declare this constant? A text that imports only part of the library may declare the same name
   itself. -/
def Exporter.isLibrarys (x : Exporter) (n : Name) : Bool :=
  x.library.contains n && match x.env.getModuleIdxFor? n with
    | some i => (x.env.header.moduleNames[i]?).any fun m => libraryRoots.contains m.getRoot
    | none => false

mutual
/-- Export a constant after everything it depends on. Constants of the library are only named. -/
partial def exportConstant (n : Name) : ExportM Unit := do
  let x ← get
  if x.seen.contains n || x.isLibrarys n then return
  let some info := x.env.find? n | throw (IO.userError s!"unknown constant {nameText n}")
  set { x with seen := x.seen.insert n }
  match info with
  | .inductInfo v => exportBlock v
  | .ctorInfo v => exportConstant v.induct
  | .recInfo v => for type in v.all do exportConstant type
  | .quotInfo _ => return
  | info =>
    let value := info.value? (allowOpaque := true)
    for used in info.type.getUsedConstants do exportConstant used
    if let some value := value then for used in value.getUsedConstants do exportConstant used
    let withValue (e : Expr) (more : Fields) : ExportM Fields := return ("value", num (← exportExpr e)) :: more
    match info with
    | .thmInfo v => exportPlain "theorem" info (withValue v.value [])
    | .defnInfo v =>
      exportPlain "definition" info (withValue v.value [("hints", hintsJson v.hints), ("safe", Json.bool (v.safety == .safe))])
    | .opaqueInfo v => exportPlain "opaque" info (withValue v.value [("safe", Json.bool !v.isUnsafe)])
    | _ => exportPlain "axiom" info (pure [])

partial def exportBlock (v : InductiveVal) : ExportM Unit := do
  let { env, .. } ← get
  let incomplete {α : Type} : ExportM α := throw (IO.userError s!"incomplete inductive type {nameText v.name}")
  let mut types : Array (InductiveVal × Array ConstructorVal) := #[]
  for name in v.all do
    let some (.inductInfo type) := env.find? name | incomplete
    let constructors ← type.ctors.toArray.mapM fun n => do
      let some (.ctorInfo c) := env.find? n | incomplete
      return c
    types := types.push (type, constructors)
  for (type, constructors) in types do
    modify fun x => { x with seen := constructors.foldl (fun seen c => seen.insert c.name) (x.seen.insert type.name) }
  for (type, constructors) in types do
    for used in type.type.getUsedConstants do exportConstant used
    for c in constructors do for used in c.type.getUsedConstants do exportConstant used
  let rows ← types.mapM fun (type, constructors) => do
    let constructors ← constructors.mapM fun c => return Json.arr #[num (← exportName c.name), num (← exportExpr c.type)]
    return Json.mkObj [("name", num (← exportName type.name)), ("type", num (← exportExpr type.type)),
      ("constructors", Json.arr constructors)]
  exportRow [("kind", "inductive"), ("levels", ← exportNames v.levelParams), ("parameters", num v.numParams),
    ("safe", Json.bool !v.isUnsafe), ("types", Json.arr rows)]
end

/-- Everything that an action exports, and the fields that it adds to the answer. -/
def exportData (library env : Environment) (act : ExportM Fields) : IO Json := do
  let (more, x) ← act.run { library, env }
  return Json.mkObj ([("format", num 2), ("names", Json.arr x.names.rows), ("levels", Json.arr x.levels.rows),
    ("exprs", Json.arr x.exprs.rows), ("declarations", Json.arr x.declarations)] ++ more)

/-- Candidate data: theorems with every new declaration they depend on. -/
def exportTheorems (library env : Environment) (theorems : List Name) : IO Json :=
  exportData library env do
    for n in theorems do exportConstant n
    return [("theorems", ← exportNames theorems)]

/-- The statement of a theorem, never its proof. -/
def exportStatement (name : Name) (levels : List Name) (type : Expr) : ExportM Json := do
  for used in type.getUsedConstants do exportConstant used
  return Json.mkObj [("name", num (← exportName name)), ("levels", ← exportNames levels), ("type", num (← exportExpr type))]

/-- The allowed axioms before a statement belong to its data, whether or not its type reaches them. -/
def exportAxioms (allowed : List Name) : ExportM Unit := do
  for n in allowed do
    if let some (.axiomInfo _) := (← get).env.find? n then exportConstant n

/-- The open theorems that a proof may assume, as further statements. -/
def exportAssumed (assumed : List Name) : ExportM (Array Json) := do
  let { env, .. } ← get
  (assumable env assumed).toArray.filterMapM fun n => do
    let some info := env.find? n | return none
    return some (← exportStatement n info.levelParams info.type)

def exportClaim (library : Environment) (s : Statement) (allowed assumed : List Name) : IO Json :=
  exportData library s.env do
    exportAxioms allowed
    let assumed ← exportAssumed assumed
    return [("statements", Json.arr (assumed.push (← exportStatement s.name s.levels s.type))), ("definitions", Json.arr #[])]

end Orch
