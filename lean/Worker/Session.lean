import Worker.Answers

/-! Sessions: a source text loaded on top of another session. A session is a whole `Command.State`, a persistent value, so
keeping many costs little and a nested one shares everything with its parent. -/

open Lean Meta Elab

namespace Orch

/-- An elaborated statement, kept so that a second attempt at it does not elaborate it again. -/
structure Statement where
  name : Name
  levels : List Name
  type : Expr
  /-- how many leading binders the user named in the statement; they are introduced when a proof starts -/
  intros : Nat

/-- A saved proof state; every part is a persistent value, so keeping it is cheap. -/
structure ProofState where
  core : Core.State
  meta_ : Meta.State
  term : Term.State
  goals : List MVarId
  root : MVarId
  declaration : Name
  session : Nat

/-- Why a proof is not accepted: a kind of docs/PROTOCOL.md, and a sentence. -/
inductive Refusal where
  | mk (kind : String) (message : String)

/-- What the kernel has added, and what it has refused. -/
structure Judged where
  env : Environment
  refused : List (Name × Refusal) := []

/-- The part of a session that went through the kernel. -/
structure Replayed where
  judged : Judged
  seen : NameSet := {}

structure Worker where
  sessions : IO.Ref (Array (Option Command.State))
  states : IO.Ref (Array (Option ProofState))
  freeStates : IO.Ref (List Nat)
  statements : IO.Ref (List (String × Statement))
  /-- sessions as a judge sees them, by number -/
  replays : IO.Ref (List (Nat × Replayed))
  /-- set from outside when the deadline of the running request has passed -/
  cancel : IO.CancelToken

def inputContext (text : String) : Parser.InputContext :=
  Parser.InputContext.mk' text "<input>" (FileMap.ofString text) text.rawEndPos (by simp)

def limitOptions (o : Options) (heartbeats : Nat) : Options :=
  let o := o.insert `maxHeartbeats (.ofNat heartbeats)
  let o := o.insert `Elab.async (.ofBool false)
  o.insert `linter.all (.ofBool false)

/-- The state of a session as a request uses it: its limits, no old messages. -/
def prepared (st : Command.State) (heartbeats : Nat) (info : Bool) : Command.State :=
  let st := { st with messages := {}, infoState := { enabled := info } }
  match st.scopes with
  | scope :: rest => { st with scopes := { scope with opts := limitOptions scope.opts heartbeats } :: rest }
  | [] => st

/-- The kernel is the judge's business; what only looks for a proof can do without it. -/
def withoutKernel (st : Command.State) : Command.State :=
  match st.scopes with
  | scope :: rest => { st with scopes := { scope with opts := scope.opts.insert `debug.skipKernelTC (.ofBool true) } :: rest }
  | [] => st

def defaultHeartbeats : Nat := 200000

def heartbeatsOf (j : Json) : Nat := getNat j "heartbeats" defaultHeartbeats

def getSession (w : Worker) (j : Json) : IO (Option Command.State) := do
  let all ← w.sessions.get
  match all[getNat j "session" 0]? with
  | some (some st) => return some st
  | _ => return none

def noSession : Answer := .failed "unknown-session" "there is no such session in this worker" []

def parserContext (st : Command.State) : Parser.ParserModuleContext :=
  match st.scopes with
  | scope :: _ =>
    { env := st.env, options := scope.opts, currNamespace := scope.currNamespace, openDecls := scope.openDecls }
  | [] => { env := st.env, options := {} }

def runCommand (w : Worker) (input : Parser.InputContext) (st : Command.State) (stx : Syntax) : IO Command.State := do
  -- Lean starts every command with an empty log; what was said before stays with us.
  let said := st.messages
  let ref ← IO.mkRef { st with messages := {} }
  let ctx : Command.Context :=
    { fileName := "<input>", fileMap := input.fileMap, snap? := none, cancelTk? := some w.cancel }
  let result ← (Command.elabCommandTopLevel stx ctx ref).toBaseIO
  let after ← ref.get
  let after := { after with messages := said ++ after.messages }
  match result with
  | .ok _ => return after
  | .error e =>
    let pos := input.fileMap.toPosition ((stx.getPos?).getD 0)
    let message : Message := { fileName := "<input>", pos, data := e.toMessageData, severity := .error }
    return { after with messages := after.messages.add message }

/-- A theorem as the user wrote it: its name as declared, and where the command stands. -/
structure Written where
  name : Name
  start : Position
  stop : Position

/-- What running a text leaves behind: the state, the info trees and the theorems of its commands, last first. -/
structure Loaded where
  state : Command.State
  trees : List (PersistentArray InfoTree) := []
  theorems : List Written := []

mutual
/-- The `declId`s of all theorems in a command (a `mutual` block has several). -/
partial def theoremIds (fuel : Nat) (stx : Syntax) (acc : List Syntax) : List Syntax :=
  if stx.getKind == `Lean.Parser.Command.theorem || stx.getKind == `lemma then stx.getArg 1 :: acc
  else if fuel == 0 then acc
  else theoremIdsIn (fuel - 1) stx.getArgs.toList acc

partial def theoremIdsIn (fuel : Nat) (xs : List Syntax) (acc : List Syntax) : List Syntax :=
  match xs with | [] => acc | x :: r => theoremIdsIn fuel r (theoremIds fuel x acc)
end

def currentNamespace (st : Command.State) : Name :=
  match st.scopes with | scope :: _ => scope.currNamespace | [] => .anonymous

partial def writtenTheorems (map : FileMap) (namespace_ : Name) (stx : Syntax) (ids : List Syntax) (acc : List Written) : List Written :=
  match ids with
  | [] => acc
  | id :: r =>
    let start := map.toPosition ((stx.getPos?).getD 0)
    let stop := map.toPosition ((stx.getTailPos?).getD 0)
    writtenTheorems map namespace_ stx r ({ name := namespace_ ++ (id.getArg 0).getId, start, stop } :: acc)

/-- Run every command of a text. -/
partial def runCommands (w : Worker) (input : Parser.InputContext) (parser : Parser.ModuleParserState)
    (l : Loaded) : IO Loaded := do
  let (stx, parser, messages) := Parser.parseCommand input (parserContext l.state) parser l.state.messages
  let st := { l.state with messages }
  if Parser.isTerminalCommand stx then return { l with state := st }
  let theorems := writtenTheorems input.fileMap (currentNamespace st) stx (theoremIds 3 stx []) l.theorems
  let st ← runCommand w input st stx
  let trees := if st.infoState.enabled then st.infoState.trees :: l.trees else l.trees
  let l : Loaded := { state := { st with infoState := { enabled := st.infoState.enabled } }, trees, theorems }
  if (← w.cancel.isSet) then return l
  runCommands w input parser l

/-- Parse exactly one command that spans the whole text. -/
def parseSingle (st : Command.State) (text : String) : IO (Except (List Message) Syntax) := do
  let input := inputContext text
  let (stx, parser, messages) := Parser.parseCommand input (parserContext st) {} {}
  if messages.hasErrors then return .error messages.toList
  let (next, _, messages) := Parser.parseCommand input (parserContext st) parser {}
  if messages.hasErrors || !(Parser.isTerminalCommand next) then
    return .error (oneMessage (input.fileMap.toPosition parser.pos) "expected a single declaration, and nothing after it")
  return .ok stx

def addSession (w : Worker) (st : Command.State) : IO Nat := do
  let all ← w.sessions.get
  w.sessions.set (all.push (some { st with messages := {}, infoState := { enabled := false } }))
  return all.size

partial def unloadAll (w : Worker) (xs : List Json) : IO Unit := do
  match xs with
  | [] => return
  | x :: r =>
    match x.getNat? with
    | .ok i => w.sessions.modify (fun all => if i < all.size then all.set! i none else all)
    | _ => pure ()
    unloadAll w r

end Orch
