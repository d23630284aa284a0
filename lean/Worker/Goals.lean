import Worker.Kinds

/-! Goals as data: hypotheses and target as Lean prints them and, on request, the goal's canonical form. -/

open Lean Meta Elab

namespace Orch

def lineWidth : Nat := 120

def printed (e : Expr) : MetaM Json := do
  let e ← instantiateMVars e
  let format ← Meta.ppExpr e
  return Json.str (format.pretty lineWidth)

def hypothesisJson (d : LocalDecl) : MetaM Json := do
  let name := if d.userName.hasMacroScopes then nameText d.userName.eraseMacroScopes ++ "✝" else nameText d.userName
  let fields := [("name", Json.str name), ("type", ← printed d.type)] ++ (← shapeFields d.type)
  match d.value? with
  | none => return Json.mkObj fields
  | some v => return Json.mkObj (("value", ← printed v) :: fields)

def hypothesesJson (lctx : LocalContext) : MetaM (Array Json) := do
  let mut all := #[]
  for d in lctx do
    if !d.isImplementationDetail then all := all.push (← hypothesisJson d)
  return all

/-! ### The canonical form

The closed goal (all hypotheses abstracted), node by node, equal nodes once: each line is a node, an operand is the number
of an earlier line. Binder names and binder kinds are left out, universe parameters and unassigned metavariables are
numbered in the order of their first use, annotations are dropped. The client hashes this text with SHA-256. -/

structure Canon where
  text : String := ""
  next : Nat := 0
  nodes : Std.HashMap Expr Nat := {}
  levels : Array Name := #[]
  metas : Array Name := #[]

/-- The number of a name, in order of appearance. -/
def Canon.level (c : Canon) (n : Name) : Nat × Canon :=
  match c.levels.idxOf? n with
  | some k => (k, c)
  | none => (c.levels.size, { c with levels := c.levels.push n })

def Canon.metavariable (c : Canon) (n : Name) : Nat × Canon :=
  match c.metas.idxOf? n with
  | some k => (k, c)
  | none => (c.metas.size, { c with metas := c.metas.push n })

partial def canonLevel (l : Level) (c : Canon) : String × Canon :=
  match l with
  | .zero => ("0", c)
  | .succ l => let (s, c) := canonLevel l c; ("s" ++ s, c)
  | .max a b => let (s, c) := canonLevel a c; let (t, c) := canonLevel b c; ("m(" ++ s ++ "," ++ t ++ ")", c)
  | .imax a b => let (s, c) := canonLevel a c; let (t, c) := canonLevel b c; ("i(" ++ s ++ "," ++ t ++ ")", c)
  | .param n => let (k, c) := c.level n; ("p" ++ Nat.repr k, c)
  | .mvar id => let (k, c) := c.metavariable id.name; ("v" ++ Nat.repr k, c)

def canonLevels (levels : List Level) (c : Canon) : String × Canon :=
  levels.foldl (init := ("", c)) fun (text, c) l => let (s, c) := canonLevel l c; (text ++ " " ++ s, c)

def Canon.emit (c : Canon) (e : Expr) (line : String) : Nat × Canon :=
  (c.next, { c with text := c.text ++ line ++ "\n", next := c.next + 1, nodes := c.nodes.insert e c.next })

partial def canonExpr (e : Expr) (c : Canon) : Nat × Canon :=
  match e with
  | .mdata _ b => canonExpr b c
  | e =>
  match c.nodes[e]? with
  | some k => (k, c)
  | none =>
    match e with
    | .bvar k => c.emit e ("b " ++ Nat.repr k)
    | .fvar id => let (k, c) := c.metavariable id.name; c.emit e ("f " ++ Nat.repr k)
    | .mvar id => let (k, c) := c.metavariable id.name; c.emit e ("? " ++ Nat.repr k)
    | .sort l => let (s, c) := canonLevel l c; c.emit e ("s " ++ s)
    | .const n ls => let (s, c) := canonLevels ls c; c.emit e ("c " ++ nameText n ++ s)
    | .app f a => let (i, c) := canonExpr f c; let (k, c) := canonExpr a c; c.emit e ("a " ++ Nat.repr i ++ " " ++ Nat.repr k)
    | .lam _ t b _ => let (i, c) := canonExpr t c; let (k, c) := canonExpr b c; c.emit e ("l " ++ Nat.repr i ++ " " ++ Nat.repr k)
    | .forallE _ t b _ => let (i, c) := canonExpr t c; let (k, c) := canonExpr b c; c.emit e ("p " ++ Nat.repr i ++ " " ++ Nat.repr k)
    | .letE _ t v b _ =>
      let (h, c) := canonExpr t c; let (i, c) := canonExpr v c; let (k, c) := canonExpr b c
      c.emit e ("d " ++ Nat.repr h ++ " " ++ Nat.repr i ++ " " ++ Nat.repr k)
    | .lit (.natVal n) => c.emit e ("n " ++ Nat.repr n)
    | .lit (.strVal s) => c.emit e ("t " ++ (Json.str s).compress)
    | .proj s i b => let (k, c) := canonExpr b c; c.emit e ("j " ++ nameText s ++ " " ++ Nat.repr i ++ " " ++ Nat.repr k)
    | .mdata _ b => canonExpr b c

def canonical (e : Expr) : String :=
  let (k, c) := canonExpr e {}
  c.text ++ Nat.repr k

/-- The closed form of the goal `g`: its target under all its hypotheses. -/
def closedGoal (g : MVarId) : MetaM Expr := do
  let d ← g.getDecl
  let target ← instantiateMVars d.type
  let e ← mkForallFVars d.lctx.getFVars target
  instantiateMVars e

def inGoal {α : Type} (g : MVarId) (x : MetaM α) : MetaM α := do
  let d ← g.getDecl
  withReader (fun ctx => { ctx with lctx := d.lctx, localInstances := d.localInstances }) x

def goalJson (wantsCanonical : Bool) (g : MVarId) : MetaM Json := do
  let d ← g.getDecl
  inGoal g do
    let hypotheses ← hypothesesJson d.lctx
    let fields := [("hypotheses", Json.arr hypotheses), ("target", ← printed d.type)] ++ (← shapeFields d.type "target_")
    let fields := if d.userName.isAnonymous then fields else ("case", Json.str (nameText d.userName.eraseMacroScopes)) :: fields
    let fields ← if wantsCanonical then do pure (("canonical", Json.str (canonical (← closedGoal g))) :: fields) else pure fields
    return Json.mkObj fields

def goalsJson (wantsCanonical : Bool) (goals : List MVarId) : MetaM (Array Json) :=
  goals.toArray.mapM (goalJson wantsCanonical)

end Orch
