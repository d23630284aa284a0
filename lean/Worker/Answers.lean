import Worker.Names

/-! Requests in, answers out. An answer is one JSON object: `{"ok":true, …}` or `{"ok":false,"kind":…,"message":…}`.
The kinds are those of docs/PROTOCOL.md. -/

open Lean Meta Elab

namespace Orch

abbrev Fields := List (String × Json)

def num (n : Nat) : Json := Json.num (JsonNumber.fromNat n)

def namesJson (names : List Name) : Json := Json.arr (names.map (Json.str ∘ nameText)).toArray

def getText (j : Json) (key : String) (default : String) : String :=
  match j.getObjVal? key with
  | .ok (.str s) => s
  | _ => default

def getNat (j : Json) (key : String) (default : Nat) : Nat :=
  match j.getObjVal? key with
  | .ok v => v.getNat?.toOption.getD default
  | _ => default

def getFlag (j : Json) (key : String) : Bool :=
  match j.getObjVal? key with
  | .ok (.bool b) => b
  | _ => false

def getItems (j : Json) (key : String) : List Json :=
  match j.getObjVal? key with
  | .ok (.arr a) => a.toList
  | _ => []

def getTexts (j : Json) (key : String) : List String :=
  (getItems j key).filterMap fun | .str s => some s | _ => none

def getNats (j : Json) (key : String) : List Nat :=
  (getItems j key).filterMap fun item => item.getNat?.toOption

/-- The result of an operation: the fields of a success, or a failure with its kind and Lean's messages. -/
inductive Answer where
  | done (fields : Fields)
  | failed (kind : String) (message : String) (fields : Fields)

def Answer.json (a : Answer) : Json :=
  match a with
  | .done fields => Json.mkObj (("ok", Json.bool true) :: fields)
  | .failed kind message fields =>
    Json.mkObj (("ok", Json.bool false) :: ("kind", Json.str kind) :: ("message", Json.str message) :: fields)

/-! ### Messages -/

def positionJson (p : Position) : Json := Json.arr #[num p.line, num p.column]

structure Said where
  json : Array Json := #[]
  errors : Nat := 0
  /-- the tag of the first error, if Lean itself stopped the work -/
  stopped : Option String := none
  firstError : String := ""

def stopKind (d : MessageData) : Option String :=
  if d.hasTag (· == `runtime.maxHeartbeats) then some "heartbeats"
  else if d.hasTag (· == `runtime.maxRecDepth) then some "recursion"
  else none

def collectMessages (log : MessageLog) : IO Said := do
  let mut said : Said := {}
  for m in log.toList do
    let text ← m.data.toString
    let severity := match m.severity with | .information => "info" | .warning => "warning" | .error => "error"
    let ends := match m.endPos with | some p => [("end", positionJson p)] | none => []
    let json := Json.mkObj ([("severity", Json.str severity), ("start", positionJson m.pos), ("text", Json.str text)] ++ ends)
    said := { said with json := said.json.push json }
    if severity == "error" then
      said := { said with
        errors := said.errors + 1
        stopped := said.stopped <|> stopKind m.data
        firstError := if said.errors == 0 then text else said.firstError }
  return said

def messagesField (said : Said) : Fields :=
  if said.json.isEmpty then [] else [("messages", Json.arr said.json)]

/-- A failure described by Lean's messages. If Lean itself stopped the work, that is the kind. -/
def failedWith (kind : String) (said : Said) : Answer :=
  .failed (said.stopped.getD kind) said.firstError (messagesField said)

def failedBy (kind : String) (log : MessageLog) : IO Answer := do
  return failedWith kind (← collectMessages log)

/-- A failure described by an exception. -/
def failedByException (kind : String) (e : Exception) : IO Answer := do
  let text ← e.toMessageData.toString
  return .failed ((stopKind e.toMessageData).getD (if e.isInterrupt then "timeout" else kind)) text []

def oneMessage (pos : Position) (text : String) : MessageLog :=
  MessageLog.empty.add { fileName := "<input>", pos, data := .ofFormat (.text text), severity := .error }

end Orch
