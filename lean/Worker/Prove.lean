import Worker.Invent

/-! The operation `relate`: the order in which the provers try a goal. -/

open Lean Meta Elab

namespace Orch.Relational

def rounds : List Bounds :=
  [ordered 0 0 0 100, ordered 0 1 0 60, ordered 1 0 0 80, ordered 1 1 0 80, ordered 0 0 0 600, ordered 1 0 allClosers 200,
   ordered 1 1 someClosers 80, ordered 1 2 0 100, ordered 2 0 0 60, ordered 0 0 0 3000, ordered 0 1 allClosers 200,
   ordered 1 1 allClosers 200, ordered 0 2 allClosers 500, ordered 1 2 allClosers 500, ordered 2 1 allClosers 500,
   mixed 1 1 someClosers 500, mixed 2 1 someClosers 200, mixed 2 2 someClosers 200]

/-- The rounds before any lemma is invented. -/
def roundsBefore : Nat := 10

def inRounds (root : Node) : List Bounds → ProveM (Option Script)
  | [] => return none
  | bounds :: rest => do
    match ← prove root bounds with
    | some script => return some script
    | none => inRounds root rest

/-- A script for the goal, or `none`. Without a predicate, an equation is first treated as an induction that lacks a lemma. -/
def relate (prover : Prover) (goal : MVarId) (isRelational : Bool) : TermElabM (Option String) := do
  let act : ProveM (Option Script) := do
    let root ← newNode goal []
    let isPlain ← isEquation root
    let first := if isRelational then rounds.take roundsBefore else if isPlain then [] else [everyday]
    if let some script ← inRounds root first then return some script
    if let some script ← opening root byIdeas then return some script
    if let some script ← within 25 (byCompanions root) then return some script
    if let some script ← within 60 (invent root) then return some script
    inRounds root (if isRelational then rounds.drop roundsBefore else plainRounds)
  let found ← bounded prover.limits.heartbeats none (act.run prover)
  return found.map fun script => "\n".intercalate script.lines

/-- The lemmas whose conclusion is a predicate, and those that state equations or facts for forward reasoning. -/
def rulesOf (env : Environment) (names : List Name) : Array Rule := Id.run do
  let mut all := #[]
  for name in names do
    if let some info := env.find? name then
      match headOf info.type with
      | .const ``Iff _ =>
        let conclusion := conclusionOf info.type
        if conclusion.getAppNumArgs == 2 then
          for (side, direction) in [(1, "mp"), (0, "mpr")] do
            if let .const head _ := (conclusion.getArg! side).getAppFn then
              all := all.push { name, head, direction }
      | .const head _ => all := all.push { name, head, isLoose := isLoose info.type }
      | _ => pure ()
  return all
where
  /-- Is some variable not mentioned by the conclusion? -/
  isLoose (type : Expr) : Bool :=
    match type with
    | .forallE _ _ b _ => hidden b 0 || isLoose b
    | _ => false
  /-- Bound variable `k` occurs in a premise but not in the conclusion. -/
  hidden (b : Expr) (k : Nat) : Bool :=
    match b with
    | .forallE _ d b _ => if d.hasLooseBVar k then !(conclusionHas b (k + 1)) else hidden b (k + 1)
    | _ => false
  conclusionHas (b : Expr) (k : Nat) : Bool :=
    match b with
    | .forallE _ _ b _ => conclusionHas b (k + 1)
    | b => b.hasLooseBVar k

end Orch.Relational

namespace Orch

/-- Look for a proof of the first goal of a state. -/
def opRelate (w : Worker) (j : Json) : IO Answer := do
  match (← getState w j) with
  | .error a => return a
  | .ok (p, session) =>
    let some goal := p.goals.head? | return .failed "invalid-request" "the state has no goal" []
    let heartbeats := heartbeatsOf j
    let names (key : String) : List Name := (getItems j key).filterMap nameOfJson?
    let ctx := coreContext w session (FileMap.ofString "") (← IO.getNumHeartbeats) heartbeats
    let r ← resume p
    let steps ← IO.mkRef 0
    let notes ← IO.mkRef #[]
    let rules := Relational.rulesOf p.core.env (names "lemmas")
    let prover : Relational.Prover := {
      context := {
        rules
        definitions := NameSet.ofList (names "definitions")
        outer := 0 }
      limits := { heartbeats, closers := getTexts j "closers", closerHeartbeats := getNat j "closer_heartbeats" 800 }
      startedAt := ← IO.getNumHeartbeats, lookups := ← IO.mkRef 0, steps, memos := ← IO.mkRef #[], notes := if getFlag j "trace" then some notes else none }
    match (← runTerm ctx r p.declaration (Relational.relate prover goal (getFlag j "relational"))) with
    | .error e => failedByException "tactic" e
    | .ok found =>
      let said := Json.arr ((← notes.get).map Json.str)
      let made := ("steps", num (← steps.get)) :: if getFlag j "trace" then [("notes", said)] else []
      match found with
      | some script => return .done (("script", Json.str script) :: made)
      | none => return .done made

end Orch
