import Worker.Plain
import Worker.AutoBound
import Worker.Base

/-! Sessions: a source text loaded on top of another session. A session is a whole `Command.State`. That is a persistent value,
   so keeping many is cheap, and a nested session shares everything with its parent. -/

open Lean Meta Elab

namespace Orch

/-- An elaborated statement, cached for the next attempt at it. -/
structure Statement where
  name : Name
  levels : List Name
  type : Expr
  /-- the number of leading binders that the user named; they are introduced when a proof starts -/
  intros : Nat
  /-- the environment in which it was elaborated, with the constants that its type reaches -/
  env : Environment
  /-- did the strict rule for automatically bound names apply? -/
  strict : Bool
  /-- the names that Lean bound automatically -/
  bound : List Name

/-- Extra data for a proof state of a conversation: its context and the goals of its proof. -/
structure Talk where
  context : Core.Context
  roots : List MVarId

/-- A saved proof state. Every part is a persistent value, so keeping it is cheap. -/
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
  /-- the bases that a judge has read, by the bytes of the statement's data -/
  bases : IO.Ref (List (String × Base))
  /-- the kinds of syntax that may run code -/
  kinds : Std.HashMap Name Look
  /-- the amount of code that the imports registered; anything more belongs to the text -/
  registered : Nat
  /-- set from outside when the deadline of the running request has passed -/
  cancel : IO.CancelToken

def inputContext (text : String) : Parser.InputContext :=
  Parser.InputContext.mk' text "<input>" (FileMap.ofString text) text.rawEndPos (by simp)

def limitOptions (o : Options) (heartbeats : Nat) : Options :=
  let o := o.insert `maxHeartbeats (.ofNat heartbeats)
  let o := o.insert `Elab.async (.ofBool false)
  o.insert `linter.all (.ofBool false)

/-- The state of a session for one request: with the request's limits and without old messages. -/
def prepared (st : Command.State) (heartbeats : Nat) (info : Bool) : Command.State :=
  let st := { st with messages := {}, infoState := { enabled := info } }
  match st.scopes with
  | scope :: rest => { st with scopes := { scope with opts := limitOptions scope.opts heartbeats } :: rest }
  | [] => st

/-- Only the judge needs the kernel; search runs without it. -/
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

/-- A text that can run its own code is elaborated only if the client permits it. The client then uses this process for nothing
   else. -/
def refuseCode (w : Worker) (st : Command.State) (j : Json) (stx : Syntax) : Option Answer := Id.run do
  if getFlag j "code" then return none
  match firstCode w.kinds (some []) stx with
  | some kind => return some (.failed "runs-code" s!"the text can run code of its own ({nameText kind})" [])
  | none =>
    if hasOptionValue stx && redefinesLiterals st.env then
      return some (.failed "runs-code" "the text has its own `true`, `false` or `none`, which an option of a tactic may run" [])
    if registeredCode st.env <= w.registered then return none
    return some (.failed "runs-code" "the text before this one has registered code of its own" [])

/-- The same after a command: it may have declared code that a later command makes Lean run. -/
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
  -- Lean starts every command with an empty log, so keep the earlier messages here.
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

/-- The same for a command of a claim, where an undeclared name becomes a variable only if it looks like one. -/
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
