import Worker.Relate
import Worker.Conjecture

/-! Lemmas that are invented. An induction that fails leaves goals; what they are instances of is stated for all values, tested,
proved first, and then used. Operations of the preamble get the laws that small values confirm. -/

open Lean Meta Elab

namespace Orch.Relational

/-- A share of the work that is left, in percent; nothing if that is not enough. -/
def within {α : Type} (percent : Nat) (x : ProveM (Option α)) : ProveM (Option α) := do
  let p ← read
  let spent := ((← IO.getNumHeartbeats) - p.startedAt) / 1000
  let most := spent + (p.limits.heartbeats - spent) * percent / 100
  try withReader (fun p => { p with limits := { p.limits with heartbeats := most } }) x
  catch e => if e.isInterrupt || spent ≥ p.limits.heartbeats then throw e else return none

/-- Names and binders, step by step, and then a continuation. -/
partial def opening (n : Node) (k : Node → ProveM (Option Script)) : ProveM (Option Script) := do
  let text ← inNode n do
    if let some text ← naming then return some text
    let target ← whnfR (← instantiateMVars (← n.goal.getType))
    if target.isForall then introduction target else return none
  let some text := text | k n
  match ← runAt n text with
  | some #[next] => return (← opening next k).map fun script => .step text #[script]
  | _ => k n

def finishers : ProveM (List String) := do
  let closers := (← read).limits.closers
  return "rfl" :: closers.filter (· != "omega")

def finish (n : Node) : ProveM (Option Script) := do
  for text in ← finishers do
    if let some #[] ← runAt n text (heartbeats := (← read).limits.closerHeartbeats) then return some (.done text)
  return none

/-- An induction, the scripts of its cases, and the cases that are left. -/
structure Started where
  text : String
  stuck : Array Node

/-- Try each induction: its whole script, or where it got stuck. -/
def inductions (n : Node) : ProveM (Option Script × Array Started) := do
  let definitions := (← read).context.definitions
  let texts ← inNode n do
    let target ← instantiateMVars (← n.goal.getType)
    return (← valueInductions) ++ (← functionInductions definitions target)
  let mut all := #[]
  for text in texts.extract 0 6 do
    let some cases ← runAt n text | continue
    let mut scripts := #[]
    let mut stuck := #[]
    for case in cases do
      match ← opening case finish with
      | some script => scripts := scripts.push script
      | none => stuck := stuck.push case
    if stuck.isEmpty then return (some (.step text scripts), #[])
    all := all.push { text, stuck }
  return (none, all.qsort fun a b => a.stuck.size < b.stuck.size)

/-- Statements that would finish a case that is stuck. -/
def missing (case : Node) (seen : IO.Ref (Array Expr)) : ProveM (Array (String × Expr)) := do
  let found ← IO.mkRef #[]
  let look (n : Node) : ProveM Unit := do
    let here ← inNode n do
      (← generalisations (← instantiateMVars (← n.goal.getType))).filterMapM fun statement => do
        if (← seen.get).contains statement then return none
        seen.modify (·.push statement)
        unless ← (try isConfirmed statement catch e => if e.isInterrupt then throw e else pure false) do return none
        return some (← statementText statement, statement)
    found.modify (· ++ here)
  let _ ← opening case fun n => do
    if let text :: _ := (← read).limits.closers then
      if let some nodes ← runAt n text then
        for node in nodes do let _ ← opening node fun n => do look n; return none
    look n
    return none
  found.get

/-- A lemma, stated and proved before the goal. -/
def first (n : Node) (statement : String) (proof rest : Node → ProveM (Option Script)) : ProveM (Option Script) := do
  let name ← inNode n (freshName "key")
  let text := s!"have {nameText name} : {statement} := ?_"
  let some #[lemma', main] ← runAt n text | return none
  let some script ← proof lemma' | return none
  let some after ← rest main | return none
  return some (.step text #[script, after])

/-- An equation by induction, with lemmas that are conjectured where it gets stuck, and lemmas for those. -/
partial def byInvention (n : Node) (fuel : Nat) (seen : IO.Ref (Array Expr)) : ProveM (Option Script) :=
  opening n fun n => do
    if let some script ← finish n then return some script
    let (done, started) ← inductions n
    if let some script := done then return some script
    if fuel == 0 then return none
    for start in started.extract 0 3 do
      for case in start.stuck.extract 0 2 do
        for (text, _) in (← missing case seen).extract 0 3 do
          let script ← first n text (byInvention · (fuel - 1) seen) (byInvention · fuel seen)
          if script.isSome then return script
    return none

def invent (root : Node) : ProveM (Option Script) :=
  opening root fun n => do
    let isEquation ← inNode n do return (← instantiateMVars (← n.goal.getType)).eq?.any fun (α, _, _) => !α.isProp
    unless isEquation do return none
    byInvention n 2 (← IO.mkRef #[])

/-- Rounds for goals that no predicate is about. -/
def plainRounds : List Bounds :=
  [⟨0, 0, true, 100⟩, ⟨0, 1, true, 100⟩, ⟨0, 2, true, 100⟩, ⟨1, 1, true, 200⟩, ⟨0, 3, true, 200⟩, ⟨1, 2, true, 500⟩]

/-- The laws of the goal's operations that can be proved, and then the goal with them. -/
def withLaws (root : Node) : ProveM (Option Script) :=
  opening root fun n => do
    let definitions := (← read).context.definitions
    let laws ← inNode n do
      let operations ← (← claims (← instantiateMVars (← n.goal.getType))).foldlM (init := #[]) fun all e => do
        return all ++ (← operationsIn definitions e)
      let laws ← (operations.toList.eraseDups.take 2).toArray.flatMapM lawsOf
      let confirmed ← laws.filterM fun law => do
        try isConfirmed law catch e => if e.isInterrupt then throw e else pure false
      confirmed.mapM statementText
    if laws.isEmpty then return none
    go laws.toList n
where
  go (laws : List String) (n : Node) : ProveM (Option Script) := do
    match laws with
    | [] =>
      let (done, _) ← inductions n
      if done.isSome then return done
      for bounds in plainRounds.take 4 do
        if let some script ← prove n bounds then return some script
      return none
    | law :: rest =>
      let noLemma ← IO.mkRef #[]
      let name ← inNode n (freshName "law")
      let text := s!"have {nameText name} : {law} := ?_"
      match ← runAt n text with
      | some #[lemma', main] =>
        match ← byInvention lemma' 0 noLemma with
        | some script => return (← go rest main).map fun after => .step text #[script, after]
        | none => go rest n
      | _ => go rest n

end Orch.Relational
