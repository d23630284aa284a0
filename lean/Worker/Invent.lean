import Worker.Relate
import Worker.Accumulators

/-! Invents lemmas. The goals that a failed induction leaves are generalised, tested on small values, proved first and then
   used. So are the laws of the preamble's operations that small values confirm. -/

open Lean Meta Elab

namespace Orch.Relational

/-- Runs with a share, in percent, of the remaining work; `none` if that is not enough. -/
def within {α : Type} (percent : Nat) (x : ProveM (Option α)) : ProveM (Option α) := do
  let p ← read
  let spent := ((← IO.getNumHeartbeats) - p.startedAt) / 1000
  let most := spent + (p.limits.heartbeats - spent) * percent / 100
  let limited := withReader (fun p => { p with limits := { p.limits with heartbeats := most } }) x
  bounded (most - spent) none (limited.run p)

/-- Introduce names and binders step by step, then continue. -/
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

/-- An induction, the scripts of its cases and the open cases. -/
structure Started where
  text : String
  stuck : Array Node

def inductionTexts (n : Node) : ProveM (Array String) := do
  let definitions := (← read).context.definitions
  inNode n do
    let target ← instantiateMVars (← n.goal.getType)
    return ((← valueInductions) ++ (← functionInductions definitions target)).extract 0 6 ++ (← computedInductions definitions target)

/-- Try each induction: the complete script, or the cases where it got stuck. -/
def inductions (n : Node) (texts : Array String) : ProveM (Option Script × Array Started) := do
  let mut all := #[]
  for text in texts do
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

/-- Statements that would close a stuck case. -/
def missing (case : Node) (seen : IO.Ref (Array Expr)) : ProveM (Array (String × Expr)) := do
  let found ← IO.mkRef #[]
  let look (n : Node) : ProveM Unit := do
    let here ← inNode n do
      (← generalisations (← whnfR (← instantiateMVars (← n.goal.getType)))).filterMapM fun statement => do
        if (← seen.get).contains statement then return none
        seen.modify (·.push statement)
        unless ← isConfirmed statement do return none
        return some (← statementText statement, statement)
    found.modify (· ++ here)
  let _ ← opening case fun n => do
    if let text :: _ := (← read).limits.closers then
      if let some nodes ← runAt n text then
        for node in nodes do let _ ← opening node fun n => do look n; return none
    look n
    return none
  found.get

/-- A lemma, stated and proved before the goal. Lean decides the order of the two goals. -/
def first (n : Node) (stem statement : String) (proof rest : Node → ProveM (Option Script)) (orElse : ProveM (Option Script)) :
    ProveM (Option Script) := do
  let name ← inNode n (freshName stem)
  let text := s!"have {nameText name} : {statement} := ?_"
  let some #[one, other] ← runAt n text | orElse
  note n text
  let isSecond ← inNode one do return ((← getLCtx).findFromUserName? name).isSome
  let (stated, main) := if isSecond then (other, one) else (one, other)
  let some script ← proof stated | orElse
  let some after ← rest main | return none
  return some (.step text (if isSecond then #[after, script] else #[script, after]))

/-- Removes the values that a lemma does not mention from its context before proving it. -/
def alone (n : Node) (k : Node → ProveM (Option Script)) : ProveM (Option Script) := do
  let names ← inNode n do
    let target ← instantiateMVars (← n.goal.getType)
    let all ← locals
    let values ← all.filterM fun d => do return !target.containsFVar d.fvarId && (← isVarying d)
    let about ← all.filterM fun d => do
      return (← isProp d.type) && (← values.anyM fun v => return (← instantiateMVars d.type).containsFVar v.fvarId)
    return (values ++ about).filterMap fun d => if isNamed d then some (nameText d.userName) else none
  if names.isEmpty then return ← k n
  let text := "clear " ++ " ".intercalate names.toList
  match ← runAt n text with
  | some #[next] => return (← k next).map fun script => .step text #[script]
  | _ => k n

/-- Proves an equation by induction. Where it gets stuck it conjectures lemmas, which may need lemmas themselves. -/
partial def byInvention (n : Node) (fuel : Nat) (seen : IO.Ref (Array Expr)) (preferred : Array String := #[]) : ProveM (Option Script) :=
  opening n fun n => do
    if preferred.isEmpty then
      if let some script ← finish n then return some script
    let texts ← if preferred.isEmpty then inductionTexts n else pure preferred
    let (done, started) ← inductions n texts
    if let some script := done then return some script
    if fuel == 0 then return none
    let mut all := #[]
    for start in started.extract 0 4 do
      for case in start.stuck.extract 0 2 do
        for (text, statement) in ← missing case seen do all := all.push (nodeCount statement, text, start.text)
    -- weaker statements are easier to prove, and those that use the hypothesis are weaker
    for (_, text, start) in (all.qsort fun a b => a.1 < b.1).extract 0 4 do
      let script ← first n "key" text (alone · (byInvention · (fuel - 1) seen)) (byInvention · fuel seen #[start]) (return none)
      if script.isSome then return script
    return none

/-- Is the goal an equation between values? -/
def isEquation (n : Node) : ProveM Bool :=
  inNode n do return (← whnfR (← instantiateMVars (← n.goal.getType))).eq?.any fun (α, _, _) => !α.isProp

/-- Numbers of closers: the cheapest ones, and more than there are. -/
def someClosers : Nat := 3

def allClosers : Nat := 100

/-- What hypotheses and definitions say, without a choice. -/
def everyday : Bounds := ⟨0, 0, someClosers, 100⟩

/-- Rounds for goals without an inductive predicate. -/
def plainRounds : List Bounds :=
  [everyday, ⟨0, 1, someClosers, 100⟩, ⟨0, 1, allClosers, 100⟩, ⟨0, 2, someClosers, 100⟩, ⟨1, 1, someClosers, 200⟩, ⟨0, 2, allClosers, 100⟩,
   ⟨1, 1, allClosers, 200⟩, ⟨0, 3, allClosers, 200⟩, ⟨1, 2, allClosers, 500⟩]

/-- Proves a law about an accumulator: by induction with everything else generalised. -/
def byAccumulation (n : Node) : ProveM (Option Script) :=
  opening n fun n => do
    let texts ← inductionTexts n
    let (done, _) ← inductions n (texts.filter fun text => (text.splitOn " generalizing ").length > 1)
    return done

/-- Proves laws of the goal's loops and operations, then the goal with them. An equation may get further lemmas. -/
def invent (root : Node) : ProveM (Option Script) :=
  opening root fun n => do
    let definitions := (← read).context.definitions
    let loops ← inNode n do
      let all ← claims (← instantiateMVars (← n.goal.getType))
      return (← all.flatMapM (accumulatorLaws definitions)) ++ (← loopLaws definitions all[0]!)
    if let some script ← byLoops (loops.extract 0 2).toList n false then return some script
    let laws ← inNode n do
      let operations ← (← claims (← instantiateMVars (← n.goal.getType))).foldlM (init := #[]) fun all e => do
        return all ++ (← operationsIn definitions e)
      let laws ← (operations.toList.eraseDups.take 2).toArray.flatMapM (lawsOf definitions)
      (← laws.filterM isConfirmed).mapM statementText
    go laws.toList n
where
  /-- With the laws of loops in the context, closers or one induction must suffice. -/
  byLoops (laws : List Law) (n : Node) (isLawful : Bool) : ProveM (Option Script) := do
    match laws with
    | [] =>
      unless isLawful do return none
      if let some script ← finish n then return some script
      let (done, _) ← inductions n (← inductionTexts n)
      return done
    | law :: rest =>
      let main (n : Node) : ProveM (Option Script) := do
        if let some place := law.at? then
          let names ← inNode n do return (← locals).filterMap fun d => if isNamed d then some (nameText d.userName) else none
          let definitions := ", ".intercalate (← (← read).context.definitions.toList.mapM fun d => constantText d)
          let text := s!"simpa [{definitions}] using {names.back?.getD "law"} {place}"
          if let some #[] ← runAt n text then return some (.done text)
        byLoops rest n true
      first n "law" law.text (alone · byAccumulation) main (byLoops rest n isLawful)
  go (laws : List String) (n : Node) (isLawful : Bool := false) : ProveM (Option Script) := do
    match laws with
    | [] =>
      if ← isEquation n then return ← byInvention n 2 (← IO.mkRef #[])
      let (done, _) ← inductions n (← inductionTexts n)
      if done.isSome || !isLawful then return done
      plainRounds.findSomeM? fun bounds => prove n bounds
    | law :: rest =>
      let seen ← IO.mkRef #[]
      first n "law" law (alone · (byInvention · 0 seen)) (go rest · true) (go rest n isLawful)

end Orch.Relational
