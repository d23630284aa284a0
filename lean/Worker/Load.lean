import Worker.Sorries
import Worker.Written

/-! Loads a text: runs its commands in order on top of a session. -/

open Lean Meta Elab

namespace Orch

/-- A theorem as the user wrote it: its declared name and the position of the command. -/
structure Written where
  name : Name
  start : Position
  stop : Position

def Written.json (x : Written) : Json :=
  Json.mkObj [("name", Json.str (nameText x.name)), ("start", positionJson x.start), ("end", positionJson x.stop)]

/-- The result of running a text: the state, the info trees and the theorems of its commands. -/
structure Loaded where
  state : Command.State
  trees : Array (PersistentArray InfoTree) := #[]
  theorems : Array Written := #[]
  examples : Nat := 0
  /-- the declarations that a judged text writes -/
  commands : Array Accounted := #[]
  /-- why the rest of the text was not run -/
  stopped : Option Answer := none

/-- The `declId`s of the theorems in a command (a `mutual` block has several). -/
partial def theoremIds (fuel : Nat) (stx : Syntax) : Array Syntax :=
  if stx.getKind == ``Parser.Command.theorem || stx.getKind == `lemma then (findKind 2 ``Parser.Command.declId stx).toArray
  else if fuel == 0 then #[]
  else stx.getArgs.flatMap (theoremIds (fuel - 1))

def writtenTheorems (map : FileMap) (st : Command.State) (stx : Syntax) : Array Written :=
  (theoremIds 3 stx).map fun id =>
    { name := currentNamespace st ++ (id.getArg 0).getId
      start := map.toPosition ((stx.getPos?).getD 0), stop := map.toPosition ((stx.getTailPos?).getD 0) }

/-- Lean discards an `example` after checking it. In a judged file each becomes a definition, so that it gets a verdict. -/
partial def keepExamples (stx : Syntax) (count : Nat) : Syntax × Nat :=
  match stx with
  | .node info kind args =>
    let (args, count) := args.foldl (init := (#[], count)) fun (args, count) arg =>
      let (arg, count) := keepExamples arg count
      (args.push arg, count)
    if kind == ``Parser.Command.example then
      let id := mkIdentFrom args[0]! (.str .anonymous s!"example {count + 1}")
      let declId := mkNode ``Parser.Command.declId #[id, mkNullNode]
      (.node info ``Parser.Command.definition #[mkAtomFrom args[0]! "def ", declId, args[1]!, args[2]!, mkNullNode], count + 1)
    else (.node info kind args, count)
  | stx => (stx, count)

/-- Expands a command that is a macro. If it expands to several commands, they run one by one. -/
partial def expandCommand (st : Command.State) (input : Parser.InputContext) (stx : Syntax) : IO (Array Syntax × Command.State) := do
  if stx.getKind == nullKind then
    let mut all := #[]
    let mut st := st
    for part in stx.getArgs do
      let (parts, after) ← expandCommand st input part
      all := all ++ parts
      st := after
    return (all, st)
  let ref ← IO.mkRef st
  let ctx : Command.Context := { fileName := "<input>", fileMap := input.fileMap, snap? := none, cancelTk? := none }
  let expand : Command.CommandElabM (Option Syntax) := do
    -- as in Lean, a declaration that a macro adds has the position of the macro
    match (← withRef stx (withFreshMacroScope (liftMacroM (expandMacroImpl? (← getEnv) stx)))) with
    | some (_, .ok expanded) => return some expanded
    | _ => return none
  match (← (expand ctx ref).toBaseIO) with
  | .ok (some expanded) => expandCommand (← ref.get) input expanded
  | _ => return (#[stx], st)

/-- The syntax ` := sorry` after a theorem. -/
def cutProof (env : Environment) : Syntax :=
  match Parser.runParserCategory env `command "theorem x : True := sorry" with
  | .ok stx => (findKind 4 ``Parser.Command.declValSimple stx).getD .missing
  | .error _ => .missing

/-- The theorems of a command without their proofs: `theorem` or `lemma`, name, statement, proof. -/
partial def withoutProofs (cut : Syntax) (stx : Syntax) : Syntax :=
  match stx with
  | .node info kind args =>
    if args.size == 4 && ["theorem", "lemma"].any args[0]!.isToken then .node info kind (args.set! 3 cut)
    else .node info kind (args.map (withoutProofs cut))
  | stx => stx

/-- Run one command and append its messages to the earlier ones. -/
def runPart (w : Worker) (j : Json) (input : Parser.InputContext) (l : Loaded) (part : Syntax) : IO Loaded := do
  let run := if getFlag j "claim" then runClaimed else runCommand
  let (part, examples) := if getFlag j "examples" then keepExamples part l.examples else (part, l.examples)
  let st ← run w input l.state part
  let trees := if st.infoState.enabled then l.trees.push st.infoState.trees else l.trees
  return { l with state := { st with infoState := { enabled := st.infoState.enabled } }, trees, examples }

/-- `#guard_msgs` swallows messages, including errors. So the guarded command runs without it, and the guard only checks the
   messages. An example that fails as the guard's comment says is left to the guard; the second result is then true. -/
def runGuarded (w : Worker) (j : Json) (input : Parser.InputContext) (l : Loaded) (guard : Syntax) : IO (Loaded × Bool) := do
  let said := l.state.messages
  let quiet := { l with state := { l.state with messages := {} } }
  let content ← runCommand w input quiet.state guard
  let (parts, st) ← expandCommand quiet.state input (guarded guard)
  let mut bare := { quiet with state := st }
  for part in parts do bare ← runPart w j input bare (guarded part)
  let isFailing := bare.state.messages.hasErrors
  let isContent := !content.messages.hasErrors
  if isFailing && isContent && namesWhatItExpects guard && (occurrencesIn guard).all (·.word == "example") then
    let state := { content with messages := said ++ content.messages, infoState := { enabled := content.infoState.enabled } }
    return ({ l with state }, true)
  let messages := if isFailing && isContent then bare.state.messages else content.messages
  return ({ bare with state := { bare.state with messages := said ++ messages } }, false)

/-- Run a command of a judged text and record what it declares. -/
def runAccounted (w : Worker) (j : Json) (input : Parser.InputContext) (l : Loaded) (written stx : Syntax) : IO Loaded := do
  let words := occurrencesIn written
  let (parts, st) ← expandCommand l.state input stx
  let mut l := { l with state := st }
  let mut expected := #[]
  let mut free : Mentioned := {}
  for part in parts do
    free := free.join (mentionedIn l.state part)
    if isGuard part then
      let (after, isExpected) ← runGuarded w j input l part
      l := after
      if isExpected then expected := expected ++ (occurrencesIn part).map (·.place)
    else l ← runPart w j input l part
  let command : Accounted := {
    start := (written.getPos?).getD 0, stop := (written.getTailPos?).getD 0, words, expected, free
    taken := (takenIn written parts words).map (·.place), unread := unreadIn written }
  return { l with commands := l.commands.push command }

/-- Run every command of a text. -/
partial def runCommands (w : Worker) (j : Json) (input : Parser.InputContext) (parser : Parser.ModuleParserState)
    (l : Loaded) : IO Loaded := do
  let (stx, parser, messages) := Parser.parseCommand input (parserContext l.state) parser l.state.messages
  let l := { l with state := { l.state with messages } }
  if Parser.isTerminalCommand stx then
    if stx.getKind == ``Parser.Command.eoi then return l
    let place := input.fileMap.toPosition ((stx.getPos?).getD 0)
    return { l with stopped := some (.failed "unread" s!"Lean reads nothing after line {place.line}: the text is not judged as a whole" []) }
  let l := { l with theorems := l.theorems ++ writtenTheorems input.fileMap l.state stx }
  -- a caller that asks for statements only needs a process that has run no code of the text; code of its imports is allowed
  let isCut := getFlag j "cut"
  let j := if isCut then j.setObjVal! "code" (.bool false) else j
  let written := stx
  let stx := if isCut then withoutProofs (cutProof l.state.env) stx else stx
  if let some why := refuseCode w l.state j stx then return { l with stopped := some why }
  let before := l.state.env
  let l ← if getFlag j "account" then runAccounted w j input l written stx else runPart w j input l stx
  if let some why := refuseMeta before l.state.env j then return { l with stopped := some why }
  if (← w.cancel.isSet) then return l
  runCommands w j input parser l

/-- A header may only import modules that are available. -/
def missingImports (session : Command.State) (header : TSyntax ``Parser.Module.header) : Option Answer :=
  let imports := (Elab.headerToImports header).toList.map (·.module)
  let missing := imports.filter fun module => (session.env.getModuleIdx? module).isNone
  if missing.isEmpty then none
  else some (.failed "missing-import" "this worker was made without a module that the text imports" [("missing", namesJson missing)])

/-- A text loaded on top of this one cannot end its sections. -/
def atRoot (st : Command.State) : Command.State :=
  match st.scopes with
  | scope :: _ => { st with scopes := [{ scope with header := "" }] }
  | [] => st

/-- Load a text on top of a session. Its header, if any, may only import modules that are available. -/
def opLoad (w : Worker) (j : Json) : IO Answer := do
  let some session ← getSession w j | return noSession
  let wantsSorries := getFlag j "sorries"
  let input := inputContext (getText j "text" "")
  let (header, parser, messages) ← Parser.parseHeader input
  if let some why := missingImports session header then return why
  if (findKind 3 ``Parser.Module.prelude header.raw).isSome then
    return .failed "missing-import" "a text with `prelude` has no imports, but this worker has a library loaded" []
  let st := prepared session (heartbeatsOf j) wantsSorries
  -- code that its imports registered does not count as the text's own
  let w := if getFlag j "cut" then { w with registered := registeredCode session.env } else w
  let loaded ← runCommands w j input parser { state := { st with messages } }
  let said ← collectMessages loaded.state.messages
  -- a text that was stopped half-way does not count as loaded
  if (← w.cancel.isSet) then return failedWith "timeout" said
  if let some why := loaded.stopped then return why
  if said.errors > 0 && !(getFlag j "keep_going") then return failedWith "elaboration" said
  let id ← addSession w (if getFlag j "root" then atRoot loaded.state else loaded.state)
  let fields : Fields := [("session", num id), ("errors", num said.errors),
    ("theorems", Json.arr (loaded.theorems.map Written.json))] ++ accountJson input.fileMap loaded.state.env loaded.commands
  if !wantsSorries then return .done (messagesField said ++ fields)
  let holes ← (sorriesOf loaded.trees).mapM (holeJson w j loaded.state id)
  return .done (("sorries", Json.arr holes) :: messagesField said ++ fields)

end Orch
