import Worker.Steps

/-! Finds the `sorry`s of a text: the position of each, its goal and a proof state to start from. -/

open Lean Meta Elab

namespace Orch

structure Found where
  context : ContextInfo
  stx : Syntax
  lctx : LocalContext
  mctx : MetavarContext
  /-- the goal of a tactic `sorry`, or the expected type of a term `sorry` -/
  goal : Sum MVarId Expr

/-- The `sorry` at a node of an info tree, if any. -/
def sorryOf (ctx : ContextInfo) : Info → Option Found
  | .ofTacticInfo i =>
    let isSorry := i.stx.getKind == ``Parser.Tactic.tacticSorry || i.stx.getKind == ``Parser.Tactic.tacticAdmit
    match isSorry, i.goalsBefore with
    | true, g :: _ => some { context := ctx, stx := i.stx, lctx := {}, mctx := i.mctxBefore, goal := .inl g }
    | _, _ => none
  | .ofTermInfo i =>
    match i.stx.getKind == ``Parser.Term.sorry, i.expectedType? with
    | true, some type => some { context := ctx, stx := i.stx, lctx := i.lctx, mctx := ctx.mctx, goal := .inr type }
    | _, _ => none
  | _ => none

partial def sorriesIn (ctx : Option ContextInfo) (tree : InfoTree) (found : Array Found) : Array Found :=
  match tree with
  | .context part t => sorriesIn (part.mergeIntoOuter? ctx) t found
  | .hole _ => found
  | .node info children =>
    match ctx.bind (sorryOf · info) with
    | some f => found.push f
    | none => children.foldl (init := found) fun found t => sorriesIn (info.updateContext? ctx) t found

def placeOf (f : Found) : Nat := ((f.stx.getPos?).getD 0).byteIdx

/-- Lean elaborates a text out of order, and some places more than once (postponed terms). The last report of a place counts,
   and the places are sorted by position. -/
def sorriesOf (trees : Array (PersistentArray InfoTree)) : Array Found := Id.run do
  let mut all : Array Found := #[]
  for forest in trees do
    for tree in forest do all := sorriesIn none tree all
  let sorted := all.reverse.insertionSort fun a b => placeOf a < placeOf b
  return sorted.foldl (init := #[]) fun kept f => if kept.back?.any (placeOf · == placeOf f) then kept else kept.push f

def holeJson (w : Worker) (j : Json) (st : Command.State) (session : Nat) (f : Found) : IO Json := do
  let map := f.context.fileMap
  let start := map.toPosition ((f.stx.getPos?).getD 0)
  let stop := map.toPosition ((f.stx.getTailPos?).getD 0)
  let declaration := f.context.parentDecl?.getD .anonymous
  let place : Fields := [("start", positionJson start), ("end", positionJson stop), ("declaration", Json.str (nameText declaration))]
  let ctx := coreContext w st (FileMap.ofString "") (← IO.getNumHeartbeats) (heartbeatsOf j)
  let r : Running := {
    core := ← IO.mkRef {
      env := f.context.env.setExporting false, ngen := f.context.ngen
      auxDeclNGen := { namePrefix := declaration }, infoState := { enabled := false } }
    meta_ := ← IO.mkRef { mctx := f.mctx }
    term := ← IO.mkRef {} }
  let act : TermElabM MVarId := do
    match f.goal with
    | .inl g => return g
    | .inr type =>
      let fresh : MetaM Expr := mkFreshExprMVar (some type) .syntheticOpaque .anonymous
      let inContext : MetaM Expr := withReader (fun (ctx : Meta.Context) => { ctx with lctx := f.lctx }) fresh
      return (← inContext).mvarId!
  match (← runTerm ctx r declaration act) with
  | .error e => return Json.mkObj (place ++ [("message", Json.str (← e.toMessageData.toString))])
  | .ok g =>
    let p : ProofState := {
      core := ← r.core.get, meta_ := ← r.meta_.get, term := ← r.term.get, goals := [g], root := g, declaration, session }
    match (← answerState w j ctx r p [g]) with
    | .done fields => return Json.mkObj (place ++ fields)
    | .failed _ message _ => return Json.mkObj (place ++ [("message", Json.str message)])

end Orch
