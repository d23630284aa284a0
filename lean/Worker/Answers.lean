import Worker.Lists

/-! Requests in, answers out. An answer is one JSON object: `{"ok":true, …}` or `{"ok":false,"kind":…,"message":…}`.
The kinds are those of docs/PROTOCOL.md. -/

open Lean Meta Elab

namespace Orch

abbrev Fields := List (String × Json)

def num (n : Nat) : Json := Json.num (JsonNumber.fromNat n)

partial def namesJson (xs : List Name) (acc : Array Json) : Array Json :=
  match xs with | [] => acc | x :: r => namesJson r (acc.push (Json.str (nameText x)))

def getText (j : Json) (key : String) (default : String) : String :=
  match j.getObjVal? key with
  | .ok (.str s) => s
  | _ => default

def getNat (j : Json) (key : String) (default : Nat) : Nat :=
  match j.getObjVal? key with
  | .ok v => match v.getNat? with | .ok n => n | _ => default
  | _ => default

def getFlag (j : Json) (key : String) : Bool :=
  match j.getObjVal? key with
  | .ok (.bool b) => b
  | _ => false

def getItems (j : Json) (key : String) : List Json :=
  match j.getObjVal? key with
  | .ok (.arr a) => a.toList
  | _ => []

partial def texts (xs : List Json) (acc : List String) : List String :=
  match xs with
  | [] => reverseOnto acc []
  | .str s :: r => texts r (s :: acc)
  | _ :: r => texts r acc

partial def toNames (xs : List String) (acc : List Name) : List Name :=
  match xs with | [] => reverseOnto acc [] | x :: r => toNames r (x.toName :: acc)

/-- What an operation says: the fields of a success, or a failure of a known kind with Lean's messages. -/
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
  /-- what the first error is tagged with, when Lean itself stopped the work -/
  stopped : Option String := none
  firstError : String := ""

def stopKind (d : MessageData) : Option String :=
  if d.hasTag (fun n => n == `runtime.maxHeartbeats) then some "heartbeats"
  else if d.hasTag (fun n => n == `runtime.maxRecDepth) then some "recursion"
  else none

partial def collectMessages (ms : List Message) (acc : Said) : IO Said := do
  match ms with
  | [] => return acc
  | m :: rest =>
    let text ← m.data.toString
    let severity := match m.severity with
      | .information => "info" | .warning => "warning" | .error => "error"
    let isError := match m.severity with | .error => true | _ => false
    let ends := match m.endPos with | some p => [("end", positionJson p)] | none => []
    let json := Json.mkObj (append [("severity", Json.str severity), ("start", positionJson m.pos), ("text", Json.str text)] ends)
    let acc := { acc with json := acc.json.push json }
    let acc := if isError then
        { acc with
          errors := acc.errors + 1
          stopped := match acc.stopped with | some s => some s | none => stopKind m.data
          firstError := if acc.errors == 0 then text else acc.firstError }
      else acc
    collectMessages rest acc

def messagesField (said : Said) : Fields :=
  if said.json.size == 0 then [] else [("messages", Json.arr said.json)]

/-- A failure that Lean's messages explain; when Lean itself stopped, that is the kind. -/
def failedWith (kind : String) (said : Said) : Answer :=
  .failed (said.stopped.getD kind) said.firstError (messagesField said)

def failedBy (kind : String) (ms : List Message) : IO Answer := do
  return failedWith kind (← collectMessages ms {})

/-- A failure that an exception explains. -/
def failedByException (kind : String) (e : Exception) : IO Answer := do
  let text ← e.toMessageData.toString
  return .failed ((stopKind e.toMessageData).getD (if e.isInterrupt then "timeout" else kind)) text []

def oneMessage (pos : Position) (text : String) : List Message :=
  [{ fileName := "<input>", pos, data := .ofFormat (.text text), severity := .error }]

end Orch
