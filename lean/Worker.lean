import Worker.Judge
import Worker.Conversation
import Worker.Files
import Worker.Library
import Worker.LibraryData
import Worker.PrintAxioms
import Worker.Project
import Worker.Prove
import Worker.Description
import Worker.Equations
import Worker.Refute
import Worker.Weaken

/-! The Lean side of the protocol (docs/PROTOCOL.md). One JSON request per line in, one JSON answer out.

The embedded Lean imports the parts in `Worker/` as compiled modules, and the host calls `handle` directly. A native Lean
(`lean --run`) gets them joined into one file; it reads requests from stdin and answers on descriptor 3. -/

open Lean Meta Elab

namespace Orch

def protocolVersion : Nat := 3

def opHello (w : Worker) (j : Json) : IO Answer := do
  let some session ← getSession w j | return noSession
  return .done [
    ("protocol", num protocolVersion),
    ("lean", Json.str Lean.versionString),
    ("modules", num session.env.header.moduleNames.size),
    ("imports", namesJson (session.env.header.imports.toList.map (·.module)))]

def dispatch (w : Worker) (j : Json) : IO Answer := do
  match getText j "op" "" with
  | "hello" => opHello w j
  | "load" => opLoad w j
  | "unload" => unload w (getNats j "sessions"); return .done []
  | "read" => opRead w j
  | "headers" => opHeaders j
  | "import" => opImport w j
  | "compile" => opCompile w j
  | "statement" => opStatement w j
  | "check" => opCheck w j
  | "export" => opExport w j
  | "judge" => opJudge w j
  | "judge-file" => opJudgeFile w j
  | "start" => opStart w j
  | "step" => opStep w j
  | "steps" => opSteps w j
  | "repl" => Conversation.opRepl w j
  | "repl-step" => Conversation.opReplStep w j
  | "describe" => opDescribe w j
  | "relate" => opRelate w j
  | "moves" => opMoves w j
  | "equations" => opEquations w j
  | "refute" => opRefute w j
  | "weaken" => opWeaken w j
  | "drop" => drop w (getNats j "states"); return .done []
  | "constants" => opConstants w j
  | "library" => opLibrary w j
  | "tactics" => opTactics w j
  | "memory" => return .done []
  | "stop" => return .done []
  | op => return .failed "invalid-request" ("unknown operation " ++ op) []

/-- A request whose deadline passed is a timeout, whatever else Lean reports. -/
def timed (w : Worker) (a : Answer) : IO Answer := do
  match a with
  | .done _ => return a
  | .failed _ _ fields =>
    if (← w.cancel.isSet) then return .failed "timeout" "Lean was stopped before it was done" fields else return a

/-- Answers one request and reports the heartbeats it used, a measure of work that is the same on every machine. Parsing the
   request does not count, because the deadlines in its text differ between machines. -/
def handle (w : Worker) (line : String) : IO String := do
  let request := Json.parse line
  -- the counter is a machine word: if it overflowed in the middle of a request, no limit would apply
  IO.setNumHeartbeats 0
  let answer ← match request with
    | .error e => pure (Answer.failed "invalid-request" e [])
    | .ok j =>
      try
        let a ← dispatch w j
        timed w a
      catch e => pure (Answer.failed "crash" (toString e) [])
  return (answer.json.setObjVal! "heartbeats" (num (← IO.getNumHeartbeats))).compress

/-- A native worker watches deadlines on its own clock. The watcher ends with its request. -/
partial def watch (deadline : IO.Ref (Option Nat)) (cancel : IO.CancelToken) : IO Unit := do
  match (← deadline.get) with
  | none => return
  | some at_ =>
    if (← IO.monoMsNow) > at_ then cancel.set else
      IO.sleep 10
      watch deadline cancel

/-- A native worker has no host, so it reads descriptor 4 itself. Each line is the number of a request to cancel. End of file
   means that the client is dead. -/
partial def listen (channel : IO.FS.Handle) (running : IO.Ref (Option (Nat × IO.CancelToken))) : IO Unit := do
  let line ← channel.getLine
  if line.isEmpty then (IO.Process.exit 1 : IO Unit)
  match (← running.get), Json.parse line with
  | some (sequence, cancel), .ok j =>
    match j.getNat? with
    | .ok n => if n == sequence then cancel.set
    | .error _ => pure ()
  | _, _ => pure ()
  listen channel running

/-- A native worker: requests from stdin, answers on descriptor 3. A cancel token cannot be reset, so each request gets its own.
   -/
partial def serve (w : Worker) (running : IO.Ref (Option (Nat × IO.CancelToken))) (input : IO.FS.Stream)
    (output : IO.FS.Handle) : IO Unit := do
  let line ← input.getLine
  if line.isEmpty then return
  let (id, sequence, deadlineMs, stop) := match Json.parse line with
    | .ok j => (getText j "id" "", getNat j "sequence" 0, getNat j "deadline_ms" 0, getText j "op" "" == "stop")
    | .error _ => ("", 0, 0, false)
  let cancel ← IO.CancelToken.new
  running.set (some (sequence, cancel))
  let now ← IO.monoMsNow
  let deadline ← IO.mkRef (if deadlineMs > 0 then some (now + deadlineMs) else none)
  let _ ← IO.asTask (watch deadline cancel) .dedicated
  let body ← handle { w with cancel } line
  deadline.set none
  running.set none
  output.putStr ("{\"id\":" ++ (Json.str id).compress ++ ",\"body\":" ++ body ++ "}\n")
  output.flush
  if stop then return
  serve w running input output

end Orch

open Orch in
public unsafe def main (args : List String) : IO UInt32 := do
  enableInitializersExecution
  let (publish, modules) := match args with | "--publish" :: r => (true, r) | r => (false, r)
  let imports := if modules.isEmpty then #[{ module := `Init }] else modules.toArray.map fun m => { module := m.toName : Import }
  replacePrintAxioms
  let env ← importModules imports {} (trustLevel := 0) (leakEnv := true) (loadExts := true)
  let w : Worker := {
    sessions := ← IO.mkRef #[some (Command.mkState env)]
    states := ← IO.mkRef #[]
    freeStates := ← IO.mkRef []
    statements := ← IO.mkRef []
    bases := ← IO.mkRef []
    kinds := kindsToLookAt env
    registered := registeredCode env
    cancel := ← IO.CancelToken.new }
  if publish then
    -- When the host reads this line it takes its own references to both objects, and `main` never continues after that.
    let keep ← IO.mkRef (handle w)
    let handler ← keep.get
    IO.println ("@@publish " ++ Nat.repr (ptrAddrUnsafe handler).toNat ++ " " ++ Nat.repr (ptrAddrUnsafe w.cancel).toNat)
    let handler ← keep.get
    let _ ← handler "{\"op\":\"hello\"}"
    return 0
  let output ← IO.FS.Handle.mk "/dev/fd/3" .write
  output.putStr "{\"id\":null,\"body\":{\"ok\":true,\"ready\":true}}\n"
  output.flush
  let running ← IO.mkRef none
  let channel ← IO.FS.Handle.mk "/dev/fd/4" .read
  let _ ← IO.asTask (listen channel running) .dedicated
  serve w running (← IO.getStdin) output
  return 0
