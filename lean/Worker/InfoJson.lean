import Worker.Answers

/-! Info trees as JSON, with the fields of leanprover-community/repl. -/

open Lean Meta Elab

namespace Orch.Conversation

def textsJson (texts : List String) : Json := Json.arr (texts.map Json.str).toArray

/-- Is this written in the text itself? Output of macros is synthetic. -/
def isWritten (stx : Syntax) : Bool := stx.getHeadInfo matches .original ..

/-- The name of a node's kind, and its syntax where it has one. -/
def kindOf : Info → String × Option Syntax
  | .ofTacticInfo i => ("TacticInfo", some i.stx)
  | .ofTermInfo i => ("TermInfo", some i.stx)
  | .ofPartialTermInfo i => ("PartialTermInfo", some i.stx)
  | .ofCommandInfo i => ("CommandInfo", some i.stx)
  | .ofMacroExpansionInfo i => ("MacroExpansionInfo", some i.stx)
  | .ofOptionInfo i => ("OptionInfo", some i.stx)
  | .ofErrorNameInfo i => ("ErrorNameInfo", some i.stx)
  | .ofFieldInfo i => ("FieldInfo", some i.stx)
  | .ofCompletionInfo i => ("CompletionInfo", some i.stx)
  | .ofUserWidgetInfo i => ("UserWidgetInfo", some i.stx)
  | .ofCustomInfo i => ("CustomInfo", some i.stx)
  | .ofFVarAliasInfo _ => ("FVarAliasInfo", none)
  | .ofFieldRedeclInfo i => ("FieldRedeclInfo", some i.stx)
  | .ofDelabTermInfo i => ("DelabTermInfo", some i.stx)
  | .ofChoiceInfo i => ("ChoiceInfo", some i.stx)
  | .ofDocInfo i => ("DocInfo", some i.stx)
  | .ofDocElabInfo i => ("DocElabInfo", some i.stx)

def isOriginal (info : Info) : Bool := (kindOf info).2.all isWritten

/-- Syntax that only groups tactics. -/
def structural : List Name := [
  nullKind, ``cdot, ``cdotTk, ``Parser.Term.byTactic, ``Parser.Tactic.tacticSeq, ``Parser.Tactic.tacticSeq1Indented,
  ``Parser.Tactic.«tactic_<;>_», ``Parser.Tactic.paren]

def isSubstantive (i : TacticInfo) : Bool :=
  match i.stx with
  | .node _ kind _ => !structural.contains kind
  | _ => false

/-- The selected nodes. Nodes below an omitted one move up. -/
partial def retain (isWanted : Info → Bool) : InfoTree → List InfoTree
  | .context ctx t => (retain isWanted t).map (.context ctx)
  | .hole _ => []
  | .node info children =>
    let below := children.toList.flatMap (retain isWanted)
    if isWanted info then [.node info below.toPArray'] else below

def positionFields (p : Position) : Json := Json.mkObj [("line", num p.line), ("column", num p.column)]

def syntaxJson (ctx : ContextInfo) (stx : Syntax) (printed : Json) : Json :=
  let start := (stx.getPos?).getD 0
  let finish := (stx.getTailPos?).getD start
  Json.mkObj [
    ("pp", printed), ("kind", Json.str stx.getKind.toString),
    ("argKinds", textsJson (stx.getArgs.toList.map (·.getKind.toString))),
    ("range", Json.mkObj [
      ("synthetic", .bool !(isWritten stx)), ("start", positionFields (ctx.fileMap.toPosition start)),
      ("finish", positionFields (ctx.fileMap.toPosition finish))])]

def unprintable : String := "failed to pretty print term (use 'set_option pp.rawOnError true' for raw representation)"

def termSyntaxJson (ctx : ContextInfo) (lctx : LocalContext) (stx : Syntax) : IO Json := do
  let text := (← ctx.ppSyntax lctx stx).pretty
  return syntaxJson ctx stx (if text == unprintable then .null else .str text)

def ppTacticIn (ctx : ContextInfo) (stx : Syntax) : IO String :=
  ctx.runMetaM {} do
    try return (← PrettyPrinter.ppTactic ⟨stx⟩).pretty
    catch _ => return "<failed to pretty print>"

def ppIn (ctx : ContextInfo) (lctx : LocalContext) (e : Expr) : IO Json :=
  ctx.runMetaM lctx do return .str (← ppExpr (← instantiateMVars e)).pretty

def goalsIn (ctx : ContextInfo) (mctx : MetavarContext) (goals : List MVarId) : IO Json :=
  { ctx with mctx }.runMetaM {} do
    return textsJson (← goals.mapM fun g => return (← ppGoal g).pretty)

def elaboratorJson (elaborator : Name) : Json :=
  if elaborator.isAnonymous then .null else .str elaborator.toString

def nodeJson (ctx : ContextInfo) : Info → IO Json
  | .ofCommandInfo i =>
    return Json.mkObj [("elaborator", elaboratorJson i.elaborator), ("stx", ← termSyntaxJson ctx {} i.stx)]
  | .ofTermInfo i => do
    let expected ← match i.expectedType? with
      | some type => pure [("expectedType", ← ppIn ctx i.lctx type)]
      | none => pure []
    return Json.mkObj (expected ++ [
      ("elaborator", elaboratorJson i.elaborator), ("stx", ← termSyntaxJson ctx i.lctx i.stx),
      ("expr", ← ppIn ctx i.lctx i.expr), ("isBinder", .bool i.isBinder)])
  | .ofTacticInfo i => do
    let name := match i.stx with | .node _ kind _ => Json.str kind.toString | _ => .null
    return Json.mkObj [
      ("name", name), ("stx", syntaxJson ctx i.stx (.str (← ppTacticIn ctx i.stx))),
      ("goalsBefore", ← goalsIn ctx i.mctxBefore i.goalsBefore), ("goalsAfter", ← goalsIn ctx i.mctxAfter i.goalsAfter)]
  | _ => return .null

/-- A tree without a context cannot be printed: it is left out. -/
partial def treeJson (ctx : Option ContextInfo) : InfoTree → IO (Array Json)
  | .context part t => treeJson (part.mergeIntoOuter? ctx) t
  | .hole g => do
    let some ctx := ctx | return #[]
    let goal ← ctx.runMetaM {} do
      try return (← ppGoal g).pretty catch _ => return ""
    return #[Json.mkObj [("goalState", .str goal)]]
  | .node info children => do
    let some ctx := ctx | return #[]
    let below ← children.toArray.flatMapM (treeJson (some ctx))
    return #[Json.mkObj [("kind", .str (kindOf info).1), ("node", ← nodeJson ctx info), ("children", Json.arr below)]]

/-- The selected part of a text's trees: `full`, `tactics`, `original` or `substantive`. -/
def forestJson (wanted : String) (trees : List InfoTree) : IO (Option Json) := do
  let isTactic : Info → Bool := fun info => info matches .ofTacticInfo _
  let kept := match wanted with
    | "full" => trees
    | "tactics" => trees.flatMap (retain isTactic)
    | "original" => trees.flatMap (retain fun info => isTactic info && isOriginal info)
    | "substantive" => trees.flatMap (retain fun | .ofTacticInfo i => isSubstantive i | _ => false)
    | _ => []
  if kept.isEmpty then return none
  return some (Json.arr (← kept.toArray.flatMapM (treeJson none)))

end Orch.Conversation
