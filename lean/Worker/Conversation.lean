import Worker.InfoJson
import Worker.Library
import Worker.Load
import Worker.Places

/-! Conversations in the protocol of leanprover-community/repl. Commands run as in Lean, with linters, the kernel and the
   options of the text. Proof states keep their own context, and tactics run with error recovery. No answer given here is a
   verdict. -/

open Lean Meta Elab

namespace Orch.Conversation

/-- A command that was run: the environment before it, and Lean's info trees. -/
structure Noted where
  before : Environment
  trees : List InfoTree

/-- Run every command of a text, its end included, as Lean's frontend does. -/
partial def noteCommands (w : Worker) (j : Json) (input : Parser.InputContext) (parser : Parser.ModuleParserState)
    (st : Command.State) (noted : Array Noted) : IO (Except Answer (Command.State × Array Noted)) := do
  let (stx, parser, messages) := Parser.parseCommand input (parserContext st) parser st.messages
  if let some why := refuseCode w st j stx then return .error why
  let before := st.env
  let st ← runCommand w input { st with messages, infoState := { enabled := true } } stx
  if let some why := refuseMeta before st.env j then return .error why
  let noted := noted.push { before, trees := st.infoState.trees.toList }
  if Parser.isTerminalCommand stx || (← w.cancel.isSet) then return .ok (st, noted)
  noteCommands w j input parser st noted

/-! ### Proof states -/

/-- A place in an info tree where a proof can continue. -/
structure Place where
  context : ContextInfo
  mctx : MetavarContext
  stx : Syntax
  goals : List MVarId
  /-- for a missing term: its type and the local context -/
  term : Option (LocalContext × Expr) := none

/-- What all states of one request share. -/
structure Ground where
  env : Environment
  ngen : NameGenerator
  /-- the goals whose proof is checked when no goal is left; if absent, the place's own -/
  roots : Option (List MVarId) := none

def contextAt (w : Worker) (p : Place) : IO Core.Context := do
  let c := p.context
  return {
    fileName := "<input>", fileMap := default, options := c.options.insert `Elab.async (.ofBool false)
    currNamespace := c.currNamespace, openDecls := c.openDecls, initHeartbeats := ← IO.getNumHeartbeats
    maxHeartbeats := Core.getMaxHeartbeats c.options, maxRecDepth := maxRecDepth.get c.options, cancelTk? := some w.cancel
    inheritedTraceOptions := ← inheritedTraceOptions.get }

/-- Run something in a proof state, as Lean runs tactics: it logs errors and continues where it can. -/
def inState {α : Type} (ctx : Core.Context) (r : Running) (declaration : Name) (x : TermElabM α) : BaseIO (Except Exception α) :=
  (x { declName? := some declaration } r.term {} r.meta_ ctx r.core).toBaseIO

def goalTexts (goals : List MVarId) : MetaM (List String) := goals.mapM fun g => return toString (← ppGoal g)

/-- Save the state of a place. The second answer is its goals. -/
def savePlace (w : Worker) (ground : Ground) (p : Place) : IO (Except String (Nat × List String)) := do
  let ctx ← contextAt w p
  let declaration := p.context.parentDecl?.getD .anonymous
  let r : Running := {
    core := ← IO.mkRef { env := ground.env, ngen := ground.ngen, auxDeclNGen := { namePrefix := declaration } }
    meta_ := ← IO.mkRef { mctx := p.mctx }
    term := ← IO.mkRef {} }
  let act : TermElabM (List MVarId × List String) := do
    let goals ← match p.term with
      | none => pure p.goals
      | some (lctx, type) =>
        let fresh ← withLCtx lctx #[] do
          withLocalInstances (lctx.decls.toList.filterMap id) do
            mkFreshExprMVar (some type) .syntheticOpaque
        pure [fresh.mvarId!]
    return (goals, ← goalTexts goals)
  match (← inState ctx r declaration act) with
  | .error e => return .error (← e.toMessageData.toString)
  | .ok (goals, texts) =>
    let id ← saveState w {
      core := ← r.core.get, meta_ := ← r.meta_.get, term := ← r.term.get, goals, root := (goals.head?).getD ⟨.anonymous⟩
      declaration, session := 0, talk := some { context := ctx, roots := ground.roots.getD goals } }
    return .ok (id, texts)

def rangeOf (p : Place) : Fields :=
  let start := (p.stx.getPos?).getD 0
  let stop := (p.stx.getTailPos?).getD start
  [("start", positionJson (p.context.fileMap.toPosition start)), ("end", positionJson (p.context.fileMap.toPosition stop))]

def placeJson (w : Worker) (ground : Ground) (p : Place) (range : Fields) : IO Json := do
  match (← savePlace w ground p) with
  | .ok (state, goals) => return Json.mkObj (range ++ [("state", num state), ("goals", textsJson goals)])
  | .error message => return Json.mkObj (range ++ [("goals", Json.arr #[]), ("message", Json.str message)])

/-- A tactic can close several goals, as after `<;>`: those before it are still known when it closes the next. -/
def isNextGoal (before after : Found) : Bool :=
  match before.goal, after.goal with
  | .inl g, .inl next => g != next && (after.mctx.findDecl? g).isSome
  | _, _ => false

/-- Lean elaborates a term that it postpones more than once: the last report of a place counts. -/
def oncePerPlace (found : Array Found) : Array Found :=
  found.foldl (init := #[]) fun kept f =>
    let isAgain (k : Found) : Bool :=
      placeOf k == placeOf f && k.stx.getKind == f.stx.getKind && f.stx.getPos?.isSome && !isNextGoal k f
    match kept.findIdx? isAgain with
    | some i => kept.set! i f
    | none => kept.push f

/-- A term that is missing in a step is proved in the state before the step, if its type is valid there. -/
def knows (mctx : MetavarContext) (type : Expr) : Bool :=
  (type.collectMVars {}).result.all fun g => (mctx.findDecl? g).isSome

/-- The `sorry`s of a tree: tactics first, then terms. In a step they have no positions to distinguish them. -/
def missingIn (before : Option MetavarContext) (tree : InfoTree) : Array Place :=
  let all := sorriesIn none tree #[]
  let all := if before.isNone then oncePerPlace all else all
  let (tactics, terms) := all.partition (·.goal.isLeft)
  (tactics ++ terms).map fun f =>
    let place : Place := { context := f.context, mctx := f.mctx, stx := f.stx, goals := [] }
    match f.goal with
    | .inl g => { place with goals := [g] }
    | .inr type =>
      let mctx := (before.filter (knows · type)).getD f.mctx
      { place with mctx, term := some (f.lctx, type) }

def tacticPlace (ctx : ContextInfo) (i : TacticInfo) : Place :=
  { context := ctx, mctx := i.mctxBefore, stx := i.stx, goals := i.goalsBefore }

/-- Where a tree enters tactic mode. -/
partial def rootsIn (ctx : Option ContextInfo) (tree : InfoTree) (found : Array Place) : Array Place :=
  match tree with
  | .context part t => rootsIn (part.mergeIntoOuter? ctx) t found
  | .hole _ => found
  | .node info children =>
    match info, ctx with
    | .ofTacticInfo i, some ctx => found.push (tacticPlace ctx i)
    | _, _ => children.foldl (init := found) fun found t => rootsIn ctx t found

/-- The tactics that the text itself writes. -/
partial def tacticsIn (ctx : Option ContextInfo) (tree : InfoTree) (found : Array (Place × TacticInfo)) : Array (Place × TacticInfo) :=
  match tree with
  | .context part t => tacticsIn (part.mergeIntoOuter? ctx) t found
  | .hole _ => found
  | .node info children =>
    let found := match info, ctx with
      | .ofTacticInfo i, some ctx => if isOriginal info && isSubstantive i then found.push (tacticPlace ctx i, i) else found
      | _, _ => found
    children.foldl (init := found) fun found t => tacticsIn ctx t found

/-- The constants in the terms that a tactic assigned to its goals, followed through the goals that it created on the way. -/
partial def assignedConstants (mctx : MetavarContext) (pending : List MVarId) (seen : Std.HashSet MVarId) (found : NameSet) : NameSet :=
  match pending with
  | [] => found
  | g :: rest =>
    if seen.contains g then assignedConstants mctx rest seen found else
    match mctx.getExprAssignmentCore? g with
    | none => assignedConstants mctx rest (seen.insert g) found
    | some e =>
      let found := e.getUsedConstants.foldl (·.insert ·) found
      assignedConstants mctx ((e.collectMVars {}).result.toList ++ rest) (seen.insert g) found

def tacticJson (w : Worker) (ground : Ground) (p : Place) (i : TacticInfo) : IO Json := do
  let constants := assignedConstants i.mctxAfter i.goalsBefore {} {}
  let tactic ← ppTacticIn p.context i.stx
  placeJson w ground p (rangeOf p ++ [("tactic", Json.str tactic), ("constants", textsJson (constants.toList.map toString))])

/-- A proof can use the auxiliary declarations that Lean generated for its statement, but not its own declaration. The info tree
   may hold the environment from before or after that declaration was added. -/
def environmentAt (n : Noted) (p : Place) : Environment :=
  match p.context.parentDecl? with
  | some declaration => if p.context.env.contains declaration then n.before else p.context.env.setExporting false
  | none => n.before

/-- The declarations that a text wrote, with their types, in its order. -/
def declaredTypes (w : Worker) (before : Environment) (st : Command.State) : IO (Array Json) := do
  let written := (ownConstants st.env).filterMap fun info =>
    if before.contains info.name || !Orch.isWritten st.env info.name then none
    else (declRangeExt.find? st.env info.name).map (info, ·.range)
  let inOrder := written.qsort fun (_, a) (_, b) => a.pos.lt b.pos
  let r : Running := {
    core := ← IO.mkRef { env := st.env, ngen := st.ngen, infoState := { enabled := false } }
    meta_ := ← IO.mkRef {}
    term := ← IO.mkRef {} }
  let ctx := coreContext w st (FileMap.ofString "") (← IO.getNumHeartbeats) defaultHeartbeats
  inOrder.filterMapM fun (info, range) => do
    let .ok type ← runTerm ctx r info.name (printed info.type) | return none
    return some (Json.mkObj [("name", Json.str (nameText info.name)), ("kind", Json.str (kindText info (getOriginalConstKind? st.env info.name))),
      ("type", type), ("start", positionJson range.pos), ("end", positionJson range.endPos)])

def opRepl (w : Worker) (j : Json) : IO Answer := do
  let some session ← getSession w j | return noSession
  let input := inputContext (getText j "text" "")
  let wantsHeader := getFlag j "header"
  let (header, headerEnd, messages) ← Parser.parseHeader input
  if wantsHeader then if let some why := missingImports session header then return why
  let scopes := match session.scopes with
    | scope :: rest => { scope with opts := scope.opts.insert `Elab.async (.ofBool false) } :: rest
    | [] => []
  let st := { session with scopes, messages := if wantsHeader then messages else {} }
  match (← noteCommands w j input (if wantsHeader then headerEnd else {}) st #[]) with
  | .error why => return why
  | .ok (st, noted) =>
    let said ← collectMessages st.messages
    if (← w.cancel.isSet) then return failedWith "timeout" said
    let states (find : InfoTree → Array Place) (range : Place → Fields) : IO (Array Json) :=
      noted.flatMapM fun n => n.trees.toArray.flatMapM fun t =>
        (find t).mapM fun p => placeJson w { env := environmentAt n p, ngen := st.ngen } p (range p)
    let sorries ← states (missingIn none) rangeOf
    let roots ← if getFlag j "root_goals" then
        states (rootsIn none · #[]) fun p => let start := (rangeOf p).head!; [start, ("end", start.2)]
      else pure #[]
    let tactics ← if getFlag j "all_tactics" then
        noted.flatMapM fun n => n.trees.toArray.flatMapM fun t =>
          (tacticsIn none t #[]).mapM fun (p, i) => tacticJson w { env := environmentAt n p, ngen := st.ngen } p i
      else pure #[]
    let infotree ← forestJson (getText j "infotree" "") (noted.toList.flatMap (·.trees))
    let places ← if getFlag j "places" then
        pure [("places", (← noted.foldlM (init := ({} : Places)) fun p n => p.add input.fileMap n.trees.toArray (localVars := true)).json)]
      else pure []
    let declared ← if getFlag j "decl_types" then declaredTypes w session.env st else pure #[]
    let id ← addSession w st
    return .done ([("session", num id), ("declared", Json.arr declared), ("sorries", Json.arr sorries), ("roots", Json.arr roots), ("tactics", Json.arr tactics)]
      ++ messagesField said ++ places ++ (match infotree with | some trees => [("infotree", trees)] | none => []))

/-! ### Steps -/

/-- One tactic, or the lines of a block. If it is neither, the answer is Lean's error for the tactic. -/
def parseTactic (env : Environment) (text : String) : Except String Syntax :=
  match Parser.runParserCategory env `tactic text with
  | .ok stx => .ok stx
  | .error e =>
    match Parser.runParserCategory env `term ("by\n" ++ text) with
    | .ok stx => .ok (stx.getArg 1)
    | .error _ => .error e

/-- The hypotheses that a proof uses, with everything their types mention. Auxiliary declarations of Lean do not count: a
   theorem cannot be proved by itself. -/
def hypothesesOf (proof : Expr) : MetaM (Array Expr) := do
  let used ← (collectFVars {} proof).addDependencies
  return (← getLCtx).foldl (init := #[]) fun all d =>
    if !d.isImplementationDetail && used.fvarSet.contains d.fvarId then all.push d.toExpr else all

/-- The status of the proof of the first goals. The kernel decides, whatever the options say. -/
def proofStatus (w : Worker) (roots goals : List MVarId) : TermElabM String := do
  if !goals.isEmpty then return "Incomplete: open goals remain"
  let [root] := roots | return "Not verified: more than one initial goal"
  root.withContext do
    if (← getExprMVarAssignment? root).isNone then return "Error: Goal not assigned"
    let proof ← instantiateMVars (mkMVar root)
    let expected ← instantiateMVars (← root.getType)
    let type ← instantiateMVars (← inferType proof)
    if !(← isDefEq type expected) then return s!"Error: proof has type {type} but root goal has type {expected}"
    let hypotheses ← hypothesesOf proof
    let proof ← instantiateMVars (← mkLambdaFVars hypotheses proof)
    let type ← instantiateMVars (← mkForallFVars hypotheses expected)
    if proof.hasExprMVar || type.hasExprMVar then return "Incomplete: contains metavariable(s)"
    let levels := collectLevelParams (collectLevelParams {} type) proof
    let declaration := Declaration.defnDecl {
      name := .anonymous, levelParams := levels.params.toList, type, value := proof, hints := .opaque, safety := .safe }
    match (← getEnv).addDeclCore (Core.getMaxHeartbeats (← getOptions)).toUSize declaration (some w.cancel) with
    | .error e => return s!"Error: kernel type check failed: {← (e.toMessageData (← getOptions)).toString}"
    | .ok _ => return if proof.hasSorry then "Incomplete: contains sorry" else "Completed"

def opReplStep (w : Worker) (j : Json) : IO Answer := do
  let some (some p) := (← w.states.get)[getNat j "state" 0]?
    | return .failed "unknown-state" "there is no such proof state in this worker" []
  let some talk := p.talk | return .failed "unknown-state" "the proof state belongs to no conversation" []
  match parseTactic p.core.env (getText j "tactic" "") with
  | .error e => return .failed "parse" e []
  | .ok stx =>
    if let some why := refuseCode w { env := p.core.env, maxRecDepth := 0 } j stx then return why
    let ctx := { talk.context with initHeartbeats := ← IO.getNumHeartbeats, cancelTk? := some w.cancel }
    let r ← resume { p with core := { p.core with messages := {}, traceState := {}, infoState := {} } }
    let act : TermElabM (List MVarId × List String) := do
      let ref ← ST.mkRef (Tactic.State.mk p.goals)
      let run : Tactic.TacticM Unit := do
        Tactic.evalTactic stx
        Term.synthesizeSyntheticMVarsNoPostponing
        Tactic.pruneSolvedGoals
      run { elaborator := .anonymous } ref
      let goals := (← ref.get).goals
      return (goals, ← goalTexts goals)
    match (← inState ctx r p.declaration act) with
    | .error e => failedByException "tactic" e
    | .ok (goals, texts) =>
      let core ← r.core.get
      let said ← collectMessages core.messages
      let traces ← (core.traceState.traces.toList).mapM fun t => return (← t.msg.toString).trimAscii.toString
      let around : ContextInfo := {
        env := core.env, fileMap := default, mctx := p.meta_.mctx, options := ctx.options, currNamespace := ctx.currNamespace
        openDecls := ctx.openDecls, ngen := core.ngen, parentDecl? := some p.declaration }
      let trees := core.infoState.trees.toList.map (·.substitute core.infoState.assignment)
      let ground : Ground := { env := core.env, ngen := core.ngen, roots := some talk.roots }
      let sorries ← (trees.toArray.flatMap fun t => missingIn (some p.meta_.mctx) (.context (.commandCtx around.toCommandContextInfo) t)).mapM
        fun place => placeJson w ground place [("start", positionJson ⟨0, 0⟩), ("end", positionJson ⟨0, 0⟩)]
      let after : ProofState := { p with
        core := { core with messages := {}, traceState := {}, infoState := {} }
        meta_ := ← r.meta_.get, term := ← r.term.get, goals, talk := some { talk with context := ctx } }
      match (← inState ctx (← resume after) p.declaration (proofStatus w talk.roots goals)) with
      | .error e => failedByException "tactic" e
      | .ok status =>
        if (← w.cancel.isSet) then return failedWith "timeout" said
        let id ← saveState w after
        return .done ([("state", num id), ("goals", textsJson texts), ("sorries", Json.arr sorries), ("traces", textsJson traces),
          ("status", Json.str status)] ++ messagesField said)

end Orch.Conversation
