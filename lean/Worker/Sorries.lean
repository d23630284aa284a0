import Worker.Steps

/-! Loading a text, and finding its `sorry`s: where each stands, what it must prove, and a proof state to start from. -/

open Lean Meta Elab

namespace Orch

structure Found where
  context : ContextInfo
  stx : Syntax
  lctx : LocalContext
  mctx : MetavarContext
  /-- the goal of a tactic `sorry`, or the expected type of a term `sorry` -/
  goal : Sum MVarId Expr

mutual
partial def sorriesIn (ctx : Option ContextInfo) (t : InfoTree) (acc : List Found) : List Found :=
  match t with
  | .context part t => sorriesIn (part.mergeIntoOuter? ctx) t acc
  | .hole _ => acc
  | .node info children =>
    let inner := sorriesInArray (info.updateContext? ctx) children acc
    match ctx, info with
    | some ctx, .ofTacticInfo i =>
      if i.stx.getKind == `Lean.Parser.Tactic.tacticSorry || i.stx.getKind == `Lean.Parser.Tactic.tacticAdmit then
        match i.goalsBefore with
        | g :: _ => { context := ctx, stx := i.stx, lctx := {}, mctx := i.mctxBefore, goal := .inl g } :: acc
        | [] => inner
      else inner
    | some ctx, .ofTermInfo i =>
      if i.stx.getKind == `Lean.Parser.Term.sorry then
        match i.expectedType? with
        | some type => { context := ctx, stx := i.stx, lctx := i.lctx, mctx := ctx.mctx, goal := .inr type } :: acc
        | none => inner
      else inner
    | _, _ => inner

partial def sorriesInArray (ctx : Option ContextInfo) (ts : PersistentArray InfoTree) (acc : List Found) : List Found :=
  sorriesInList ctx ts.tail.toList (sorriesInNode ctx ts.root acc)

partial def sorriesInNode (ctx : Option ContextInfo) (n : PersistentArrayNode InfoTree) (acc : List Found) : List Found :=
  match n with
  | .leaf ts => sorriesInList ctx ts.toList acc
  | .node ns => sorriesInNodes ctx ns.toList acc

partial def sorriesInNodes (ctx : Option ContextInfo) (ns : List (PersistentArrayNode InfoTree)) (acc : List Found) : List Found :=
  match ns with | [] => acc | n :: r => sorriesInNodes ctx r (sorriesInNode ctx n acc)

partial def sorriesInList (ctx : Option ContextInfo) (ts : List InfoTree) (acc : List Found) : List Found :=
  match ts with | [] => acc | t :: r => sorriesInList ctx r (sorriesIn ctx t acc)
end

partial def sorriesOf (trees : List (PersistentArray InfoTree)) (acc : List Found) : List Found :=
  match trees with
  | [] => acc
  | t :: r => sorriesOf r (sorriesInArray none t acc)

def placeOf (f : Found) : Nat := ((f.stx.getPos?).getD 0).byteIdx

/-- Lean elaborates a text out of order, and one place more than once (a term that is postponed): the first report of a
place counts, and the places stand in the order of the text. -/
partial def insertPlace (f : Found) (xs : List Found) : List Found :=
  match xs with
  | [] => [f]
  | x :: r =>
    if placeOf f == placeOf x then xs
    else if placeOf f < placeOf x then f :: xs
    else x :: insertPlace f r

partial def distinct (xs : List Found) (acc : List Found) : List Found :=
  match xs with
  | [] => acc
  | x :: r => distinct r (insertPlace x acc)

def holeJson (w : Worker) (j : Json) (st : Command.State) (session : Nat) (f : Found) : IO Json := do
  let map := f.context.fileMap
  let start := map.toPosition ((f.stx.getPos?).getD 0)
  let stop := map.toPosition ((f.stx.getTailPos?).getD 0)
  let declaration := f.context.parentDecl?.getD .anonymous
  let place : Fields := [("start", positionJson start), ("end", positionJson stop), ("declaration", Json.str (nameText declaration))]
  let ctx := coreContext w st (FileMap.ofString "") (← IO.getNumHeartbeats) (heartbeatsOf j)
  let r : Running := {
    core := ← IO.mkRef { env := f.context.env.setExporting false, ngen := f.context.ngen, auxDeclNGen := { namePrefix := declaration }, infoState := { enabled := false } }
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
  | .error e => return Json.mkObj (append place [("message", Json.str (← e.toMessageData.toString))])
  | .ok g =>
    let p : ProofState := {
      core := ← r.core.get, meta_ := ← r.meta_.get, term := ← r.term.get, goals := [g], root := g, declaration, session }
    match (← answerState w j ctx r p [g]) with
    | .done fields => return Json.mkObj (append place fields)
    | .failed _ message _ => return Json.mkObj (append place [("message", Json.str message)])

partial def holesJson (w : Worker) (j : Json) (st : Command.State) (session : Nat) (xs : List Found) (acc : Array Json) : IO (Array Json) := do
  match xs with
  | [] => return acc
  | x :: r => holesJson w j st session r (acc.push (← holeJson w j st session x))

/-! ### Load -/

partial def importedModules (xs : List Import) (acc : List Name) : List Name :=
  match xs with | [] => reverseOnto acc [] | x :: r => importedModules r (x.module :: acc)

partial def missingModules (env : Environment) (xs : List Name) : List Name :=
  match xs with
  | [] => []
  | x :: r => if (env.getModuleIdx? x).isSome then missingModules env r else x :: missingModules env r

partial def writtenJson (xs : List Written) (acc : Array Json) : Array Json :=
  match xs with
  | [] => acc
  | x :: r => writtenJson r (acc.push (Json.mkObj
      [("name", Json.str (nameText x.name)), ("start", positionJson x.start), ("end", positionJson x.stop)]))

/-- Load a text on top of a session. Its header, if it has one, must ask only for modules that are here. -/
def opLoad (w : Worker) (j : Json) : IO Answer := do
  match (← getSession w j) with
  | none => return noSession
  | some session =>
  let wantsSorries := getFlag j "sorries"
  let text := getText j "text" ""
  let input := inputContext text
  let (header, parser, messages) ← Parser.parseHeader input
  let missing := missingModules session.env (importedModules (Elab.headerToImports header).toList [])
  if !(none? missing) then
    return .failed "missing-import" "this worker was made without a module that the text imports" [("missing", Json.arr (namesJson missing #[]))]
  let st := prepared session (heartbeatsOf j) wantsSorries
  let loaded ← runCommands w input parser { state := { st with messages } }
  let st := loaded.state
  let said ← collectMessages st.messages.toList {}
  -- a text that was stopped half-way is not loaded, whatever its first half is worth
  if (← w.cancel.isSet) then return failedWith "timeout" said
  if said.errors > 0 && !(getFlag j "keep_going") then return failedWith "elaboration" said
  let id ← addSession w st
  let holes ← if wantsSorries then holesJson w j st id (distinct (sorriesOf loaded.trees []) []) #[] else pure #[]
  let fields := [("theorems", Json.arr (writtenJson (reverseOnto loaded.theorems []) #[]))]
  let fields := if wantsSorries then ("sorries", Json.arr holes) :: fields else fields
  return .done (append (messagesField said) (("session", num id) :: ("errors", num said.errors) :: fields))

end Orch
