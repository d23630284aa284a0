import Worker.Load
import Worker.Places

/-! Modules of a project: read a header, import compiled modules into a new session, and compile a text as a module, whose files
   go where the host allows. Only workers that elaborate do this, never a judge: an import runs the initialisers of the imported
   modules. -/

open Lean Meta Elab

namespace Orch

/-- Where the host shows the compiled modules of a project. -/
def modulesFolder : System.FilePath := "/lean/modules"

def importJson (i : Import) : Json :=
  Json.mkObj [("module", Json.str (nameText i.module)), ("all", Json.bool i.importAll),
    ("public", Json.bool i.isExported), ("meta", Json.bool i.isMeta)]

/-- What a text imports, and whether it starts with `module`. -/
def headerJson (text : String) : IO Json := do
  let (header, _, messages) ← Parser.parseHeader (inputContext text)
  let said ← collectMessages messages
  if said.errors > 0 then return (failedWith "parse" said).json
  return (Answer.done [("module", Json.bool (HeaderSyntax.isModule header)), ("imports", Json.arr ((headerToImports header).map importJson))]).json

def opHeaders (j : Json) : IO Answer := do
  return .done [("headers", Json.arr (← (getTexts j "texts").toArray.mapM headerJson))]

/-- Options that a project sets: text, numbers and booleans. `weak.x` means `x` if this Lean has it. An unregistered option
   changes nothing. -/
def optionsOf (j : Json) : Options :=
  match j.getObjVal? "options" with
  | .ok (.obj fields) => fields.foldl (init := {}) fun all key value =>
    let name := key.toName.replacePrefix `weak .anonymous
    match value with
    | .bool b => all.insert name (.ofBool b)
    | .str s => all.insert name (.ofString s)
    | value => match value.getNat? with
      | .ok n => all.insert name (.ofNat n)
      | .error _ => all
  | _ => {}

/-- Let Lean look for modules in the project's folders. -/
def showModules : IO Unit :=
  searchPathRef.modify fun path => if path.contains modulesFolder then path else path ++ [modulesFolder]

unsafe def allowInitialisersUnsafe : IO Unit := enableInitializersExecution

/-- Allow the next import to run initialisers, which create the attributes and extensions of a package. Lean withdraws this
   permission after every import. -/
@[implemented_by allowInitialisersUnsafe]
opaque allowInitialisers : IO Unit

def importsFrom (j : Json) : Array Import :=
  #[{ module := `Init }] ++ ((getItems j "imports").filterMap nameOfJson?).toArray.map fun n => { module := n }

/-- Import compiled modules completely into a new session. -/
def importSession (w : Worker) (imports : Array Import) (options : Options) : IO (Except String Nat) := do
  showModules
  allowInitialisers
  try
    let env ← importModules imports options (trustLevel := 0) (leakEnv := true) (loadExts := true)
    return .ok (← addSession w (Command.mkState env {} options))
  catch e => return .error (toString e)

def opImport (w : Worker) (j : Json) : IO Answer := do
  match (← importSession w (importsFrom j) (optionsOf j)) with
  | .ok session => return .done [("session", num session)]
  | .error e => return .failed "missing-import" e []

/-- Does a command, or the text before it, allow private names in public declarations? -/
partial def lendsPrivate (st : Command.State) (stx : Syntax) : Bool :=
  (st.scopes.head?.any fun scope => ResolveName.backward.privateInPublic.get scope.opts) || inFront stx
where
  inFront (stx : Syntax) : Bool :=
    stx.isOfKind ``Parser.Command.in && (stx[0][1].getId == `backward.privateInPublic || inFront stx[2])

def withAsync (on : Bool) (st : Command.State) : Command.State :=
  { st with scopes := st.scopes.map fun scope => { scope with opts := scope.opts.insert `Elab.async (.ofBool on) } }

/-- Run a command whose theorems are elaborated in tasks, and wait for them. Without tasks this Lean hides private theorems from
   public declarations, whatever `backward.privateInPublic` says. -/
def runInTasks (w : Worker) (input : Parser.InputContext) (st : Command.State) (stx : Syntax) : IO Command.State := do
  let after ← runCommand w input (withAsync true st) stx
  let parts := after.snapshotTasks.flatMap (·.get.getAll)
  let messages := parts.foldl (fun all part => all ++ part.diagnostics.msgLog) after.messages
  let trees := parts.foldl (fun all part => part.infoTree?.elim all all.push) after.infoState.trees
  return withAsync false { after with messages, snapshotTasks := #[], infoState := { after.infoState with trees } }

/-- The result of compiling a text. -/
structure Compiled where
  state : Command.State
  /-- has a command been met that can run code of its own? -/
  code : Bool := false
  places : Places := {}

/-- Run every command of a text, including its own code. -/
partial def compileCommands (w : Worker) (input : Parser.InputContext) (parser : Parser.ModuleParserState) (c : Compiled) :
    IO Compiled := do
  let (stx, parser, messages) := Parser.parseCommand input (parserContext c.state) parser c.state.messages
  let code := c.code || (refuseCode w c.state Json.null stx).isSome
  let run := if lendsPrivate c.state stx then runInTasks else runCommand
  let state ← run w input { c.state with messages } stx
  let places ← c.places.add input.fileMap state.infoState.trees.toArray
  let c := { state := { state with infoState := {} }, code, places }
  if Parser.isTerminalCommand stx || (← w.cancel.isSet) then return c
  compileCommands w input parser c

/-- Compile a text as a module and write its files. With `keepBroken` they are written in spite of errors: Lean puts a `sorry`
   where a proof failed, so the gate refuses everything that depends on it. -/
def opCompile (w : Worker) (j : Json) : IO Answer := do
  let some name := (j.getObjVal? "name").toOption.bind nameOfJson?
    | return .failed "invalid-request" "a module has a name" []
  let input := inputContext (getText j "text" "")
  let (header, parser, messages) ← Parser.parseHeader input
  if messages.hasErrors then return (← failedBy "parse" messages)
  showModules
  allowInitialisers
  let options := optionsOf j
  let (env, messages) ← processHeaderCore (HeaderSyntax.startPos header) (headerToImports header) (HeaderSyntax.isModule header) options messages input
    (leakEnv := true) (mainModule := name)
  if messages.hasErrors then return (← failedBy "missing-import" messages)
  let st := withAsync false (Command.mkState env messages options)
  let compiled ← compileCommands w input parser { state := st }
  let said ← collectMessages compiled.state.messages
  if (← w.cancel.isSet) then return failedWith "timeout" said
  if said.errors > 0 && !getFlag j "keepBroken" then return failedWith "elaboration" said
  let output : System.FilePath := getText j "output" ""
  writeModule compiled.state.env output
  compiled.places.write name header (output.withExtension "ilean")
  let code := compiled.code || redefinesLiterals compiled.state.env || (refuseMeta env compiled.state.env Json.null).isSome
  return .done (messagesField said ++ [("code", Json.bool code)])

end Orch
