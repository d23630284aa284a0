import Worker.Plain
import Worker.AutoBound
import Worker.Base

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
  /-- where it was elaborated: this has the constants that its type reaches -/
  env : Environment
  /-- were names bound by the strict rule? -/
  strict : Bool
  /-- the names that Lean bound by itself -/
  bound : List Name

/-- What a proof state of a conversation has of its own: where it stands, and the goals that its proof is about. -/
structure Talk where
  context : Core.Context
  roots : List MVarId

/-- A saved proof state; every part is a persistent value, so keeping it is cheap. -/
structure ProofState where
  core : Core.State
  meta_ : Meta.State
  term : Term.State
  goals : List MVarId
  root : MVarId
  declaration : Name
  session : Nat
  talk : Option Talk := none

structure Worker where
  sessions : IO.Ref (Array (Option Command.State))
  states : IO.Ref (Array (Option ProofState))
  freeStates : IO.Ref (List Nat)
  statements : IO.Ref (List (String × Statement))
  /-- what a judge has read, by the bytes of the statement's data -/
  bases : IO.Ref (List (String × Base))
  /-- the kinds of syntax that may run code -/
  kinds : Std.HashMap Name Look
  /-- how much code the imports bring along: what a text adds to it is its own -/
  registered : Nat
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

def sessionAt (w : Worker) (i : Nat) : IO (Option Command.State) := do
  return ((← w.sessions.get)[i]?).join

def getSession (w : Worker) (j : Json) : IO (Option Command.State) := sessionAt w (getNat j "session" 0)

/-- The environment of the imports alone. -/
def importsOf (w : Worker) : IO (Option Environment) := do
  return (← sessionAt w 0).map (·.env)

def noSession : Answer := .failed "unknown-session" "there is no such session in this worker" []

/-- A text that can run code of its own is elaborated only for a client that says so: it will not use this process for
anything else. -/
def refuseCode (w : Worker) (st : Command.State) (j : Json) (stx : Syntax) : Option Answer := Id.run do
  if getFlag j "code" then return none
  match firstCode w.kinds (some []) stx with
  | some kind => return some (.failed "runs-code" s!"the text can run code of its own ({nameText kind})" [])
  | none =>
    if hasOptionValue stx && redefinesLiterals st.env then
      return some (.failed "runs-code" "the text has its own `true`, `false` or `none`, which an option of a tactic may run" [])
    if registeredCode st.env <= w.registered then return none
    return some (.failed "runs-code" "the text before this one has registered code of its own" [])

/-- The same after a command: what it declared may be code that a later one makes Lean run. -/
def refuseMeta (before after : Environment) (j : Json) : Option Answer :=
  if getFlag j "code" then none else
  let isCode (info : ConstantInfo) : Bool := isMeta after info || takesKind before info || changesLiterals before info
  ((addedTo before after).find? isCode).map fun info =>
    .failed "runs-code" s!"{nameText info.name} is about Lean itself, which may run it" []

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
    return { after with messages := after.messages.add { fileName := "<input>", pos, data := e.toMessageData, severity := .error } }

/-- The same for a command of a claim, where a name that nobody declares is a variable only if it looks like one. -/
def runClaimed (w : Worker) (input : Parser.InputContext) (st : Command.State) (stx : Syntax) : IO Command.State := do
  let after ← runCommand w input st stx
  match boundByMistake st after.env stx with
  | none => return after
  | some n =>
    let data : MessageData := .ofFormat (.text
      s!"{nameText n} is not declared. To make it a variable, bind it in brackets or write `set_option relaxedAutoImplicit true`.")
    let pos := input.fileMap.toPosition ((stx.getPos?).getD 0)
    return { after with messages := after.messages.add { fileName := "<input>", pos, data, severity := .error } }

/-- Parse exactly one command that spans the whole text. -/
def parseSingle (st : Command.State) (text : String) : IO (Except MessageLog Syntax) := do
  let input := inputContext text
  let (stx, parser, messages) := Parser.parseCommand input (parserContext st) {} {}
  if messages.hasErrors then return .error messages
  let (next, _, messages) := Parser.parseCommand input (parserContext st) parser {}
  if messages.hasErrors || next.getKind != ``Parser.Command.eoi then
    return .error (oneMessage (input.fileMap.toPosition parser.pos) "expected a single declaration, and nothing after it")
  return .ok stx

def addSession (w : Worker) (st : Command.State) : IO Nat := do
  let all ← w.sessions.get
  w.sessions.set (all.push (some { st with messages := {}, infoState := { enabled := false } }))
  return all.size

def unload (w : Worker) (numbers : List Nat) : IO Unit :=
  w.sessions.modify fun all => numbers.foldl (fun all i => if i < all.size then all.set! i none else all) all

end Orch
