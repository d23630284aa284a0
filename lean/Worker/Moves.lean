import Worker.Prove

/-! The operation `moves`: the steps that a search may take at a goal, as texts of tactics, read from the goal itself. They are
   proposals: a step may fail. -/

open Lean Meta Elab

namespace Orch.Relational

/-- Constants that most statements use, whatever their subject. -/
def isCommon (n : Name) : Bool :=
  isLogic n || n.isInternalDetail || n matches .str _ "mk" || [``OfNat.ofNat, ``Nat, ``LE.le, ``LT.lt].contains n

def subjectOf (e : Expr) : NameSet :=
  e.getUsedConstants.foldl (init := {}) fun all n => if isCommon n then all else all.insert n

/-- Lemmas by the share of their constants that the goal mentions. -/
def nearest (lemmas : List Name) (target : Expr) : MetaM (Array Name) := do
  let inTarget := subjectOf target
  let mut known : NameSet := {}
  for d in ← locals do
    if ← isProp d.type then
      for n in subjectOf (← instantiateMVars d.type) do known := known.insert n
  let scored ← lemmas.toArray.filterMapM fun n => do
    let some info := (← getEnv).find? n | return none
    let subject := (subjectOf info.type).toList
    let twice := subject.countP inTarget.contains
    let once := subject.countP known.contains
    -- thousandths, so that the order is exact
    return some (1000 * (2 * twice + once) / (2 + subject.length), n)
  let ordered := (scored.mapIdx fun k (score, n) => (score, k, n)).qsort fun (a, j, _) (b, k, _) => a > b || (a == b && j < k)
  return ordered.map (·.2.2)

/-- Facts in the context, as opposed to values. -/
def proofs : MetaM (Array (String × Expr)) := do
  let all ← (← locals).filterM fun d => do return isNamed d && (← isProp d.type)
  all.mapM fun d => do return (nameText d.userName, ← instantiateMVars d.type)

/-- Backward steps: the form of the target, its rules, and hypotheses that conclude something. -/
def backward (target : Expr) : MetaM (Array String) := do
  let known ← proofs
  let goal ← whnfR target
  let rules ← match goal.getAppFn with
    | .const n _ => do
      if isLogic n then pure #[]
      else match (← getEnv).find? n with
        | some (.inductInfo info) => (info.ctors.toArray.extract 0 10).mapM fun c => do return "apply " ++ (← constantText c)
        | _ => pure #[]
    | _ => pure #[]
  let applied := known.filterMap fun (h, type) => if type.isForall then some ("apply " ++ h) else none
  let denied := known.filterMap fun (h, type) => if type.not?.isSome then some s!"refine absurd ?_ {h}" else none
  let form := if goal.isAppOf ``Or then #["left", "right"] else if goal.isAppOf ``Exists then #["exact ⟨_, rfl⟩", "refine ⟨_, ?_⟩"]
    else if goal.isAppOf ``And || goal.isAppOf ``Iff then #["constructor"]
    else if goal.isAppOf ``Eq then #["congr 1", "symm"] else if goal.isAppOf ``False then #[] else #["constructor"]
  let classical := if goal.isAppOf ``False || known.isEmpty then #[] else denied.push "exfalso"
  return rules ++ form ++ applied ++ classical ++ (if goal.isAppOf ``False then #[] else #["refine Classical.byContradiction (fun hn => ?_)"])

/-- Rewriting with equations of the context, in the target and in other facts. -/
def rewritings : MetaM (Array String) := do
  let known ← proofs
  let equations := known.filter fun (_, type) => let c := conclusionOf type; c.isAppOf ``Eq || c.isAppOf ``Iff
  let inTarget := equations.flatMap fun (h, _) => #[s!"rw [{h}]", s!"rw [← {h}]"]
  let inOthers := equations.flatMap fun (h, _) => ((known.filter (·.1 != h)).extract 0 3).map fun (k, _) => s!"rw [{h}] at {k}"
  return inTarget ++ inOthers

/-- New facts: what hypotheses and lemmas say about facts and values of the context. -/
def forwards (context : Context) (target : Expr) : MetaM (Array String) := do
  let name := nameText (← freshName "hn")
  let implied := (← consequences context target []).map fun c => s!"have {name} := {c.text}"
  let values := ((← (← locals).filterM isVarying).map fun d => nameText d.userName).extract 0 4
  let awaited ← (← proofs).filterM fun (_, type) => do
    return match type with
      | .forallE _ _ b _ => !b.hasLooseBVars
      | _ => false
  let general := (← proofs).filter fun (_, type) => match type with | .forallE _ _ b _ => b.hasLooseBVars | _ => false
  return implied ++ (awaited.map fun (h, _) => s!"have {name} := {h} ?_") ++
    (general.flatMap fun (h, _) => values.map fun v => s!"have {name} := {h} {v}")

/-- Uses of lemmas on the target. -/
def byLemmas (lemmas : Array Name) : MetaM (Array String) := do
  lemmas.flatMapM fun n => do
    let text ← constantText n
    return #[s!"apply {text}", s!"rw [{text}]", s!"rw [← {text}]"]

/-- Splits by induction principles of the preamble. -/
def byPrinciples (principles : List Name) : MetaM (Array String) := do
  let values := (← (← locals).filterM isVarying).map fun d => nameText d.userName
  principles.toArray.flatMapM fun p => do
    let text ← constantText p
    let pairs := values.flatMap fun v => (values.filter (· != v)).map fun w => s!"cases {v}, {w} using {text}"
    return values.map (s!"cases {·} using {text}") ++ pairs.extract 0 4

/-- Definitions that the goal mentions, unfolded. -/
def unfoldingsOf (definitions : NameSet) (target : Expr) : MetaM (Array String) := do
  let mut all := #[]
  for n in target.getUsedConstants.filter definitions.contains do
    let text ← constantText n
    all := all.push ("unfold " ++ text)
  for (h, type) in ← proofs do
    for n in (type.getUsedConstants.filter definitions.contains).extract 0 2 do
      let text ← constantText n
      all := all.push s!"unfold {text} at {h}"
  return all

/-- Steps that lose nothing, then steps of each kind, most promising first. -/
structure Moves where
  naming : Array String := #[]
  safe : Array String := #[]
  kinds : Array (Array String) := #[]
  deriving Inhabited

def mostOfKind : Nat := 24

def movesAt (context : Context) (lemmas principles : List Name) (goal : MVarId) : MetaM Moves := do
  let target ← instantiateMVars (← goal.getType)
  if let some text ← naming then return { naming := #[text] }
  let introduced ← if (← whnfR target).isForall then introduction target else pure none
  let safe := (← safeSteps).toArray.flatMap fun s => s.texts.toArray ++ s.others.toArray
  let definitions := context.definitions
  let inductions := (← derivationInductions) ++ (← recursorInductions target) ++ (← functionInductions definitions target) ++
    (← computedInductions definitions target) ++ (← valueInductions)
  let form := (← rewrites target) ++ (← extensions target true) ++ (← representatives) ++ (← meanings target) ++
    (← unfoldings definitions target) ++ (← negations)
  let cases := (← splits target) ++ (← byPrinciples principles) ++ (← sideConditions target) ++ (← questions target)
  let near := (← nearest lemmas target).extract 0 6
  let kinds := #[inductions, cases, form ++ (← backward target) ++ (← extensions target false) ++ (← witnesses target), ← rewritings,
    ← byLemmas near, ← forwards context target, ← unfoldingsOf definitions target]
  return { safe := introduced.toArray ++ safe, kinds := kinds.map fun texts => texts.toList.eraseDups.toArray.extract 0 mostOfKind }

end Orch.Relational

namespace Orch

open Relational in
/-- Read the first goal of a state, within the request's heartbeats. -/
def atFirstGoal (w : Worker) (j : Json) (read : Environment → MVarId → TermElabM Fields) : IO Answer := do
  match (← getState w j) with
  | .error a => return a
  | .ok (p, session) =>
    let some goal := p.goals.head? | return .failed "invalid-request" "the state has no goal" []
    let heartbeats := heartbeatsOf j
    let ctx := coreContext w session (FileMap.ofString "") (← IO.getNumHeartbeats) heartbeats
    let r ← resume p
    let act : TermElabM Fields := bounded heartbeats [] (goal.withContext (read p.core.env goal))
    match (← runTerm ctx r p.declaration act) with
    | .error e => failedByException "tactic" e
    | .ok fields => return .done fields

open Relational in
def opMoves (w : Worker) (j : Json) : IO Answer :=
  atFirstGoal w j fun env goal => do
    let given (key : String) : List Name := (getItems j key).filterMap nameOfJson?
    let lemmas := given "lemmas"
    let context : Relational.Context := { rules := rulesOf env lemmas, definitions := NameSet.ofList (given "definitions"), outer := 0 }
    let moves ← movesAt context lemmas (given "principles") goal
    let texts (all : Array String) : Json := Json.arr (all.map Json.str)
    return [("naming", texts moves.naming), ("safe", texts moves.safe), ("kinds", Json.arr (moves.kinds.map texts))]

end Orch
