import Worker.Check

/-! Proof steps: start a proof, run one or many tactics from a saved state, drop states. -/

open Lean Meta Elab

namespace Orch

def resume (p : ProofState) : IO Running := do
  return { core := ← IO.mkRef p.core, meta_ := ← IO.mkRef p.meta_, term := ← IO.mkRef p.term }

def evalTactic (stx : Syntax) (gs : List MVarId) : TermElabM (List MVarId) := do
  let ref ← ST.mkRef (Tactic.State.mk gs)
  let act : Tactic.TacticM Unit := do
    Tactic.evalTactic stx
    Term.synthesizeSyntheticMVarsNoPostponing
    Tactic.pruneSolvedGoals
  act { elaborator := .anonymous, recover := false } ref
  return (← ref.get).goals

def saveState (w : Worker) (p : ProofState) : IO Nat := do
  match (← w.freeStates.get) with
  | i :: r => w.freeStates.set r; w.states.modify (fun a => a.set! i (some p)); return i
  | [] => let a ← w.states.get; w.states.set (a.push (some p)); return a.size

/-- With no goal left, the proof must be complete: an unassigned metavariable or a `sorry` under it is not a proof. -/
def closed (root : MVarId) : TermElabM Bool := do
  let proof ← instantiateMVars (mkMVar root)
  return !(proof.hasExprMVar || proof.hasSorry)

/-- Save the state after a tactic and describe it. -/
def answerState (w : Worker) (j : Json) (ctx : Core.Context) (r : Running) (p : ProofState) (gs : List MVarId) : IO Answer := do
  let core ← r.core.get
  let said ← collectMessages core.messages
  if said.errors > 0 then return failedWith "tactic" said
  let wantsCanonical := getFlag j "canonical"
  let act : TermElabM (Array Json × Bool) := do
    let goals ← goalsJson wantsCanonical gs
    let isClosed ← if gs.isEmpty then closed p.root else pure false
    return (goals, isClosed)
  match (← runTerm ctx r p.declaration act) with
  | .error e => failedByException "tactic" e
  | .ok (goals, isClosed) =>
    if gs.isEmpty && !isClosed then return .failed "tactic" "no goals are left, but the proof is incomplete" []
    let core := { core with messages := {} }
    let id ← saveState w { p with core, meta_ := ← r.meta_.get, term := ← r.term.get, goals := gs }
    return .done (messagesField said ++ [("state", num id), ("goals", Json.arr goals), ("closed", Json.bool isClosed)])

def opStart (w : Worker) (j : Json) : IO Answer := do
  match (← getSession w j) with
  | none => return noSession
  | some session =>
  let heartbeats := heartbeatsOf j
  let st := prepared session heartbeats false
  match (← elaborateStatement w st j) with
  | .error a => return a
  | .ok s =>
    let ctx := coreContext w st (FileMap.ofString "") (← IO.getNumHeartbeats) heartbeats
    let r : Running := {
      core := ← IO.mkRef { env := st.env, ngen := st.ngen, auxDeclNGen := { namePrefix := s.name }, infoState := { enabled := false } }
      meta_ := ← IO.mkRef {}
      term := ← IO.mkRef { levelNames := s.levels } }
    let act : TermElabM (MVarId × MVarId) := do
      let root ← mkFreshExprMVar (some s.type) .syntheticOpaque .anonymous
      let (_, g) ← root.mvarId!.introNP s.intros
      return (root.mvarId!, g)
    match (← runTerm ctx r s.name act) with
    | .error e => failedByException "statement" e
    | .ok (root, g) =>
      let p : ProofState := {
        core := ← r.core.get, meta_ := ← r.meta_.get, term := ← r.term.get
        goals := [g], root, declaration := s.name, session := getNat j "session" 0 }
      answerState w j ctx r p [g]

/-- One tactic (a whole tactic block is allowed) from the saved state `p`. -/
def runTactic (w : Worker) (j : Json) (session : Command.State) (p : ProofState) (tactic : String) : IO Answer := do
  let heartbeats := heartbeatsOf j
  -- at column 0, so that the other lines of a block keep the user's indentation
  let source := "by\n" ++ tactic
  match Parser.runParserCategory p.core.env `term source "<tactic>" with
  | .error e => return .failed "parse" e []
  | .ok stx =>
    if let some why := refuseCode w { session with env := p.core.env } j stx then return why
    let ctx := coreContext w session (FileMap.ofString source) (← IO.getNumHeartbeats) heartbeats
    let r ← resume p
    match (← runTerm ctx r p.declaration (evalTactic (stx.getArg 1) p.goals)) with
    | .error e => failedByException "tactic" e
    | .ok gs => answerState w j ctx r p gs

def getState (w : Worker) (j : Json) : IO (Except Answer (ProofState × Command.State)) := do
  match (← w.states.get)[getNat j "state" 0]? with
  | some (some p) =>
    match (← w.sessions.get)[p.session]? with
    | some (some session) => return .ok (p, session)
    | _ => return .error noSession
  | _ => return .error (.failed "unknown-state" "there is no such proof state in this worker" [])

def opStep (w : Worker) (j : Json) : IO Answer := do
  match (← getState w j) with
  | .error a => return a
  | .ok (p, session) => runTactic w j session p (getText j "tactic" "")

def isClosedState : Answer → Bool
  | .done fields => fields.any fun (key, value) => key == "closed" && value == .bool true
  | .failed .. => false

/-- Run many tactics from one saved state, independently of each other. The answers are in the order of the tactics. -/
def opSteps (w : Worker) (j : Json) : IO Answer := do
  match (← getState w j) with
  | .error a => return a
  | .ok (p, session) =>
    let mut results := #[]
    for tactic in getTexts j "tactics" do
      let startedAt ← IO.monoMsNow
      let before ← IO.getNumHeartbeats
      let answer ← runTactic w j session p tactic
      let took := [("ms", num ((← IO.monoMsNow) - startedAt)), ("heartbeats", num ((← IO.getNumHeartbeats) - before))]
      results := results.push <| Answer.json <| match answer with
        | .done fields => .done (took ++ fields)
        | .failed kind message fields => .failed kind message (took ++ fields)
      if (isClosedState answer && getFlag j "stop_when_closed") || (← w.cancel.isSet) then break
    return .done [("results", Json.arr results)]

def drop (w : Worker) (numbers : List Nat) : IO Unit := do
  for i in numbers do
    let all ← w.states.get
    if let some (some _) := all[i]? then
      w.states.set (all.set! i none)
      w.freeStates.modify (i :: ·)

end Orch
