import Worker.Export

/-! The preamble through the kernel. A preamble is elaborated in the judge's own process, but elaboration is no proof: an
option can switch the kernel off, and code can add declarations unchecked. So whatever a candidate needs of its preamble
is added again, to the environment of the imports alone. What has been added is kept with the session: one judge serves
many candidates of one preamble. -/

open Lean Meta Elab

namespace Orch

/-- A limit that the kernel met leaves the question open; everything else is a rejection. -/
def kernelRefusal (e : Kernel.Exception) (n : Name) : Refusal :=
  match e with
  | .deterministicTimeout => .mk "heartbeats" ("the kernel ran out of heartbeats at " ++ nameText n)
  | .excessiveMemory => .mk "memory" ("the kernel ran out of memory at " ++ nameText n)
  | .deepRecursion => .mk "recursion" ("the kernel recursed too deeply at " ++ nameText n)
  | .interrupted => .mk "timeout" ("the kernel was interrupted at " ++ nameText n)
  | .unknownConstant _ c => .mk "kernel" (nameText n ++ " needs " ++ nameText c ++ ", which does not exist")
  | _ => .mk "kernel" ("the kernel rejects " ++ nameText n)

partial def refusalOf (n : Name) (xs : List (Name × Refusal)) : Option Refusal :=
  match xs with | [] => none | (x, why) :: r => if x == n then some why else refusalOf n r

/-- What needs a refused constant is refused for the same reason. -/
def reasonFor (e : Kernel.Exception) (n : Name) (refused : List (Name × Refusal)) : Refusal :=
  match e with
  | .unknownConstant _ c => (refusalOf c refused).getD (kernelRefusal e n)
  | e => kernelRefusal e n

/-- Let the kernel add a declaration; one that it refuses is left out. -/
def addChecked (w : Worker) (name : Name) (d : Declaration) (s : Judged) : Judged :=
  match s.env.addDeclCore 0 d (some w.cancel) true with
  | .ok env => { s with env }
  | .error e => { s with refused := (name, reasonFor e name s.refused) :: s.refused }

def refuseUnsafe (name : Name) (s : Judged) : Judged :=
  { s with refused := (name, .mk "unsafe" (nameText name ++ " is unsafe or partial")) :: s.refused }

def addConstant (w : Worker) (info : ConstantInfo) (s : Judged) : Judged :=
  match info with
  | .thmInfo v => addChecked w v.name (.thmDecl v) s
  | .defnInfo v => match v.safety with
    | .safe => addChecked w v.name (.defnDecl v) s
    | _ => refuseUnsafe v.name s
  | .opaqueInfo v => if v.isUnsafe then refuseUnsafe v.name s else addChecked w v.name (.opaqueDecl v) s
  | .axiomInfo v => if v.isUnsafe then refuseUnsafe v.name s else addChecked w v.name (.axiomDecl v) s
  | info => refuseUnsafe info.name s

def constantsOf (info : ConstantInfo) : List Name :=
  append info.type.getUsedConstants.toList (match info.value? (allowOpaque := true) with
    | some v => v.getUsedConstants.toList
    | none => [])

mutual
partial def replayAll (w : Worker) (imports session : Environment) (ns : List Name) (s : Replayed) : Replayed :=
  match ns with
  | [] => s
  | n :: r => replayAll w imports session r (replayName w imports session n s)

/-- Add `n` after everything that it needs; what the imports have, or the session has not, is passed over. -/
partial def replayName (w : Worker) (imports session : Environment) (n : Name) (s : Replayed) : Replayed :=
  if s.seen.contains n || (imports.find? n).isSome then s else
  match session.find? n with
  | none => s
  | some info =>
    let s := { s with seen := s.seen.insert n }
    match info with
    | .inductInfo v => replayData w imports session v s
    | .ctorInfo v => replayName w imports session v.induct s
    | .recInfo v => replayAll w imports session v.all s
    | info =>
      let s := replayAll w imports session (constantsOf info) s
      { s with judged := addConstant w info s.judged }

partial def replayData (w : Worker) (imports session : Environment) (v : InductiveVal) (s : Replayed) : Replayed :=
  match dataTypes session v.all [] with
  | none => { s with judged := refuseUnsafe v.name s.judged }
  | some types =>
    let s := { s with seen := markSeen types s.seen }
    let s := replayAll w imports session (dataConstants types []) s
    if v.isUnsafe then { s with judged := refuseUnsafe v.name s.judged } else
    { s with judged := addChecked w v.name (.inductDecl v.levelParams v.numParams types false) s.judged }
end

partial def replayedOf (session : Nat) (xs : List (Nat × Replayed)) : Option Replayed :=
  match xs with | [] => none | (k, s) :: r => if k == session then some s else replayedOf session r

partial def withoutSession (session : Nat) (xs : List (Nat × Replayed)) : List (Nat × Replayed) :=
  match xs with | [] => [] | (k, s) :: r => if k == session then r else (k, s) :: withoutSession session r

/-- The imports with those constants of a session that the given names need. A replay that was interrupted is not kept:
what it refused, it may not have looked at. -/
def replaySession (w : Worker) (imports session : Environment) (number : Nat)
    (names : List Name) : IO Judged := do
  let known ← w.replays.get
  let s := replayAll w imports session names ((replayedOf number known).getD { judged := { env := imports } })
  if !(← w.cancel.isSet) then w.replays.set ((number, s) :: take 15 (withoutSession number known))
  return s.judged

end Orch
