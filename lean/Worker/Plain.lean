import Worker.Answers

/-! Which texts can run code of their own while they are elaborated? Decided from the parsed syntax and from what the
environment has registered, never from words in the text. A node that a parser category lists (a command, a term, a tactic, an
attribute) has an elaborator of its own and must be on the list below; every other node is a part of such a one. Syntax
that a plain text declares itself (notation, macros by quotation) expands to what was looked at when it was declared. -/

open Lean

namespace Orch

def kindsIn (root : Name) (parts : String) : List Name := (parts.splitOn " ").map (Name.str root)

def plainCommands : List Name :=
  kindsIn `Lean.Parser.Command
    "declaration deriving attribute open namespace section end variable universe set_option in mutual include omit export \
     moduleDoc addDocString check check_failure print printAxioms printEqns printSig synth classAbbrev grindPattern notation \
     mixfix syntax syntaxAbbrev syntaxCat macro macro_rules where version eoi exit import" ++
  kindsIn `Lean "reduceCmd guardMsgsCmd" ++ kindsIn `Lean.Parser "commandSeal__ commandUnseal__"

def quotations : List Name :=
  kindsIn `Lean.Parser.Term "quot dynamicQuot precheckedQuot" ++ kindsIn `Lean.Parser.Tactic "quot quotSeq" ++
  [`Lean.Parser.Command.quot, `Lean.Parser.Tactic.Conv.conv.quot]

def plainTerms : List Name :=
  kindsIn `Lean.Parser.Term
    "anonymousCtor app arrow assert binop binop_lazy binrel binrel_no_prop borrowed byTactic cdot char clear completion \
     dbgTrace debugAssert depArrow do dotIdent doubleQuotedName ensureExpectedType ensureTypeOf explicit explicitUniv \
     forInMacro forInMacro' forall fun have haveI hole ident inaccessible leftact let letI let_delayed let_fun let_tmp letrec \
     liftMethod match namedPattern noErrorIfUnused noImplicitLambda nofun noindex nomatch num omission open panic paren \
     pipeCompletion pipeProj privateDecl proj prop quotedName rightact scientific set_option show showTermElabImpl sorry sort \
     stateRefT str structInst subst suffices syntheticHole termFor termReturn termTry termUnless tuple type typeAscription \
     typeOf unop unreachable valueOf waitIfContainsMVar waitIfTypeContainsMVar waitIfTypeMVar defaultOrOfNonempty" ++
  kindsIn `Lean.Parser.Term
    "doAssert doBreak doContinue doDbgTrace doDebugAssert doExpr doFor doHave doIf doLet doLetArrow doLetElse doLetRec doMatch \
     doNested doReassign doReassignArrow doReturn doTry doUnless" ++
  kindsIn `Lean "calc modCast doElemRepeat_ doElemRepeat__Until_ doElemWhile_Do_ doElemWhile_:_Do_" ++
  kindsIn `Lean.Parser.Tactic "showTermElab by?" ++
  kindsIn .anonymous "boolIfThenElse coeFunNotation coeNotation coeSortNotation rawNatLit" ++
  kindsIn `Lean.Parser.Level "paren max imax hole num ident addLit" ++ quotations

def plainTactics : List Name :=
  kindsIn `Lean.Parser.Tactic
    "acNf0 acRfl allGoals anyGoals apply apply? applyAssumption applyRfl applyRules as_aux_lemma assumption attemptAll case case' \
     cases change changeWith classical clear clearValue congr constructor contradiction cutsat dbgTrace decide delta done dsimp \
     dsimpAutoUnfold dsimpTrace eqRefl exact exact? exposeNames extractLets fail failIfSuccess falseOrByContra first focus \
     funCases funInduction generalize grind grindTrace grobner guardExpr guardHyp guardTarget induction injection injections \
     intro introMatch intros left letToHave letrec lia liftLets match normCast0 obtain omega open paren pushCast rcases refine \
     refine' rename renameI repeat' repeat1' replace revert rewriteSeq rewrites? right rintro rotateLeft rotateRight rwSeq \
     set_option show showTerm simp simpAll simpAllArith simpAllArithBang simpAllAutoUnfold simpAllTrace simpArith \
     simpArithBang simpAutoUnfold simpTrace simpa skip sleep solveByElim specialize split subst substEqs substVars suggestions \
     symm symmSaturate tacDepIfThenElse tacIfThenElse tacticAc_nf_ tacticAdmit tacticAnd_intros tacticApply_mod_cast_ \
     tacticAssumption_mod_cast_ tacticBv_omega tacticDsimp?!_ tacticErw___ tacticExact_mod_cast_ tacticExfalso tacticHave' \
     tacticHaveI__ tacticHave__ tacticInfer_instance tacticIterate____ tacticLet'__ tacticLetI__ tacticLet__ tacticNofun \
     tacticNorm_cast__ tacticRefine_lift'_ tacticRefine_lift_ tacticRepeat_ tacticRfl tacticRfl' tacticRw_mod_cast___ \
     tacticRwa__ tacticSimp?!_ tacticSimp_all?!_ tacticSimpa!_ tacticSimpa?!_ tacticSimpa?_ tacticSorry tacticStop_ \
     tacticSuffices_ tacticTrivial tacticTry_ tacticUnhygienic_ traceMessage traceState tryTrace unfold withReducible \
     withReducibleAndInstances withUnfoldingAll tacticNext_=>_ tactic_<;>_ nestedTactic" ++
  kindsIn `Lean "calcTactic cdot solveTactic convCalc_" ++
  kindsIn `Lean.Elab.Tactic.Ext "applyExtTheorem ext tacticExt1___" ++
  kindsIn `Array "tacticArray_get_dec tacticArray_mem_dec" ++ kindsIn `List "tacticSizeOf_list_dec" ++
  kindsIn `Lean.Parser.Tactic "guardExprConv guardHypConv guardTargetConv"

def plainAttributes : List Name :=
  kindsIn `Lean.Parser.Attr
    "class default_instance ext grind grind! grind!? grind? instance norm_cast recursor simp simple spec specialize" ++
  [`Lean.Attr.coe, `Lean.deprecated]

/-- Attributes that are written as a mere name. None of them registers code. -/
def plainAttributeNames : List Name :=
  kindsIn .anonymous
    "simp ext reducible irreducible semireducible instance_reducible inline noinline always_inline macro_inline \
     inline_if_reduce specialize nospecialize expose no_expose instance class match_pattern coe symm refl trans congr \
     deprecated elab_as_elim elab_without_expected_type induction_eliminator cases_eliminator recursor spec unbox grind \
     norm_cast never_extract pp_nodot pp_using_anonymous_constructor default_instance simp_arith rfl implicit_reducible"

/-- Categories whose members are never elaborated by themselves: patterns, precedences, binders, levels. -/
def harmlessCategories : List Name :=
  [`prio, `prec, `stx, `rcasesPat, `rintroPat, `binderPred, `level, `structInstFieldDecl, `grind_ref, `grind_filter]

def isPrefixedNotation (k : Name) : Bool :=
  match k with
  | .str .anonymous s => s.startsWith "term" || s.startsWith "tactic"
  | .str `Lean s => s.startsWith "term∀" || s.startsWith "term∃"
  | .str `Lean.Parser.Tactic s => s.startsWith "tacticExists_" || s.startsWith "tacticNomatch_"
  | .str p s => s.startsWith "term" && [`Array, `BitVec, `Bool, `List, `Std, `Vector].contains p.getRoot
  | _ => false

/-- What to look at in a node before it counts as plain. -/
inductive Look where
  /-- it is not plain, whatever it holds -/
  | code
  | macroBody
  | attributeName
  | switch
  | optionValue
  | configuration
  | optionName

/-- Every kind that needs a look: those of the library that are not known to be plain, and a few that can be either. -/
def kindsToLookAt (library : Environment) : Std.HashMap Name Look := Id.run do
  let plain : Std.HashSet Name := .ofList (plainCommands ++ plainTerms ++ plainTactics ++ plainAttributes)
  let mut all : Std.HashMap Name Look := {}
  for (category, members) in (Parser.parserExtension.getState library).categories do
    if harmlessCategories.contains category || category == `conv || category == `grind then continue
    for (kind, _) in members.kinds do
      if !plain.contains kind && !isPrefixedNotation kind then all := all.insert kind .code
  return all.insertMany [
    (`Lean.Parser.Command.macro, Look.macroBody), (`Lean.Parser.Command.macro_rules, .macroBody),
    (`Lean.Parser.Attr.simple, .attributeName), (`Lean.Parser.Tactic.posConfigItem, .switch),
    (`Lean.Parser.Tactic.valConfigItem, .optionValue), (`Lean.Parser.Tactic.config, .configuration),
    (`Lean.Parser.Command.set_option, .optionName), (`Lean.Parser.Term.set_option, .optionName),
    (`Lean.Parser.Tactic.set_option, .optionName)]

/-- The kernel runs compiled code for these; nothing else in a plain text makes Lean run what the text defines. -/
def isCompilerName (n : Name) : Bool :=
  match n.eraseMacroScopes with
  | .str _ s => ["reduceBool", "reduceNat", "ofReduceBool", "ofReduceNat", "trustCompiler"].contains s
  | _ => false

/-- The options of a tactic are evaluated as compiled code: only literals are plain. -/
partial def isLiteral (stx : Syntax) : Bool :=
  match stx with
  | .atom .. | .missing => true
  | .ident _ _ n _ => [`true, `false, `none].contains n.eraseMacroScopes
  | .node _ kind args =>
    (kind == nullKind || [`num, `hygieneInfo, `Lean.Parser.Term.paren, `Lean.Parser.Term.dotIdent].contains kind) && args.all isLiteral

/-- `(config := { a := 1, b := true })`: names of fields, and literals. -/
partial def isLiteralStructure (stx : Syntax) : Bool :=
  match stx with
  | .ident .. => true
  | .node _ kind args =>
    if kind == `Lean.Parser.Term.structInstFieldDef then args.all isLiteral
    else (kind == nullKind || kind == `Lean.Parser.Term.structInst || kind == `Lean.Parser.Term.structInstFields ||
      kind == `Lean.Parser.Term.structInstField || kind == `Lean.Parser.Term.structInstLVal || kind == `Lean.Parser.Term.optEllipsis ||
      kind == `hygieneInfo) && args.all isLiteralStructure
  | _ => true

/-- The right-hand sides of a macro. -/
def macroBodies (stx : Syntax) : Array Syntax :=
  if stx.getKind == `Lean.Parser.Command.macro then #[(stx.getArgs.back?.getD .missing).getArgs.back?.getD .missing]
  else
    let alternatives := ((stx.getArgs.back?.getD .missing).getArg 0).getArgs
    alternatives.map fun alternative => alternative.getArgs.back?.getD .missing

/-- `decide +native` runs what the text defines. -/
partial def namesNative (stx : Syntax) : Bool :=
  match stx with
  | .ident _ _ n _ => n.eraseMacroScopes == `native
  | stx => stx.getArgs.any namesNative

def canRunCode (look : Look) (stx : Syntax) : Bool :=
  match look with
  | .code => true
  | .macroBody => (macroBodies stx).any fun body => !quotations.contains body.getKind
  | .attributeName => !plainAttributeNames.contains stx[0].getId.eraseMacroScopes
  | .switch => namesNative stx
  | .optionValue => namesNative stx || !isLiteral stx[3]
  | .configuration => namesNative stx || !isLiteralStructure stx[3]
  -- documentation in Verso's form is elaborated, with the Lean code in it
  | .optionName => stx[1].getId.getRoot == `doc

/-- The first part of a syntax tree that can run code, by its kind. -/
partial def firstCode (kinds : Std.HashMap Name Look) (stx : Syntax) : Option Name :=
  match stx with
  | .ident _ _ n _ => if isCompilerName n then some n else none
  | .node _ kind args =>
    let isCode := match kinds[kind]? with
      | some look => canRunCode look stx
      | none => stx.isAntiquot && !stx.getAntiquotTerm.isIdent
    if isCode then some kind else args.findSome? (firstCode kinds)
  | _ => none

/-- How much code an environment has registered for Lean to run. Plain texts never add to it. -/
def registeredCode (env : Environment) : Nat :=
  let count {γ : Type} (a : KeyedDeclsAttribute γ) : Nat := (a.ext.getState env).newEntries.length
  count Elab.Term.termElabAttribute + count Elab.Command.commandElabAttribute + count Elab.Tactic.tacticElabAttribute

end Orch
