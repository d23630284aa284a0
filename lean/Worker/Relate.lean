import Worker.Choices
import Worker.Steps
import Lean.Meta.Tactic.LibrarySearch

/-! The relational prover: induction and inversion around the relational search. A goal is simplified (names, equations,
   impossible cases), searched, extended by consequences of its hypotheses, and then split or inducted on, with growing limits.
   Every outer step is the text of a tactic that was run, so Lean has already run the resulting script. -/

open Lean Meta Elab

namespace Orch.Relational

inductive Script where
  | done (text : String)
  | step (text : String) (children : Array Script)

partial def Script.lines : Script → List String
  | .done text => text.splitOn "\n"
  | .step text children =>
    let rest := match children.toList with
      | [] => []
      | [child] => child.lines
      | children => children.flatMap fun child =>
        match child.lines with
        | [] => []
        | line :: lines => ("· " ++ line) :: lines.map ("  " ++ ·)
    text.splitOn "\n" ++ rest

/-- A goal on its own: goals of different nodes share nothing. -/
structure Node where
  id : Nat
  goal : MVarId
  state : Term.SavedState
  /-- the consequences that were added so far -/
  known : List String

/-- A step and the goals that it leaves, once it has run; `none` if it fails. -/
structure Move where
  text : String
  children : Option (Option (Array Node)) := none
  deriving Inhabited

/-- What is known about a node so far. -/
structure Memo where
  solved : Option Script := none
  hasFailed : Bool := false
  tidied : Option (Option (String × Array Node)) := none
  /-- the step limit that the search had, and the depth that it reached -/
  searched : Nat := 0
  depth : Nat := 0
  forwarded : Option (Option (String × Array Node)) := none
  /-- consequences that require a choice -/
  choices : Array (String × String) := #[]
  /-- how many closers were tried -/
  closed : Nat := 0
  moves : Option (Array Move) := none
  /-- the number of moves that are splits; then come inductions -/
  splits : Nat := 0
  /-- the number of moves at the end that are no choice -/
  unwrappings : Nat := 0
  deriving Inhabited

structure Limits where
  depth : Nat := 10
  heartbeats : Nat
  closers : List String
  closerHeartbeats : Nat

structure Prover where
  context : Context
  limits : Limits
  startedAt : Nat
  /-- heartbeats spent on theorems of the library -/
  lookups : IO.Ref Nat
  steps : IO.Ref Nat
  memos : IO.Ref (Array Memo)
  /-- what was tried, if requested -/
  notes : Option (IO.Ref (Array String)) := none

abbrev ProveM := ReaderT Prover TermElabM

/-- The limits of a round. -/
structure Bounds where
  inductions : Nat
  splits : Nat
  closers : Nat
  /-- steps per search -/
  steps : Nat
  /-- may splits and unfoldings come before inductions? -/
  isMixed : Bool

/-- Inductions, then splits. -/
def ordered (inductions splits closers steps : Nat) : Bounds := { inductions, splits, closers, steps, isMixed := false }

def mixed (inductions splits closers steps : Nat) : Bounds := { inductions, splits, closers, steps, isMixed := true }

def checkBudget : ProveM Unit := do
  let p ← read
  if (← IO.getNumHeartbeats) - p.startedAt > p.limits.heartbeats * 1000 then throwError "the prover has spent its heartbeats"

def newNode (goal : MVarId) (known : List String) : ProveM Node := do
  let memos := (← read).memos
  let id := (← memos.get).size
  memos.modify (·.push {})
  return { id, goal, state := ← Term.saveState, known }

def memoOf (n : Node) : ProveM Memo := do return (← (← read).memos.get)[n.id]!

def remember (n : Node) (change : Memo → Memo) : ProveM Unit := do
  (← read).memos.modify fun all => all.modify n.id change

def stepHeartbeats : Nat := 400

def readingHeartbeats : Nat := 5000

/-- Run the text of a tactic at a node. -/
def runAt (n : Node) (text : String) (known : List String := n.known) (heartbeats : Nat := stepHeartbeats) :
    ProveM (Option (Array Node)) := do
  checkBudget
  (← read).steps.modify (· + 1)
  n.state.restore
  match ← runText n.goal text heartbeats with
  | none => return none
  | some goals => return some (← goals.toArray.mapM (newNode · known))

/-- Read the goal of a node; `none` if that takes too long. -/
def inNode {α : Type} [Inhabited α] (n : Node) (x : MetaM α) : ProveM α := do
  checkBudget
  n.state.restore
  bounded readingHeartbeats default (n.goal.withContext x)

def note (n : Node) (text : String) : ProveM Unit := do
  if let some notes := (← read).notes then
    n.state.restore
    let goal ← bounded 500 "" (do return (← Meta.ppGoal n.goal).pretty 120)
    notes.modify (·.push s!"{n.id} {text}\n{goal}")

/-- Introduce names and binders, and apply what hypotheses imply without a choice. -/
def tidy (n : Node) : ProveM (Option (String × Array Node)) := do
  if let some known := (← memoOf n).tidied then return known
  let result ← find
  remember n ({ · with tidied := some result })
  return result
where
  find : ProveM (Option (String × Array Node)) := do
    if let some text ← inNode n naming then
      if let some nodes ← runAt n text then return some (text, nodes)
    let target ← inNode n do instantiateMVars (← n.goal.getType)
    if let some text ← inNode n (introduction target) then
      if let some nodes ← runAt n text then return some (text, nodes)
    for safe in ← inNode n safeSteps do
      for text in safe.texts do
        if let some nodes ← runAt n text then
          if nodes.size ≤ safe.most then return some (text, nodes)
      for text in safe.others do
        if let some nodes ← runAt n text then
          if nodes.size ≤ 1 then return some (text, nodes)
    let { definitions, rules, .. } := (← read).context
    for text in (← inNode n (unwrappings definitions rules target)).1 do
      if let some nodes ← runAt n text then return some (text, nodes)
    return none

/-! ### What hypotheses imply -/

/-- Does it help to know this? -/
def isUseful (type : Expr) (known : Array Expr) : MetaM Bool := do
  if known.contains type then return false
  match type.getAppFn with
  | .const n _ =>
    if n == ``Eq then return type.eq?.any fun (_, a, b) => a != b
    if [``False, ``And, ``Or, ``Exists, ``HEq].contains n then return true
    let some (info, arguments) ← predicateOf type | return false
    if isLogic info.name then return false
    let indices := arguments.extract info.numParams arguments.size
    return ← indices.anyM fun i => do return (← constructorApp'? i).isSome
  | _ => return false

def mostForwards : Nat := 4

/-- A fact that follows, as a term. `isSafe`: it requires no choice, or comes from a hypothesis. -/
structure Consequence where
  text : String
  isSafe : Bool
  isDisjunction : Bool

/-- Applies rules whose premises are all known. -/
def consequences (context : Context) (target : Expr) (used : List String) : MetaM (Array Consequence) := do
  let declarations ← locals
  let known ← declarations.mapM fun d => do instantiateMVars d.type
  let mut sources : Array Candidate := #[]
  for d in declarations, type in known do
    if isNamed d && (type.isForall || type.not?.isSome || type.isAppOf ``Ne) then
      if ← isProp type then sources := sources.push { value := d.toExpr, type, text := nameText d.userName }
  for rule in context.rules do
    if rule.direction == "" then
      let value ← mkConstWithFreshMVarLevels rule.name
      sources := sources.push { value, type := ← inferType value, text := ← constantText rule.name }
  let mut found := #[]
  let mut types := known
  for source in sources do
    for (text, type) in ← instances context source declarations types do
      if used.contains text || found.size ≥ 6 then continue
      let isSafe := source.value.isFVar || [``False, ``Eq, ``HEq].any (type.isAppOf ·)
      found := found.push { text, isSafe, isDisjunction := type.isAppOf ``Or }
      types := types.push type
  for (text, type) in (← meetings declarations known) ++ (← instancesAtHand target) do
    if used.contains text || found.size ≥ 6 || types.contains type then continue
    found := found.push { text, isSafe := true, isDisjunction := type.isAppOf ``Or }
    types := types.push type
  return found
where
  /-- One value that equals two others: the result of a function or look-up is known twice. -/
  meetings (declarations : Array LocalDecl) (known : Array Expr) : MetaM (Array (String × Expr)) := do
    let mut before : Array (String × Expr × Expr) := #[]
    let mut found := #[]
    for d in declarations, type in known do
      let some (_, a, b) := type.eq? | continue
      unless isNamed d && !a.isFVar && (b.isFVar || (← constructorApp'? b).isSome) do continue
      let h := nameText d.userName
      for (h0, a0, b0) in before do
        if a0 == a && b0 != b then found := found.push (s!"{h0}.symm.trans {h}", ← mkEq b0 b)
      before := before.push (h, a, b)
    return found
  instances (context : Context) (source : Candidate) (declarations : Array LocalDecl) (known : Array Expr) :
      MetaM (Array (String × Expr)) := do
    let saved ← Meta.saveState
    let mut found := #[]
    let (arguments, conclusion) ← opened source.type
    let usefulHead := match conclusion.getAppFn with
      | .const .. => true
      | _ => false
    let premises ← arguments.filterM fun (m, _) => do isProp (← m.getType)
    unless usefulHead && !premises.isEmpty do
      saved.restore
      return #[]
    let first ← premises.findM? fun (m, _) => do return !(← instantiateMVars (← m.getType)).isAppOf ``Eq
    let choices : Array (Option LocalDecl) ← match first with
      | none => pure #[none]
      | some (m, _) => do
        let head := headOf (← m.getType)
        let fitting ← declarations.filterM fun d => do
          return isNamed d && sameHead head (headOf (← instantiateMVars d.type)) && (← isProp d.type)
        pure (fitting.map some)
    let opened ← Meta.saveState
    for choice in choices do
      opened.restore
      let search : SearchM Bool := do
        if let (some (m, _), some d) := (first, choice) then
          unless ← isDefEq (← m.getType) d.type do return false
          close m d.toExpr (.text (nameText d.userName))
        let rest ← premises.filterM fun (m, _) => do return !(← m.isAssigned)
        unless ← solve (rest.toList.map fun (m, _) => { goal := m, depth := 0 }) [] do return false
        return true
      let ref ← ST.mkRef ({ mostSteps := 60, leaves := 0 } : Search)
      let context := { context with outer := (← getLCtx).numIndices, rules := #[] }
      let isFound ← boundedMeta 400 false (search.run context ref)
      if isFound then
        let type ← instantiateMVars conclusion
        if !type.hasExprMVar && (← isUseful type known) && !found.any (·.2 == type) then
          let explicit := (arguments.filter (·.2.isExplicit)).map (·.1)
          let proofs := (← ref.get).proofs
          let text := source.text ++ String.join (explicit.toList.map fun m => " " ++ render proofs m true)
          found := found.push (text, type)
    saved.restore
    return found

/-- Records that the definitions have been unfolded. -/
def unfoldedMark : String := "unfolded"

/-- Adds the first consequence that Lean accepts as a hypothesis. Consequences that require a choice are left to the splits. -/
def forward (n : Node) : ProveM (Option (String × Array Node)) := do
  if let some known := (← memoOf n).forwarded then return known
  let context := (← read).context
  let all ← if (n.known.filter (· != unfoldedMark)).length ≥ mostForwards then pure #[] else inNode n do consequences context (← instantiateMVars (← n.goal.getType)) n.known
  let name ← inNode n (freshName "h")
  let step (c : Consequence) : String :=
    let h := nameText name
    if c.isDisjunction && !c.isSafe then s!"rcases {c.text} with {h} | {h}" else s!"have {h} := {c.text}"
  let result ← (all.filter (·.isSafe)).findSomeM? fun c => do
    match ← runAt n (step c) (c.text :: n.known) with
    | some nodes => return some (step c, nodes)
    | none => return none
  remember n ({ · with forwarded := some result, choices := (all.filter (!·.isSafe)).map fun c => (step c, c.text) })
  return result

/-- Steps that lose nothing but are unnecessary if the search succeeds: splitting conjunctions, indices in constructor form,
   consequences. -/
def further (n : Node) : ProveM (Option (String × Array Node)) := do
  if let some known := (← memoOf n).forwarded then return known
  let definitions := (← read).context.definitions
  let texts ← inNode n do
    let target ← instantiateMVars (← n.goal.getType)
    let isPair := target.isAppOfArity ``And 2 || target.isAppOfArity ``Iff 2
    return (if isPair then #["constructor"] else #[]) ++ (← rewrites target) ++ (← extensions target true) ++ (← representatives) ++
      (← meanings target) ++ (← unfoldings definitions target) ++ (← negations)
  for text in texts do
    if let some nodes ← runAt n text then
      let result := some (text, nodes)
      remember n ({ · with forwarded := some result })
      return result
  forward n

/-! ### Proving -/

/-- A derivation as one term, which Lean must accept as written. -/
def search (n : Node) (mostSteps : Nat) : ProveM (Option Script) := do
  if (← memoOf n).searched ≥ mostSteps then return none
  let p ← read
  checkBudget
  let first := (← memoOf n).depth
  let derived ← inNode n (derive p.context n.goal first p.limits.depth mostSteps)
  p.steps.modify (· + derived.steps)
  -- a search that was exhausted need not be repeated, and any other continues at its depth
  remember n ({ · with searched := if derived.steps < mostSteps then 1000000 else mostSteps, depth := derived.depth })
  let some (text, isExact) := derived.found | return none
  let texts := if isExact then ["exact " ++ text] else ["simpa using " ++ text, "simpa [Nat.add_assoc, Nat.add_comm, Nat.add_left_comm] using " ++ text]
  for text in texts do
    if let some #[] ← runAt n text then return some (.done text)
  return none

/-- Closers that are built for the goal. -/
def byIdeas (n : Node) : ProveM (Option Script) := do
  let ideas ← inNode n do arithmeticClosers (← instantiateMVars (← n.goal.getType))
  for text in ideas do
    if let some #[] ← runAt n text (heartbeats := 4 * (← read).limits.closerHeartbeats) then return some (.done text)
  return none

def lookupHeartbeats : Nat := 1500

/-- The share of the work that may go into looking theorems up: one part in six. -/
def lookupShare : Nat := 6

/-- A theorem of the library that closes a goal about the library's functions. -/
def byLibrary (n : Node) : ProveM (Option Script) := do
  let p ← read
  if (← p.lookups.get) * lookupShare > p.limits.heartbeats * 1000 then return none
  let startedAt ← IO.getNumHeartbeats
  checkBudget
  n.state.restore
  let found ← bounded lookupHeartbeats none <| n.goal.withContext do
    let target ← instantiateMVars (← n.goal.getType)
    unless ← isAboutLibrary target do return none
    let goal ← mkFreshExprSyntheticOpaqueMVar target
    if (← LibrarySearch.librarySearch goal.mvarId! (leavePercentHeartbeats := 10) (includeStar := false)).isSome then return none
    withOptions (fun o => o.setBool `pp.proofs true) do return some (← termText (← instantiateMVars goal))
  p.lookups.modify (· + ((← IO.getNumHeartbeats) - startedAt))
  let some term := found | return none
  let text := "exact " ++ term
  return (← runAt n text).bind fun nodes => if nodes.isEmpty then some (.done text) else none
where
  /-- Does it say something about values, in terms of the library? -/
  isAboutLibrary (target : Expr) : MetaM Bool := do
    let env ← getEnv
    if target.isForall || !target.hasFVar || [``False, ``Exists, ``And, ``Or].any (target.isAppOf ·) then return false
    let heads := match target.eq? with
      | some (_, a, b) => [a.getAppFn, b.getAppFn]
      | none => [target.getAppFn]
    return heads.any fun f => f.constName?.any (!isOwn env ·)

def closeBy (n : Node) (most : Nat) : ProveM (Option Script) := do
  let { closed, .. } ← memoOf n
  if closed ≥ most then return none
  remember n ({ · with closed := most })
  let limits := (← read).limits
  for text in (limits.closers.take most).drop closed do
    if let some #[] ← runAt n text (heartbeats := limits.closerHeartbeats) then return some (.done text)
  if closed == 0 then
    if let some script ← byIdeas n then return some script
  if most ≥ limits.closers.length then byLibrary n else return none

/-- The splits, the inductions and the steps that are no choice, with the places where these begin. -/
def movesOf (n : Node) : ProveM (Array Move × Nat × Nat) := do
  let memo ← memoOf n
  if let some known := memo.moves then return (known, memo.splits, known.size - memo.unwrappings)
  let { definitions, rules, .. } := (← read).context
  let (inductions, splittings, unwrapping) ← inNode n do
    let target ← instantiateMVars (← n.goal.getType)
    let elements ← if target.isAppOfArity ``Exists 2 then anyElement (target.getArg! 0) else pure #[]
    let sound ← if let some (α, _, _) := target.eq? then
        (do let type ← whnf α; pure (if type.isAppOf ``Quot then #["apply Quot.sound"] else #[]))
      else pure #[]
    let splittings := sound ++ (← extensions target false) ++ (← witnesses target) ++ elements.map (s!"refine ⟨{·}, ?_⟩") ++ (← splits target).extract 0 6 ++ (← sideConditions target) ++ (← questions target)
    let unwrapping := (← unwrappings definitions rules target).2
    return ((← derivationInductions) ++ (← recursorInductions target) ++ (← functionInductions definitions target) ++ (← computedInductions definitions target) ++ (← valueInductions), splittings, unwrapping)
  -- unfolding the definitions in this case may help
  let closers := (← read).limits.closers
  let unfolding := if definitions.isEmpty || n.known.contains unfoldedMark then #[] else (closers.take 1).toArray
  let splittings := splittings ++ memo.choices.map (·.1) ++ unfolding
  let texts := splittings ++ inductions.extract 0 10 ++ unwrapping
  let moves := texts.map fun text => { text }
  remember n ({ · with moves := some moves, splits := splittings.size, unwrappings := unwrapping.size })
  return (moves, splittings.size, texts.size - unwrapping.size)

def childrenOf (n : Node) (index : Nat) (text : String) : ProveM (Option (Array Node)) := do
  if let some known := ((← memoOf n).moves.bind (·[index]?)).bind (·.children) then return known
  let isUnfolding := (← read).limits.closers.head? == some text
  let known := match (← memoOf n).choices.find? (·.1 == text) with
    | some (_, fact) => fact :: n.known
    | none => if isUnfolding then unfoldedMark :: n.known else n.known
  let nodes ← runAt n text known
  remember n fun memo => { memo with moves := memo.moves.map fun all => all.modify index ({ · with children := some nodes }) }
  return nodes

mutual

partial def prove (n : Node) (bounds : Bounds) : ProveM (Option Script) := do
  if let some script := (← memoOf n).solved then return some script
  let found ← match ← tidy n with
    | some (text, nodes) => proveAll text nodes bounds
    | none => proveTidied n bounds
  remember n ({ · with solved := found, hasFailed := found.isNone })
  return found

partial def proveAll (text : String) (nodes : Array Node) (bounds : Bounds) : ProveM (Option Script) := do
  -- the goal that failed last decides soonest
  for node in nodes do
    if (← memoOf node).hasFailed then
      if (← prove node bounds).isNone then return none
  let mut scripts := #[]
  for node in nodes do
    match ← prove node bounds with
    | none => return none
    | some script => scripts := scripts.push script
  return some (.step text scripts)

partial def proveTidied (n : Node) (bounds : Bounds) : ProveM (Option Script) := do
  if let some script ← search n bounds.steps then return some script
  if let some (text, nodes) ← further n then return ← proveAll text nodes bounds
  if let some script ← closeBy n bounds.closers then return some script
  if bounds.splits == 0 && bounds.inductions == 0 then
    note n s!"stuck, closers: {bounds.closers}, steps: {bounds.steps}"
    return none
  let (moves, count, firstUnwrapping) ← movesOf n
  -- inductions come before splits, except in mixed rounds; splits alone have separate rounds
  let isInducting := bounds.inductions > 0
  let unfolding := (← read).limits.closers.head?
  let all := List.range moves.size
  let places := if bounds.isMixed then all.drop count ++ all.take count else all
  for k in places do
    let m := moves[k]!
    let isSplit := k < count
    let isUnwrapping := k ≥ firstUnwrapping
    let isUnfolding := unfolding == some m.text
    let isTurn := if isSplit then !isInducting || (bounds.isMixed && (bounds.splits > 0 || isUnfolding)) else isInducting
    unless isTurn || isUnwrapping do continue
    if let some nodes ← childrenOf n k m.text then
      note n s!"{m.text} → {nodes.map (·.id)}"
      let below :=
        if isUnwrapping then bounds
        else if !isSplit then { bounds with inductions := bounds.inductions - 1 }
        -- unfolding definitions is not a choice
        else if isUnfolding then bounds
        else { bounds with splits := bounds.splits - 1 }
      if let some script ← proveAll m.text nodes below then return some script
  return none

end

end Orch.Relational
