import Worker.Load

/-! Reads a file declaration by declaration, each on top of the complete ones before it. A declaration that Lean cannot parse or
   elaborate is reported with Lean's messages and skipped. Every `sorry` comes with its goal and, if possible, with the goal as
   a separate theorem: printed, elaborated again and equal to the goal in canonical form. -/

open Lean Meta Elab

namespace Orch

/-- One command of a text, or a range that is not a command. Positions are bytes. -/
structure Piece where
  stx : Syntax
  start : String.Pos.Raw
  stop : String.Pos.Raw
  before : Command.State
  trees : PersistentArray InfoTree := {}
  messages : MessageLog := {}
  /-- Lean could not parse it, so it ends where the next command begins -/
  unparsed : Bool := false
  /-- names that it binds by Lean's rule for files and that are errors in a claim -/
  loose : List Name := []

partial def hasMissing (stx : Syntax) : Bool :=
  match stx with
  | .missing => true
  | stx => stx.getArgs.any hasMissing

def Piece.broken (p : Piece) : Bool := p.unparsed || p.messages.hasErrors

/-- A piece that Lean could not parse extends to the next one. -/
def closePiece (stop : String.Pos.Raw) (xs : List Piece) : List Piece :=
  match xs with
  | [] => []
  | x :: r => if x.unparsed then { x with stop } :: r else xs

/-- The names that a command of a file bound and a claim may not bind. A claim made from such a file has to allow them. -/
def looselyBound (st : Command.State) (after : Environment) (stx : Syntax) : List Name :=
  if st.scopes.head?.any fun scope => (relaxedAutoImplicit.get? scope.opts).isSome then [] else
  let mentioned := mentionedIn st stx
  let isLoose (n : Name) : Bool := !(isLowerWord n || (isShort n && mayBindItself n))
  if mentioned.all.all (!isLoose ·) then [] else
  (addedTo st.env after).toList.flatMap fun info =>
    if standsInText after info.name then (mentioned.boundIn info).filter isLoose else []

/-- Every command of a text, last first. Broken commands do not affect the following ones. -/
partial def readPieces (w : Worker) (j : Json) (input : Parser.InputContext) (parser : Parser.ModuleParserState)
    (st : Command.State) (acc : List Piece) : ExceptT Answer IO (List Piece) := do
  let (stx, after, parsed) := Parser.parseCommand input (parserContext st) parser {}
  let isEnd := Parser.isTerminalCommand stx
  let start := if isEnd then after.pos else (stx.getPos?).getD after.pos
  let said := parsed
  let acc := closePiece start acc
  let isPartial := !isEnd && hasMissing stx
  -- words before the command that are not a command
  let acc := if parsed.hasErrors && !isPartial then
      { stx := .missing, start := parser.pos, stop := start, before := st, messages := said, unparsed := true } :: acc
    else acc
  let acc := if isEnd then acc else closePiece start acc
  if isEnd then return acc
  if isPartial then
    let piece : Piece := { stx, start, stop := after.pos, before := st, messages := said, unparsed := true }
    if (← w.cancel.isSet) then return piece :: acc
    readPieces w j input after st (piece :: acc)
  else
    if let some why := refuseCode w st j stx then throw why
    let next ← runCommand w input { st with messages := {} } stx
    if let some why := refuseMeta st.env next.env j then throw why
    let piece : Piece := {
      stx, start, stop := (stx.getTailPos?).getD after.pos, before := st
      trees := next.infoState.trees, messages := next.messages, loose := looselyBound st next.env stx }
    if (← w.cancel.isSet) then return piece :: acc
    let st := if piece.broken then st else { next with messages := {}, infoState := { enabled := true } }
    readPieces w j input after st (piece :: acc)

/-! ### A goal as a theorem -/

partial def freshName (base : Name) (used : List Name) (k : Nat) : Name :=
  let n := base.appendAfter ("_" ++ Nat.repr k)
  if used.contains n then freshName base used (k + 1) else n

/-- Hypotheses that cannot be named get a name. If several share a name, the innermost keeps it. -/
partial def settleNames (xs : List FVarId) (used : List Name) (lctx : LocalContext) : LocalContext :=
  match xs with
  | [] => lctx
  | x :: r =>
    match lctx.find? x with
    | none => settleNames r used lctx
    | some d =>
      if d.isImplementationDetail then settleNames r used lctx else
      let plain := d.userName.eraseMacroScopes
      if d.userName.hasMacroScopes || plain.isAnonymous || used.contains plain then
        let n := freshName (if plain.isAnonymous then `h else plain) used 1
        settleNames r (n :: used) (lctx.setUserName x n)
      else settleNames r (plain :: used) lctx

partial def namedHypotheses (lctx : LocalContext) (xs : List FVarId) (acc : List FVarId) : List FVarId :=
  match xs with
  | [] => acc.reverse
  | x :: r =>
    match lctx.find? x with
    | some d => namedHypotheses lctx r (if d.isImplementationDetail then acc else x :: acc)
    | none => namedHypotheses lctx r acc

partial def anyLet (lctx : LocalContext) (xs : List FVarId) : Bool :=
  match xs with
  | [] => false
  | x :: r => (match lctx.find? x with | some d => d.isLet | none => false) || anyLet lctx r

partial def toExprs (xs : List FVarId) (acc : Array Expr) : Array Expr :=
  match xs with | [] => acc | x :: r => toExprs r (acc.push (mkFVar x))

def pretty (e : Expr) : MetaM String := do
  let format ← Meta.ppExpr e
  return (Std.Format.nest 4 format).pretty 100

partial def binderTexts (lctx : LocalContext) (xs : List FVarId) (acc : String) : MetaM String := do
  match xs with
  | [] => return acc
  | x :: r =>
    match lctx.find? x with
    | none => binderTexts lctx r acc
    | some d =>
      let type ← instantiateMVars d.type
      let name ← pretty (mkFVar x)
      binderTexts lctx r (acc ++ " (" ++ name ++ " : " ++ (← pretty type) ++ ")")

partial def universeTexts (ns known : List Name) (acc : String) : String :=
  match ns with
  | [] => acc
  | n :: r =>
    if known.contains n then universeTexts r known acc
    else universeTexts r known (if acc.isEmpty then nameText n else acc ++ ", " ++ nameText n)

/-- A goal as text with its canonical form, or why it cannot be a separate theorem. -/
inductive Restated where
  | text (statement : String) (canonical : String)
  | noProposition
  | reason (why : String)

def restateIn (lctx : LocalContext) (target : Expr) (name : String) (universes : List Name) : MetaM Restated := do
  let named := namedHypotheses lctx lctx.getFVarIds.toList []
  let sort ← inferType target
  let sort ← whnf sort
  let sort ← instantiateMVars sort
  if !sort.isProp then return .noProposition
  if anyLet lctx named then return .reason "it is below a `let`"
  let closed ← mkForallFVars (toExprs named #[]) target
  let closed ← instantiateMVars closed
  if closed.hasExprMVar then return .reason "its goal depends on another hole of the declaration"
  if closed.hasFVar then return .reason "its goal mentions the declaration that contains it"
  if closed.hasSorry then return .reason "its goal mentions another sorry"
  if closed.hasLevelMVar then return .reason "the universes of its goal are not settled"
  let parameters := (collectLevelParams {} closed).params.toList
  let universeText := universeTexts parameters universes ""
  let universeText := if universeText.isEmpty then "" else ".{" ++ universeText ++ "}"
  let binders ← binderTexts lctx named ""
  let shown ← pretty target
  return .text ("theorem " ++ name ++ universeText ++ binders ++ " : " ++ shown) (canonical closed)

def restate (g : MVarId) (name : String) (universes : List Name) : TermElabM Restated := do
  let d ← g.getDecl
  let lctx := settleNames (d.lctx.getFVarIds.toList.reverse) [] d.lctx
  let target ← instantiateMVars d.type
  let inside : MetaM Restated :=
    withReader (fun ctx => { ctx with lctx, localInstances := d.localInstances }) (restateIn lctx target name universes)
  inside

def printingOptions (o : Options) (all : Bool) : Options :=
  let o := o.insert `pp.proofs (.ofBool true)
  let o := o.insert `pp.deepTerms (.ofBool true)
  let o := o.insert `pp.maxSteps (.ofNat 200000)
  let o := o.insert `pp.letVarTypes (.ofBool true)
  let o := o.insert `pp.numericTypes (.ofBool all)
  if all then o.insert `pp.all (.ofBool true) else o

/-- The canonical form of a statement, elaborated in a state. -/
def meaningOf (w : Worker) (st : Command.State) (name : Name) (text : String) : IO (Option String) := do
  let source := text ++ " := sorry"
  match (← parseSingle st source) with
  | .error _ => return none
  | .ok stx =>
    let after ← runCommand w (inputContext source) { st with messages := {}, infoState := { enabled := false } } stx
    if after.messages.hasErrors then return none
    match after.env.find? (fullName st name) with
    | some info => return some (canonical info.type)
    | none => return none

/-! ### Answers -/

def sorryKinds : List Name :=
  [`Lean.Parser.Term.sorry, `Lean.Parser.Tactic.tacticSorry, `Lean.Parser.Tactic.tacticAdmit]

mutual
/-- Every `sorry` in the syntax, elaborated or not. -/
partial def writtenSorries (stx : Syntax) (acc : List Syntax) : List Syntax :=
  if sorryKinds.contains stx.getKind then stx :: acc else writtenSorriesIn stx.getArgs.toList acc

partial def writtenSorriesIn (xs : List Syntax) (acc : List Syntax) : List Syntax :=
  match xs with | [] => acc | x :: r => writtenSorriesIn r (writtenSorries x acc)
end

partial def foundAt (place : Nat) (xs : List Found) : Option Found :=
  match xs with | [] => none | x :: r => if placeOf x == place then some x else foundAt place r

def levelNamesOf (st : Command.State) : List Name :=
  match st.scopes with | scope :: _ => scope.levelNames | [] => []

def spanJson (map : FileMap) (start stop : String.Pos.Raw) : Fields :=
  [("start", positionJson (map.toPosition start)), ("end", positionJson (map.toPosition stop))]

/-- Run an action with the goal of a `sorry`, in the state in which Lean elaborated it. -/
def inFound {α : Type} (ctx : Core.Context) (f : Found) (act : MVarId → TermElabM α) : IO (Except Exception α) := do
  let declaration := f.context.parentDecl?.getD .anonymous
  let r : Running := {
    core := ← IO.mkRef { env := f.context.env.setExporting false, ngen := f.context.ngen, auxDeclNGen := { namePrefix := declaration }, infoState := { enabled := false } }
    meta_ := ← IO.mkRef { mctx := f.mctx }
    term := ← IO.mkRef {} }
  let whole : TermElabM α := do
    match f.goal with
    | .inl g => act g
    | .inr type =>
      let fresh : MetaM Expr := mkFreshExprMVar (some type) .syntheticOpaque .anonymous
      let inContext : MetaM Expr := withReader (fun (ctx : Meta.Context) => { ctx with lctx := f.lctx }) fresh
      act (← inContext).mvarId!
  runTerm ctx r declaration whole

/-- The goal as a theorem that means the same, or why there is none. -/
def statedFields (w : Worker) (p : Piece) (name : String) (ctx : Core.Context) (f : Found) (all : Bool) : IO Fields := do
  let ctx := { ctx with options := printingOptions ctx.options all }
  match (← inFound ctx f (fun g => restate g name (levelNamesOf p.before))) with
  | .error e => return [("reason", Json.str (← e.toMessageData.toString))]
  | .ok .noProposition => return [("proposition", Json.bool false)]
  | .ok (.reason why) => return [("reason", Json.str why)]
  | .ok (.text text wanted) =>
    match (← meaningOf w p.before (.str .anonymous name) text) with
    | none => return []
    | some meaning => return if meaning == wanted then [("statement", Json.str text)] else []

/-- The goal of a `sorry` and, if possible, the goal as a theorem: as printed for people if that reads back, else in full. -/
def goalFields (w : Worker) (j : Json) (p : Piece) (name : String) (f : Found) : IO Fields := do
  let ctx := coreContext w p.before (FileMap.ofString "") (← IO.getNumHeartbeats) (heartbeatsOf j)
  let goals ← match (← inFound ctx f (fun g => goalJson false g)) with
    | .ok goal => pure #[goal]
    | .error _ => pure #[]
  let shown : Fields := [
    ("declaration", Json.str (nameText (f.context.parentDecl?.getD .anonymous))), ("goals", Json.arr goals)]
  let stated ← statedFields w p name ctx f false
  let stated ← if stated.isEmpty then statedFields w p name ctx f true else pure stated
  let stated := if stated.isEmpty then [("reason", Json.str "its goal cannot be written down by itself")] else stated
  return stated ++ shown

partial def sorriesJson (w : Worker) (j : Json) (map : FileMap) (p : Piece) (found : List Found) (xs : List Syntax)
    (acc : Array Json) : IO (Array Json) := do
  match xs with
  | [] => return acc
  | x :: r =>
    let start := (x.getPos?).getD p.start
    let form := if x.getKind == `Lean.Parser.Term.sorry then "term" else "tactic"
    let place := ("form", Json.str form) :: spanJson map start ((x.getTailPos?).getD start)
    let fields ← match foundAt start.byteIdx found with
      | some f => goalFields w j p ("goal_" ++ Nat.repr (acc.size + 1)) f
      | none => pure [("reason", Json.str "Lean never comes to this place")]
    sorriesJson w j map p found r (acc.push (Json.mkObj (place ++ fields)))

mutual
partial def nodesOf (kinds : List Name) (fuel : Nat) (stx : Syntax) (acc : List Syntax) : List Syntax :=
  if kinds.contains stx.getKind then stx :: acc
  else if fuel == 0 then acc
  else nodesOfAll kinds (fuel - 1) stx.getArgs.toList acc

partial def nodesOfAll (kinds : List Name) (fuel : Nat) (xs : List Syntax) (acc : List Syntax) : List Syntax :=
  match xs with | [] => acc | x :: r => nodesOfAll kinds fuel r (nodesOf kinds fuel x acc)
end

def lastPart (n : Name) : String :=
  match n with | .str _ s => s | _ => ""

/-- Where the statement of a theorem ends and its proof begins, when the command is one theorem. -/
def theoremFields (map : FileMap) (stx : Syntax) : Fields :=
  match nodesOf [`Lean.Parser.Command.theorem, `lemma] 6 stx [] with
  | [one] =>
    let signature := nodesOf [`Lean.Parser.Command.declSig] 4 one []
    let values := nodesOf [`Lean.Parser.Command.declValSimple, `Lean.Parser.Command.declValEqns] 4 one []
    match signature, values with
    | [signature], [value] =>
      match signature.getTailPos?, value.getPos? with
      | some stop, some start => [("theorem", Json.mkObj [
          ("signature_end", positionJson (map.toPosition stop)),
          ("value_start", positionJson (map.toPosition start)),
          ("equations", Json.bool (value.getKind == `Lean.Parser.Command.declValEqns))])]
      | _, _ => []
    | _, _ => []
  | _ => []

def nameFields (st : Command.State) (stx : Syntax) : Fields :=
  let name := match nodesOf [`Lean.Parser.Command.declId] 6 stx [] with
    | [id] => nameText (fullName st (id.getArg 0).getId)
    | _ => ""
  let kind := match nodesOf [`Lean.Parser.Command.declaration] 4 stx [] with
    | [declaration] => lastPart (declaration.getArg 1).getKind
    | _ => lastPart stx.getKind
  [("name", Json.str name), ("kind", Json.str kind)]

partial def piecesJson (w : Worker) (j : Json) (map : FileMap) (xs : List Piece) (acc : Array Json) : IO (Array Json) := do
  match xs with
  | [] => return acc
  | p :: r =>
    let written := (writtenSorries p.stx []).reverse
    if !p.broken && written.isEmpty then piecesJson w j map r acc else
    let fields := nameFields p.before p.stx ++ spanJson map p.start p.stop
    let fields ← if p.broken then do
        let said ← collectMessages p.messages
        pure (("parsed", Json.bool (!p.unparsed)) :: messagesField said ++ fields)
      else do
        let found := (sorriesOf #[p.trees]).toList
        let sorries ← sorriesJson w j map p found written #[]
        pure (("sorries", Json.arr sorries) :: theoremFields map p.stx ++ fields)
    piecesJson w j map r (acc.push (Json.mkObj fields))

/-- The unfinished declarations of a text: those with `sorry`s and the broken ones. -/
def opRead (w : Worker) (j : Json) : IO Answer := do
  let some session ← getSession w j | return noSession
  let input := inputContext (getText j "text" "")
  let (header, parser, messages) ← Parser.parseHeader input
  if messages.hasErrors then return (← failedBy "parse" messages)
  if let some why := missingImports session header then return why
  match (← (readPieces w j input parser (prepared session (heartbeatsOf j) true) []).run) with
  | .error why => return why
  | .ok reversed =>
    if (← w.cancel.isSet) then return .failed "timeout" "Lean was stopped before it had read the text" []
    let pieces := reversed.reverse
    let loose := (pieces.flatMap (·.loose)).eraseDups
    let start := (pieces.head?.map (·.start)).getD 0
    return .done [
      ("commands", num pieces.length), ("pieces", Json.arr (← piecesJson w j input.fileMap pieces #[])),
      ("loose", Json.mkObj [("from", positionJson (input.fileMap.toPosition start)), ("names", namesJson loose)])]

end Orch
