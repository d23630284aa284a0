import Lean.Elab.Command
import Lean.Elab.Import

/-! Compiles the modules of the worker for the embedded Lean. The worker itself compiles the modules of projects, but it does
   not exist when this runs. The host calls `compile` once per process. Everything runs in the calling thread, so the output is
   the same every time. -/

open Lean Elab

/-- Run every command; stop after the first that has errors. -/
partial def runCommands (input : Parser.InputContext) (parser : Parser.ModuleParserState) (st : Command.State) :
    IO Command.State := do
  let some scope := st.scopes.head? | return st
  let context : Parser.ParserModuleContext :=
    { env := st.env, options := scope.opts, currNamespace := scope.currNamespace, openDecls := scope.openDecls }
  let (stx, parser, messages) := Parser.parseCommand input context parser {}
  if messages.hasErrors then return { st with messages }
  let ref ← IO.mkRef { st with messages := {}, infoState := { enabled := false } }
  let result ← (Command.elabCommandTopLevel stx
    { fileName := input.fileName, fileMap := input.fileMap, snap? := none, cancelTk? := none } ref).toBaseIO
  let st ← ref.get
  if let .error e := result then
    throw (IO.userError (← e.toMessageData.toString))
  if st.messages.hasErrors || Parser.isTerminalCommand stx then return st
  runCommands input parser st

def errorText (messages : MessageLog) : IO String := do
  let errors ← (messages.toList.filter (·.severity matches .error)).mapM (·.toString)
  return String.join errors

/-- A request has three lines: the name of a module, the path of its source and the path of the file to write. The answer is
   Lean's error messages, or empty. -/
unsafe def compile (request : String) : IO String := do
  let [name, source, output] := request.splitOn "\n" | return "a request has three lines"
  let input := Parser.mkInputContext (← IO.FS.readFile source) name
  let (header, parser, messages) ← Parser.parseHeader input
  if messages.hasErrors then return (← errorText messages)
  enableInitializersExecution
  let options := (({} : Options).insert `Elab.async (.ofBool false)).insert `linter.all (.ofBool false)
  let (env, messages) ← processHeader header options messages input (mainModule := name.toName)
  if messages.hasErrors then return (← errorText messages)
  let st ← runCommands input parser (Command.mkState env messages options)
  if st.messages.hasErrors then return (← errorText st.messages)
  writeModule st.env output
  return ""

public unsafe def main : IO UInt32 := do
  let keep ← IO.mkRef fun request => try compile request catch e => return toString e
  let handler ← keep.get
  -- When the host reads this line it takes its own reference, and `main` never continues after that.
  IO.println ("@@publish " ++ Nat.repr (ptrAddrUnsafe handler).toNat)
  let handler ← keep.get
  let _ ← handler ""
  return 0
