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

/-- Introduce names and binders step by step and unfold wrappers, then continue. -/
partial def opening (n : Node) (k : Node → ProveM (Option Script)) : ProveM (Option Script) := do
  let { definitions, rules, .. } := (← read).context
  let text ← inNode n do
    if let some text ← naming then return some text
    let target ← whnfR (← instantiateMVars (← n.goal.getType))
    if target.isForall then introduction target else return (← unwrappings definitions rules target).1[0]?
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

/-- Statements that would close a stuck case, or the goal before any induction (`isWhole`), which is no lemma for itself. -/
def missing (case : Node) (seen : IO.Ref (Array Expr)) (isWhole : Bool := false) : ProveM (Array (String × Expr)) := do
  let found ← IO.mkRef #[]
  let definitions := (← read).context.definitions
  let look (n : Node) : ProveM Unit := do
    let here ← inNode n do
      let target ← whnfR (← instantiateMVars (← n.goal.getType))
      let general ← if isWhole then pure #[] else generalisations target
      ((← differencesGeneralised definitions target) ++ general).filterMapM fun statement => do
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
      if fuel > 0 then
        for (text, _) in (← missing n seen true).extract 0 2 do
          let script ← first n "key" text (alone · (byInvention · (fuel - 1) seen)) (byInvention · fuel seen) (return none)
          if script.isSome then return script
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
def everyday : Bounds := ordered 0 0 someClosers 100

/-- Rounds for goals without an inductive predicate. -/
def plainRounds : List Bounds :=
  [everyday, ordered 0 1 someClosers 100, ordered 0 1 allClosers 100, ordered 0 2 someClosers 100, ordered 1 1 someClosers 200,
   ordered 0 2 allClosers 100, ordered 1 1 allClosers 200, mixed 1 1 someClosers 200, ordered 0 3 allClosers 200,
   ordered 1 2 allClosers 500, mixed 2 1 someClosers 200, mixed 2 2 allClosers 500]

/-! ### Companions -/

/-- What a case needs about one of its fields, as a text about `j0`. -/
structure Companion where
  type : Expr
  text : String

/-- The statements about a single field that remain of the cases of a split or an induction. -/
def companions (n : Node) (move : String) : ProveM (Array Companion) := do
  let before ← inNode n do return (← locals).map (·.fvarId)
  let some cases ← runAt n move | return #[]
  let found ← IO.mkRef #[]
  for case in cases do
    let _ ← opening case fun c => do
      let some text := (← read).limits.closers.head? | return none
      for node in (← runAt c text).getD #[] do
        let here ← inNode node do
          let target ← instantiateMVars (← node.goal.getType)
          let parts := if target.isAppOfArity ``And 2 then #[target.getArg! 0, target.getArg! 1] else #[target]
          parts.filterMapM fun part => do
            let fields := (← locals).filter fun d => !before.contains d.fvarId && part.containsFVar d.fvarId
            let #[d] := fields | return none
            if (← isProp d.type) || part.isConstOf ``False then return none
            if part.eq?.isSome then
              unless ← isConfirmed (← mkForallFVars #[d.toExpr] part) do return none
            let lctx := (← getLCtx).setUserName d.fvarId `j0
            withReader (fun c => { c with lctx }) do
              return some { type := ← instantiateMVars d.type, text := ← statementText part : Companion }
        found.modify (· ++ here)
      return none
  found.get

/-- An induction that proves two claims at once: the goal, and what its cases need. That is a claim about the parts of a nested type,
   such as the list of a node's children, or about another function of a mutual recursion. -/
def byCompanions (n : Node) : ProveM (Option Script) :=
  opening n fun n => do
    let values ← inNode n do
      let target ← instantiateMVars (← n.goal.getType)
      let all ← locals
      all.filterM fun d => do
        unless isNamed d && d.value?.isNone && target.containsFVar d.fvarId do return false
        if ← all.anyM fun other => do return (← instantiateMVars other.type).containsFVar d.fvarId then return false
        return (← ownData? d).isSome
    for d in values.extract 0 2 do
      let name := nameText d.userName
      let (recursor, target, kind) ← inNode n do
        let target ← instantiateMVars (← n.goal.getType)
        let lctx := (← getLCtx).setUserName d.fvarId `j0
        let text ← withReader (fun c => { c with lctx }) (statementText target)
        let recursor ← match ← ownData? d with
          | some (info, levels, parameters) => recursorOf? info levels parameters
          | none => pure none
        return (recursor, text, (← ppExpr d.type).pretty 1000)
      match recursor with
      | some recursor =>
        let found ← companions n s!"cases {name}"
        let motives ← inNode n do recursor.motives.mapM fun motive => do
          let domain := motive.bindingDomain!
          if ← isDefEq domain d.type then return s!"fun j0 => {target}"
          match ← found.findM? fun c => isDefEq c.type domain with
          | some c => return s!"fun j0 => {c.text}"
          | none => return "fun _ => True"
        if motives.all (fun text => text == "fun _ => True" || text == s!"fun j0 => {target}") then continue
        let given := motives.mapIdx fun k text => s!"(motive_{k + 1} := {text})"
        let holes := " ".intercalate (List.replicate recursor.cases "?_")
        let text := s!"(refine {← constantText recursor.name} {" ".intercalate given.toList} {holes} {name} <;> try dsimp only)"
        note n text
        let (done, _) ← inductions n #[text]
        if done.isSome then return done
      | none =>
        let all ← companions n s!"induction {name}"
        let found ← inNode n do all.filterM fun c => isDefEq c.type d.type
        for c in found.extract 0 1 do
          if c.text == target then continue
          let statement := s!"∀ j0 : {kind}, ({target}) ∧ ({c.text})"
          let both (n : Node) : ProveM (Option Script) := opening n fun n => do
            let texts ← inNode n do return ((← locals).back?.map fun d => s!"induction {nameText d.userName}").toArray
            return (← inductions n texts).1
          let main (n : Node) : ProveM (Option Script) := do
            let h ← inNode n do return (← locals).back?.map fun d => nameText d.userName
            let text := s!"exact ({h.getD "both"} {name}).1"
            if let some #[] ← runAt n text then return some (.done text) else return none
          let script ← first n "both" statement both main (return none)
          if script.isSome then return script
    return none
where
  /-- An inductive type of the text, which is recursive and has no indices. -/
  ownData? (d : LocalDecl) : MetaM (Option (InductiveVal × List Level × Array Expr)) := do
    let type ← whnfR (← instantiateMVars d.type)
    let .const n levels := type.getAppFn | return none
    let some (.inductInfo info) := (← getEnv).find? n | return none
    if info.numIndices > 0 || !info.isRec || (← isProp type) || isClass (← getEnv) n then return none
    return some (info, levels, type.getAppArgs.extract 0 info.numParams)

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
