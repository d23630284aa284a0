import Worker.Ambiguity
import Worker.Goals

/-! The relational search: looks for a derivation as one term. Constructors, lemmas and hypotheses are applied backward with shared
metavariables, by iterative deepening. Every step is unification; tactics run at leaves only. The result is text that Lean
elaborates again, so nothing here has to be trusted. -/

open Lean Meta Elab

namespace Orch.Relational

/-- How the search closed a goal: text with holes for the goals that remain. -/
inductive Proof where
  | apply (head : String) (arguments : Array MVarId)
  | pair (arguments : Array MVarId)
  | function (name : String) (body : MVarId)
  | same (other : MVarId)
  | text (text : String)
  deriving Inhabited

/-- A lemma that may be applied backward. -/
structure Rule where
  name : Name
  /-- the head constant of its conclusion -/
  head : Name
  /-- `mp` or `mpr` for one direction of an equivalence, else nothing -/
  direction : String := ""
  /-- does a premise mention values that the conclusion does not determine? -/
  isLoose : Bool := false

structure Search where
  steps : Nat := 0
  /-- the number of steps after which the search gives up -/
  mostSteps : Nat
  /-- leaves on which a tactic may be tried -/
  leaves : Nat := 4
  /-- is the result's type the goal itself, and not only equal to it? -/
  isExact : Bool := true
  /-- was something skipped because it is too deep? -/
  isCut : Bool := false
  proofs : PersistentHashMap MVarId Proof := {}
  /-- closed goals of the outer context that failed, each with its depth -/
  failed : Std.HashMap Expr Nat := {}

structure Context where
  rules : Array Rule
  /-- definitions that a goal may be unfolded to reach a predicate -/
  definitions : NameSet
  /-- the number of local declarations at the start -/
  outer : Nat
  /-- the goal whose indices may be provably equal where they do not unify -/
  start : Option MVarId := none

abbrev SearchM := ReaderT Context (StateRefT Search MetaM)

/-- A goal with its remaining depth and the closed goals above it. -/
structure Pending where
  goal : MVarId
  depth : Nat
  above : List Expr := []

/-- An index that only computation can make equal. It is compared after the sibling goals are solved. -/
abbrev Waiting := List (Expr × Expr)

/-- Run with a limit on the work. A timeout or a recursion that is too deep ends only this part of the search. -/
def bounded {α : Type} (heartbeats : Nat) (otherwise : α) (x : TermElabM α) : TermElabM α := do
  let spent ← IO.getNumHeartbeats
  let limited := withTheReader Core.Context (fun c => { c with
    -- zero would mean no limit
    initHeartbeats := spent, maxHeartbeats := max 1 (min (heartbeats * 1000) (c.maxHeartbeats - (spent - c.initHeartbeats))) }) x
  tryCatchRuntimeEx limited fun e => if e.isInterrupt then throw e else pure otherwise

/-- The same for code that only reads a goal. -/
def boundedMeta {α : Type} (heartbeats : Nat) (otherwise : α) (x : MetaM α) : MetaM α :=
  (bounded heartbeats otherwise x).run'

def isWritable (n : Name) : Bool := !(n.hasMacroScopes || n.isInternalDetail || isPrivateName n || n.hasNum)

partial def conclusionOf (e : Expr) : Expr :=
  match e with
  | .forallE _ _ b _ => conclusionOf b
  | .mdata _ b => conclusionOf b
  | .letE _ _ _ b _ => conclusionOf b
  | e => match e.not? with
    | some _ => mkConst ``False
    | none => if e.isAppOf ``Ne then mkConst ``False else e

/-- The head of a proposition's conclusion: a constant or a variable. -/
def headOf (e : Expr) : Expr := (conclusionOf e).getAppFn

def sameHead (a b : Expr) : Bool :=
  match a, b with
  | .const m _, .const n _ => m == n
  | .fvar m, .fvar n => m == n
  | .mvar _, _ => true
  | _, _ => false

/-- Premises and conclusion of a rule, with metavariables for its bound values. `¬ p` and `a ≠ b` are implications. -/
partial def opened (type : Expr) (arguments : Array (MVarId × BinderInfo) := #[]) :
    MetaM (Array (MVarId × BinderInfo) × Expr) := do
  let (all, infos, conclusion) ← forallMetaTelescope type
  let arguments := arguments ++ (all.map (·.mvarId!)).zip infos
  match conclusion.not? with
  | some p =>
    let premise ← mkFreshExprMVar (some p)
    return (arguments.push (premise.mvarId!, .default), mkConst ``False)
  | none =>
    if conclusion.isAppOfArity ``Ne 3 then
      let premise ← mkFreshExprMVar (some (mkApp3 (mkConst ``Eq conclusion.getAppFn.constLevels!)
        (conclusion.getArg! 0) (conclusion.getArg! 1) (conclusion.getArg! 2)))
      return (arguments.push (premise.mvarId!, .default), mkConst ``False)
    return (arguments, conclusion)

/-- Is it made by a constructor, a literal or a type, so that unification can look into it? -/
def isConstructed (e : Expr) : MetaM Bool := do
  let e := e.consumeMData
  if e.isLit || e.isSort || e.isForall then return true
  if (e.nat?).isSome then return true
  match e.getAppFn with
  | .const n _ => match (← getEnv).find? n with
    | some (.ctorInfo _) | some (.inductInfo _) => return true
    | _ => return e.isAppOfArity ``HAdd.hAdd 6 && (e.getArg! 5).nat?.isSome
  | _ => return false

/-- Unify a rule's conclusion with a goal. Comparing an index that computes is postponed. -/
def unify (conclusion target : Expr) (isStart : Bool) : MetaM (Option Waiting) := do
  if ← isDefEq conclusion target then return some []
  let f := conclusion.getAppFn
  let conclusion ← instantiateMVars conclusion
  let target ← instantiateMVars target
  unless sameHead f target.getAppFn && f.isConst && conclusion.getAppNumArgs == target.getAppNumArgs do return none
  if f.isConstOf ``Eq then return none
  let mut waiting := []
  for a in conclusion.getAppArgs, b in target.getAppArgs do
    unless ← isDefEq a b do
      let a ← instantiateMVars a
      let b ← instantiateMVars b
      unless isStart || a.hasExprMVar || b.hasExprMVar do return none
      if (← isConstructed a) && (← isConstructed b) then return none
      waiting := (a, b) :: waiting
  return some waiting

def charge : SearchM Unit := do
  let s ← get
  if s.steps ≥ s.mostSteps then throwError "the search has made all its steps"
  set { s with steps := s.steps + 1 }
  checkSystem "search"

def close (g : MVarId) (value : Expr) (proof : Proof) : SearchM Unit := do
  g.assign value
  modify fun s => { s with proofs := s.proofs.insert g proof }

/-- Run an action. If it fails, undo everything except the step count. -/
def attempt (x : SearchM Bool) : SearchM Bool := do
  let saved ← Meta.saveState
  let { proofs, isExact, .. } ← get
  let done ← tryCatchRuntimeEx x fun e => do
    if e.isInterrupt || e.isMaxHeartbeat || (← get).steps ≥ (← get).mostSteps then throw e else pure false
  unless done do
    saved.restore
    modify fun s => { s with proofs, isExact }
  return done

/-- Splitting a goal at its connectives costs no depth. -/
def isConnective (n : Name) : Bool := [``And, ``Or, ``Exists, ``Iff, ``True].contains n

/-- A name that neither the context nor the list has. -/
def freshName (stem : String) (used : List Name := []) : MetaM Name := do
  let lctx ← getLCtx
  let rec go (k : Nat) (fuel : Nat) : Name :=
    let n := Name.mkSimple (if k == 0 then stem else stem ++ toString k)
    match fuel with
    | 0 => n
    | fuel + 1 => if (lctx.findFromUserName? n).isSome || used.contains n then go (k + 1) fuel else n
  return go 0 1000

/-- A proposition under an operator that the text defines by an instance (`instance : LE Shape`), unfolded to that definition.
   -/
def meaningOf (type : Expr) : MetaM Expr := do
  let type ← whnfR type
  let env ← getEnv
  let .const n _ := type.getAppFn | return type
  unless env.isProjectionFn n do return type
  let next ← withTransparency .instances (whnf type)
  let .const m _ := next.getAppFn | return type
  return if isOwn env m then next else type

/-- Does it consist of unassigned metavariables only? -/
def isFlexible (type : Expr) : MetaM Bool := do
  let head := type.getAppFn
  if head.isMVar then return true
  let arguments := type.getAppArgs
  let mut seen := false
  for a in arguments do
    if a.getAppFn.isMVar then seen := true
    else unless ← (isType a <||> isInstance a) do return false
  return seen
where
  isInstance (a : Expr) : MetaM Bool := do return (← isClass? (← inferType a)).isSome

/-- The remaining arguments of a rule: propositions become goals, instances are synthesised, values stay open. -/
def premisesOf (arguments : Array (MVarId × BinderInfo)) : MetaM (Option (Array MVarId)) := do
  let mut goals := #[]
  for (m, info) in arguments do
    if ← m.isAssigned then continue
    let type ← instantiateMVars (← m.getType)
    if info.isInstImplicit then
      match ← synthInstance? type with
      | some value => m.assign value
      | none => return none
    else if ← isProp type then goals := goals.push m
  return some goals

structure Candidate where
  value : Expr
  type : Expr
  text : String
  /-- what follows the application: `.mp`, `.symm` -/
  projection : String := ""
  /-- how much depth it costs -/
  cost : Nat := 1

/-- Cheaper than unification: do constructors clash somewhere? `pattern` may have loose bound variables. -/
partial def clashes (env : Environment) (pattern target : Expr) : Bool :=
  pattern.getAppNumArgs == target.getAppNumArgs &&
  (pattern.getAppArgs.zip target.getAppArgs).any fun (a, b) =>
    match a.getAppFn, b.getAppFn with
    | .const c _, .const d _ => if c == d then isConstructor c && clashes env a b else isMade c && isMade d
    | .const c _, .fvar _ => isMade c
    | .fvar _, .const c _ => isMade c
    | .fvar x, .fvar y => x != y && a.isFVar && b.isFVar
    | _, _ => false
where
  isConstructor (c : Name) : Bool := env.find? c matches some (.ctorInfo _)
  /-- structures are left out: a variable is a pair of its projections -/
  isMade (c : Name) : Bool := match env.find? c with
    | some (.ctorInfo info) => info.induct != ``Nat && !isStructure env info.induct
    | _ => false

/-- The rules that one hypothesis provides. -/
def fromHypothesis (target : Expr) (d : LocalDecl) : MetaM (List Candidate) := do
  if d.isImplementationDetail || d.userName.hasMacroScopes then return []
  let type ← instantiateMVars d.type
  let c : Candidate := { value := d.toExpr, type, text := nameText d.userName }
  let head := headOf type
  if head.isConstOf ``Iff && !target.isAppOf ``Iff then
    return if ← isProp type then [{ c with projection := "mp" }, { c with projection := "mpr" }] else []
  unless sameHead head target.getAppFn && !clashes (← getEnv) (conclusionOf type) target && (← isProp type) do return []
  return if type.isAppOf ``Eq then [c, { c with projection := "symm" }] else [c]

/-- Hypotheses whose conclusion matches, newest first and plain facts before rules; then constructors, then lemmas. -/
def candidates (target : Expr) : SearchM (Array Candidate) := do
  let head := target.getAppFn
  let env ← getEnv
  let declarations := (← getLCtx).foldl (fun rest d => d :: rest) []
  let known ← declarations.flatMapM fun d => fromHypothesis target d
  let (facts, rules) := known.partition fun c => !(c.type.isForall || c.type.isAppOf ``Not || c.projection != "")
  let mut all := (facts ++ rules).toArray
  if let .const n levels := head then
    if let some (.inductInfo info) := (← getEnv).find? n then
      unless n == ``Eq || n == ``HEq || n == ``False do
        for c in info.ctors do
          if isWritable c then
            let value := mkConst c levels
            let type ← inferType value
            unless clashes env (conclusionOf type) target do all := all.push { value, type, text := ← constantText c }
    for rule in (← read).rules do
      if rule.head == n then
        let value ← mkConstWithFreshMVarLevels rule.name
        let type ← inferType value
        if rule.direction != "" || !clashes env (conclusionOf type) target then
          all := all.push ⟨value, type, ← constantText rule.name, rule.direction, if rule.isLoose then 2 else 1⟩
  return all

/-- The type of a rule in the direction in which it is used. -/
def directed (c : Candidate) (arguments : Array MVarId) (conclusion : Expr) :
    MetaM (Option (Expr × Expr × Array (MVarId × BinderInfo))) := do
  let value := mkAppN c.value (arguments.map mkMVar)
  match c.projection with
  | "" => return some (value, conclusion, #[])
  | "symm" =>
    let some (α, a, b) := conclusion.eq? | return none
    return some (← mkEqSymm value, mkApp3 conclusion.getAppFn α b a, #[])
  | way =>
    unless conclusion.isAppOfArity ``Iff 2 do return none
    let (p, q) := if way == "mp" then (conclusion.getArg! 0, conclusion.getArg! 1) else (conclusion.getArg! 1, conclusion.getArg! 0)
    let premise ← mkFreshExprMVar (some p)
    let f := mkConst (if way == "mp" then ``Iff.mp else ``Iff.mpr)
    return some (mkApp4 f (conclusion.getArg! 0) (conclusion.getArg! 1) value premise, q, #[(premise.mvarId!, .default)])

/-- The name by which a proof applies the rule, and the arguments to write. -/
def written (c : Candidate) (arguments : Array (MVarId × BinderInfo)) (more : Array (MVarId × BinderInfo)) : Proof :=
  let explicit := (arguments.filter (·.2.isExplicit)).map (·.1)
  let last := more.map (·.1)
  if c.text == "And.intro" || c.text == "Exists.intro" then .pair explicit
  else if c.projection == "" then .apply c.text explicit
  else if explicit.isEmpty then .apply (c.text ++ "." ++ c.projection) last
  else .apply ("(" ++ c.text ++ String.join (explicit.toList.map fun _ => " _") ++ ")." ++ c.projection) last

/-- Use one rule on a goal: the remaining goals and the postponed comparisons. -/
def applyRule (g : MVarId) (target : Expr) (c : Candidate) : SearchM (Option (Array MVarId × Waiting)) := do
  charge
  let (arguments, conclusion) ← opened c.type
  let some (value, conclusion, more) ← directed c (arguments.map (·.1)) conclusion | return none
  let some waiting ← unify conclusion target ((← read).start == some g) | return none
  let some goals ← premisesOf (arguments ++ more) | return none
  close g value (written c arguments more)
  return some (goals, waiting)

def isArithmetic (type : Expr) : Bool :=
  let type := (type.not?).getD type
  let overNumbers (e : Expr) : Bool := e.isConstOf ``Nat || e.isConstOf ``Int
  [``LE.le, ``LT.lt, ``GE.ge, ``GT.gt, ``Eq, ``Ne, ``Dvd.dvd].any (type.isAppOf ·) && overNumbers (type.getArg! 0)

/-- Tactics for a closed goal to which no rule applies; `isInner`: the search has introduced hypotheses. -/
def leafTactics (type : Expr) (isInner : Bool) : List String :=
  if isArithmetic type then ["omega"]
  else if type.not?.isSome || type.isAppOf ``Ne then ["nofun"]
  else if !type.hasFVar then ["decide"] else if isInner then ["grind"] else []

def parseTactic (text : String) : MetaM (Option Syntax) := do
  match Parser.runParserCategory (← getEnv) `term ("by\n" ++ text) "<tactic>" with
  | .error _ => return none
  | .ok stx => return some (stx.getArg 1)

/-- Run a tactic on one goal with a limit on the work; `none` if it fails. -/
def runText (g : MVarId) (text : String) (heartbeats : Nat) : TermElabM (Option (List MVarId)) := do
  let some stx ← parseTactic text | return none
  let saved ← Term.saveState
  let act : TermElabM (Option (List MVarId)) := do
    let ref ← ST.mkRef (Tactic.State.mk [g])
    let tactic : Tactic.TacticM Unit := do
      Tactic.evalTactic stx
      Term.synthesizeSyntheticMVarsNoPostponing
      Tactic.pruneSolvedGoals
    tactic { elaborator := .anonymous, recover := false } ref
    return some (← ref.get).goals
  let result ← bounded heartbeats none act
  if result.isNone || (← Core.getMessageLog).hasErrors then
    saved.restore
    return none
  return result

def closeByTactic (g : MVarId) (type : Expr) : SearchM Bool := do
  for text in leafTactics type ((← getLCtx).numIndices > (← read).outer) do
    if (← get).leaves == 0 then return false
    modify fun s => { s with leaves := s.leaves - 1 }
    charge
    let m ← mkFreshExprSyntheticOpaqueMVar type
    let done ← (runText m.mvarId! text 200).run' {}
    if done matches some [] then
      close g (← instantiateMVars m) (.text ("(by " ++ text ++ ")"))
      return true
  return false

/-- Indices of the starting goal that are not equal by computation may be equal by simple facts about sums and lists. -/
def areEqual (a b : Expr) : SearchM Bool := do
  unless (← read).start.isSome && (← get).leaves > 0 do return false
  let type ← mkEq (← instantiateMVars a) (← instantiateMVars b)
  if type.hasExprMVar then return false
  modify fun s => { s with leaves := s.leaves - 1 }
  charge
  let text := if (← inferType a).isConstOf ``Nat then "omega" else "simp"
  let m ← mkFreshExprSyntheticOpaqueMVar type
  let done ← (runText m.mvarId! text 200).run' {}
  unless done matches some [] do return false
  modify ({ · with isExact := false })
  return true

mutual

/-- Solve all goals together. A closed goal is solved on its own, and its first solution is kept. -/
partial def solve (goals : List Pending) (waiting : Waiting) : SearchM Bool := do
  match ← pick goals with
  | none =>
    for (a, b) in waiting do
      unless (← isDefEq a b) || (← areEqual a b) do return false
    return true
  | some (p, rest) =>
    let type ← instantiateMVars (← p.goal.getType)
    let isClosed := !type.hasExprMVar
    if isClosed then
      if rest.isEmpty && waiting.isEmpty then solveOne p type isClosed [] []
      else if ← solveOne p type isClosed [] [] then solve rest waiting
      else return false
    else solveOne p type isClosed rest waiting

partial def pick (goals : List Pending) : SearchM (Option (Pending × List Pending)) := do
  match goals with
  | [] => return none
  | first :: rest =>
    let rec go (before : List Pending) : List Pending → MetaM (Pending × List Pending)
      | [] => return (first, rest)
      | p :: after => do
        let type ← p.goal.withContext do isFlexible (← instantiateMVars (← p.goal.getType))
        if type then go (p :: before) after else return (p, before.reverse ++ after)
    return some (← go [] goals)

partial def solveOne (p : Pending) (type : Expr) (isClosed : Bool) (rest : List Pending) (waiting : Waiting) : SearchM Bool :=
  p.goal.withContext do
  let target ← meaningOf type
  if target.isForall || target.not?.isSome || target.isAppOf ``Ne then return ← introduce p target rest waiting
  if isClosed && p.above.contains target then return false
  let isOuter := isClosed && (← getLCtx).numIndices == (← read).outer
  if isOuter then
    if let some depth := (← get).failed[target]? then
      if p.depth ≤ depth then return false
  if ← byEquality p target rest waiting then return true
  let above := if isClosed then target :: p.above else p.above
  for c in ← candidates target do
    let isFree := match c.value with | .const (.str n _) _ => isConnective n | _ => false
    if p.depth < c.cost && !isFree && (← hasPremises c.type) then
      modify ({ · with isCut := true })
      continue
    let depth := if isFree then p.depth else p.depth - c.cost
    let done ← attempt do
      let some (goals, more) ← applyRule p.goal target c | return false
      solve (goals.toList.map ({ goal := ·, depth, above }) ++ rest) (more ++ waiting)
    if done then return true
  if ← unfolded p target rest waiting then return true
  if isClosed && (← closeByTactic p.goal target) then return ← solve rest waiting
  if isOuter then modify fun s => { s with failed := s.failed.insert target p.depth }
  return false
where
  hasPremises (type : Expr) : MetaM Bool :=
    forallTelescope type fun xs body => do
      if body.not?.isSome || body.isAppOf ``Iff then return true
      xs.anyM fun x => do isProp (← inferType x)

partial def introduce (p : Pending) (target : Expr) (rest : List Pending) (waiting : Waiting) : SearchM Bool := do
  charge
  let isPremise ← match target with
    | .forallE _ d _ _ => isProp d
    | _ => pure true
  let name ← freshName (if isPremise then "k" else "y")
  attempt do
    let (_, body) ← p.goal.intro name
    modify fun s => { s with proofs := s.proofs.insert p.goal (.function (nameText name) body) }
    solve ({ p with goal := body } :: rest) waiting

/-- Equations are solved by unification. -/
partial def byEquality (p : Pending) (target : Expr) (rest : List Pending) (waiting : Waiting) : SearchM Bool := do
  let some (_, a, b) := target.eq? | return false
  charge
  attempt do
    unless ← isDefEq a b do return false
    close p.goal (← mkEqRefl a) (.text "rfl")
    solve rest waiting

/-- A predicate of the preamble that is defined in terms of others. -/
partial def unfolded (p : Pending) (target : Expr) (rest : List Pending) (waiting : Waiting) : SearchM Bool := do
  let .const n _ := target.getAppFn | return false
  unless (← read).definitions.contains n do return false
  let some next ← unfoldDefinition? target | return false
  charge
  attempt do
    let m ← mkFreshExprSyntheticOpaqueMVar (← whnfCore next)
    close p.goal m (.same m.mvarId!)
    solve ({ p with goal := m.mvarId! } :: rest) waiting

end

/-- Is a name written in a text? -/
def isWritten (name text : String) : Bool :=
  ((text.map fun c => if "()[]{}⟨⟩,.:;".toList.contains c then ' ' else c).splitOn " ").contains name

mutual

/-- A proof as a term. Unification finds the values, except those that were guessed. -/
partial def render (proofs : PersistentHashMap MVarId Proof) (m : MVarId) (asArgument : Bool) : String :=
  let within (text : String) := if asArgument then "(" ++ text ++ ")" else text
  match proofs.find? m with
  | none => "_"
  | some (.text text) => text
  | some (.same other) => render proofs other asArgument
  | some (.function name body) =>
    let (names, text) := function proofs name body
    within ("fun " ++ " ".intercalate names ++ " => " ++ text)
  | some (.pair arguments) => "⟨" ++ ", ".intercalate (components proofs arguments) ++ "⟩"
  | some (.apply head arguments) =>
    if arguments.isEmpty then head
    else within (head ++ " " ++ " ".intercalate (arguments.toList.map (render proofs · true)))

/-- Nested pairs are one list. -/
partial def components (proofs : PersistentHashMap MVarId Proof) (arguments : Array MVarId) : List String :=
  let rec last (m : MVarId) : List String :=
    match proofs.find? m with
    | some (.pair arguments) => components proofs arguments
    | some (.same other) => last other
    | _ => [render proofs m false]
  arguments.pop.toList.map (render proofs · false) ++ (arguments.back?.map last).getD []

/-- Nested functions are one function. Names that play no part are left out. -/
partial def function (proofs : PersistentHashMap MVarId Proof) (name : String) (body : MVarId) : List String × String :=
  let (names, text) := match proofs.find? body with
    | some (.function name body) => function proofs name body
    | _ => ([], render proofs body false)
  ((if isWritten name text then name else "_") :: names, text)

end

/-- Limit for one search: unification can run for ever. -/
def searchHeartbeats : Nat := 4000

/-- The text of a term, if one was found, and whether its type is exactly the goal. -/
structure Derived where
  found : Option (String × Bool) := none
  steps : Nat := 0
  /-- the depth that was reached -/
  depth : Nat := 0
  deriving Inhabited

/-- A derivation of the goal, looked for from depth `first` to depth `last`. -/
def derive (context : Context) (g : MVarId) (first last mostSteps : Nat) : MetaM Derived := do
  let saved ← Meta.saveState
  let ref ← ST.mkRef ({ mostSteps } : Search)
  let start ← g.withContext do
    let m ← mkFreshExprSyntheticOpaqueMVar (← instantiateMVars (← g.getType))
    pure m.mvarId!
  let context := { context with outer := (← g.getDecl).lctx.numIndices, start := some start }
  let rec deepen (d fuel : Nat) : MetaM (Bool × Nat) := do
    ref.modify ({ · with isCut := false, isExact := true })
    let found ← boundedMeta searchHeartbeats false ((solve [{ goal := start, depth := d }] []).run context ref)
    match fuel with
    | 0 => return (found, d)
    | fuel + 1 =>
      let s ← ref.get
      if found || s.steps ≥ mostSteps || !s.isCut then return (found, d)
      deepen (d + 1) fuel
  let (found, depth) ← deepen first (last - first)
  let s ← ref.get
  saved.restore
  return { found := if found then some (render s.proofs start false, s.isExact) else none, steps := s.steps, depth }

end Orch.Relational
