import Worker.Changes

/-! Which texts can run their own code while they are elaborated? The parsed syntax and the environment's registered code
   decide, never words in the text. A node that a parser category lists (a command, a term, a tactic, an attribute) has its own
   elaborator and must be on the list below; every other node is part of one of those. Syntax that a plain text declares itself
   (notation, macros by quotation) expands to syntax that was checked at its declaration. -/

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
     typeOf unop unreachable declName withDeclName valueOf waitIfContainsMVar waitIfTypeContainsMVar waitIfTypeMVar defaultOrOfNonempty" ++
  kindsIn `Lean.Parser.Term
    "doAssert doBreak doContinue doDbgTrace doDebugAssert doExpr doFor doHave doIf doLet doLetArrow doLetElse doLetRec doMatch \
     doNested doReassign doReassignArrow doReturn doTry doUnless" ++
  kindsIn `Lean "calc modCast term_Matches_| doElemRepeat_ doElemRepeat__Until_ doElemWhile_Do_ doElemWhile_:_Do_" ++
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
  kindsIn `Lean.Parser.Tactic "guardExprConv guardHypConv guardTargetConv attemptAllPar bvNormalize bvNormalizeMacro" ++
  kindsIn `Lean.Parser.Tactic.Conv "conv convTactic" ++
  -- the tactics of program verification, `mvcgen` and those after it
  kindsIn `Lean.Parser.Tactic
    "massumption massumptionMacro mcases mcasesMacro mclear mclearMacro mconstructor mconstructorMacro mdup mexact mexactMacro \
     mexfalso mexfalsoMacro mexists mexistsMacro mframe mframeMacro mhave mhaveMacro mintro mintroMacro mleave mleaveMacro mleft \
     mleftMacro mpure mpureIntro mpureIntroMacro mpureMacro mrefine mrefineMacro mrenameI mrenameIMacro mreplace mreplaceMacro \
     mrevert mrevertMacro mright mrightMacro mspec mspecMacro mspecNoBind mspecNoSimp mspecialize mspecializeMacro \
     mspecializePure mspecializePureMacro mstart mstartMacro mstop mstopMacro mvcgen mvcgenHint mvcgenMacro \
     tacticMvcgen_trivial tacticMvcgen_trivial_extensible"

def plainAttributes : List Name :=
  kindsIn `Lean.Parser.Attr
    "class default_instance ext grind grind! grind!? grind? instance norm_cast recursor simp simple spec specialize" ++
  [`Lean.Attr.coe, `Lean.deprecated]

/-- Attributes written as a name only. None of them registers code. -/
def plainAttributeNames : List Name :=
  kindsIn .anonymous
    "simp ext reducible irreducible semireducible instance_reducible inline noinline always_inline macro_inline \
     inline_if_reduce specialize nospecialize expose no_expose instance class match_pattern coe symm refl trans congr \
     deprecated inherit_doc elab_as_elim elab_without_expected_type induction_eliminator cases_eliminator recursor spec unbox grind \
     norm_cast never_extract pp_nodot pp_using_anonymous_constructor default_instance simp_arith rfl implicit_reducible"

/-- Categories whose members are never elaborated on their own: patterns, precedences, binders, levels. -/
def harmlessCategories : List Name :=
  [`prio, `prec, `stx, `rcasesPat, `rintroPat, `mcasesPat, `mintroPat, `mrefinePat, `mrevertPat, `binderPred, `level,
   `structInstFieldDecl, `grind_ref, `grind_filter]

def isPrefixedNotation (k : Name) : Bool :=
  match k with
  | .str .anonymous s => s.startsWith "term" || s.startsWith "tactic"
  | .str `Lean s => s.startsWith "term∀" || s.startsWith "term∃"
  | .str `Lean.Parser.Tactic s => s.startsWith "tacticExists_" || s.startsWith "tacticNomatch_"
  | .str p s => s.startsWith "term" && [`Array, `BitVec, `Bool, `List, `Std, `Vector].contains p.getRoot
  | _ => false

/-- Options that set limits, printing and warnings. Others can switch off the kernel, write files or run code in doc comments.
   -/
def isPlainOption (n : Name) : Bool :=
  [`maxRecDepth, `maxHeartbeats, `maxUniverseOffset, `maxSynthPendingDepth, `synthInstance.maxHeartbeats, `synthInstance.maxSize,
   `autoImplicit, `relaxedAutoImplicit, `autoLift, `quotPrecheck, `smartUnfolding, `simprocs, `checkBinderAnnotations,
   `exponentiation.threshold, `tactic.hygienic, `tactic.simp.trace, `tactic.customEliminators, `structureDiamondWarning,
   `inductive.autoPromoteIndices, `genSizeOf, `genSizeOfSpec, `genInjectivity, `match.ignoreUnusedAlts, `warningAsError,
   `warn.sorry, `grind.warning, `diagnostics, `diagnostics.threshold].contains n ||
  ([`pp, `linter, `format, `backward].contains n.getRoot)

/-- What to check in a node before it counts as plain. -/
inductive Look where
  /-- never plain, whatever it contains -/
  | code
  /-- its right-hand sides must be quotations -/
  | macro
  | macroRules
  | attributeName
  | switch
  | optionValue
  | configuration
  | optionName

/-- Every kind that needs a check: library kinds not known to be plain, and a few that can be either. -/
def kindsToLookAt (library : Environment) : Std.HashMap Name Look := Id.run do
  let plain : Std.HashSet Name := .ofList (plainCommands ++ plainTerms ++ plainTactics ++ plainAttributes)
  let mut all : Std.HashMap Name Look := {}
  for (category, members) in (Parser.parserExtension.getState library).categories do
    if harmlessCategories.contains category || category == `conv || category == `grind then continue
    for (kind, _) in members.kinds do
      if !plain.contains kind && !isPrefixedNotation kind then all := all.insert kind .code
  return all.insertMany [
    -- with it a safe definition could be implemented by an unsafe one
    (`Lean.Parser.Command.unsafe, Look.code),
    (`Lean.Parser.Command.macro, .macro), (`Lean.Parser.Command.macro_rules, .macroRules),
    (`Lean.Parser.Attr.simple, .attributeName), (`Lean.Parser.Tactic.posConfigItem, .switch),
    (`Lean.Parser.Tactic.valConfigItem, .optionValue), (`Lean.Parser.Tactic.config, .configuration),
    (`Lean.Parser.Command.set_option, .optionName), (`Lean.Parser.Term.set_option, .optionName),
    (`Lean.Parser.Tactic.set_option, .optionName)]

/-- The kernel runs compiled code for these. -/
def isCompilerName (n : Name) : Bool :=
  match n.eraseMacroScopes with
  | .str _ s => ["reduceBool", "reduceNat", "ofReduceBool", "ofReduceNat", "trustCompiler"].contains s
  | _ => false

/-! Lean evaluates the options of a tactic as compiled code. So only literals are plain, and only with their meaning in Lean's
   library: a text may declare its own `true`, or an instance that gives `5` another meaning. -/

def literalNames : List Name := [`true, `false, `none]

/-- Does the text declare a constant that `true`, `false` or `none` could refer to, in any open namespace? -/
def redefinesLiterals (env : Environment) : Bool :=
  env.constants.foldStage2 (fun found n _ => found || literalNames.any fun literal => literal.isSuffixOf n) false

partial def hasOptionValue (stx : Syntax) : Bool :=
  stx.isOfKind `Lean.Parser.Tactic.valConfigItem || stx.isOfKind `Lean.Parser.Tactic.config || stx.getArgs.any hasOptionValue

/-- Classes by which Lean reads a literal as a value of some type. -/
def literalClasses : List Name :=
  kindsIn .anonymous "OfNat NatCast OfScientific Coe CoeTail CoeHead CoeOut CoeT CoeDep CoeHTCT CoeHTC CoeOTC CoeTC"

/-- An instance of the text that changes the meaning of literals of a library type or of any type. -/
def changesLiterals (before : Environment) (info : ConstantInfo) : Bool :=
  let type := info.type.getForallBody
  let isOwn (e : Expr) : Bool := match e.getAppFn with
    | .const n _ => (before.getModuleIdxFor? n).all fun i =>
        ![`Init, `Std, `Lean].contains ((before.header.moduleNames[i.toNat]?).getD .anonymous).getRoot
    | e => e.isSort
  literalClasses.any type.isAppOf && !type.getAppArgs.any isOwn

partial def isLiteral (stx : Syntax) : Bool :=
  match stx with
  | .atom .. | .missing => true
  | .ident _ _ n _ => literalNames.contains n.eraseMacroScopes
  | .node _ kind args =>
    (kind == nullKind || [`num, `hygieneInfo, `Lean.Parser.Term.paren, `Lean.Parser.Term.dotIdent].contains kind) && args.all isLiteral

/-- `{ a := 1, b := true }`: field names and literals, without a `with`. -/
def isLiteralStructure (stx : Syntax) : Bool :=
  stx.isOfKind `Lean.Parser.Term.structInst && stx[1].getNumArgs == 0 && stx[4].getNumArgs == 0 &&
  stx[2][0].getSepArgs.all fun field =>
    field.isOfKind `Lean.Parser.Term.structInstField && field[1].getNumArgs == 3 &&
    field[1][2].isOfKind `Lean.Parser.Term.structInstFieldDef && field[1][2].getArgs.all isLiteral

/-- `decide +native` runs definitions of the text. A macro could insert `native` too. -/
partial def mayNameNative (stx : Syntax) : Bool :=
  match stx with
  | .ident _ _ n _ => n.eraseMacroScopes == `native
  | stx => stx.isAntiquot || stx.getArgs.any mayNameNative

/-- The right-hand side of a macro must be a quotation: then nothing is computed. -/
def isQuotation (stx : Syntax) : Bool :=
  quotations.contains stx.getKind || (stx.isOfKind choiceKind && stx.getArgs.all fun s => quotations.contains s.getKind)

/-- The parameter names of a macro: `x` in `x:term`. -/
def macroArguments (stx : Syntax) : List Name :=
  stx.getArgs.toList.flatMap fun part =>
    part.getArgs.toList.filterMap fun argument =>
      if argument.isOfKind `Lean.Parser.Command.macroArg && argument[0][0].isIdent then some argument[0][0].getId else none

/-- The names that a pattern binds: `x` in `$x`. -/
partial def patternNames (stx : Syntax) : List Name :=
  if stx.isAntiquot then (if stx.getAntiquotTerm.isIdent then [stx.getAntiquotTerm.getId] else [])
  else stx.getArgs.toList.flatMap patternNames

/-- The types of the constants that notations and macros add. -/
def notationTypes : List Name :=
  [`Lean.ParserDescr, `Lean.TrailingParserDescr, `Lean.Parser.Category, `Lean.Macro, `Lean.PrettyPrinter.Unexpander]

def isAboutLean (n : Name) : Bool :=
  match n.components with
  | `Lean :: part :: _ => ![`Grind, `Omega, `RArray, `Order, `Data, `Json, `Loop, `Internal, `Name].contains part
  | _ => false

/-- Syntax that a text declares under the name of Lean's own syntax would be mistaken for it. -/
def takesKind (before : Environment) (info : ConstantInfo) : Bool :=
  [`Lean.ParserDescr, `Lean.TrailingParserDescr].any info.type.isConstOf &&
    (info.name.getRoot == `Lean || (Parser.parserExtension.getState before).kinds.contains info.name)

/-- A constant about Lean's own syntax or elaboration: a parser, a tactic as a value, an instance that builds terms. Lean would
   run it where a plain text does not mention it: when it parses, fills in a default or expands a macro. The constant that `(h :
   p := by …)` adds is exempt: its tactic is in the text and was checked there. -/
def isMeta (env : Environment) (info : ConstantInfo) : Bool :=
  if notationTypes.any info.type.isConstOf then false
  else if info.type.isConstOf `Lean.Syntax && !standsInText env info.name then false else
  match info with
  | .thmInfo _ => false
  | .defnInfo v => (v.type.getUsedConstants ++ v.value.getUsedConstants).any isAboutLean
  | info => info.type.getUsedConstants.any isAboutLean

def canRunCode (look : Look) (stx : Syntax) : Bool :=
  match look with
  | .code => true
  | .macro | .macroRules => false
  | .attributeName => !plainAttributeNames.contains stx[0].getId.eraseMacroScopes
  | .switch => mayNameNative stx
  | .optionValue => mayNameNative stx || !(isLiteral stx[3] || (stx[1].getId == `config && isLiteralStructure stx[3]))
  | .configuration => mayNameNative stx || !isLiteralStructure stx[3]
  | .optionName => !isPlainOption stx[1].getId.eraseMacroScopes

/-- The kind of the first node of a syntax tree that can run code. `bound` has the names that an enclosing macro may insert;
   what they stand for was checked where it was written. -/
partial def firstCode (kinds : Std.HashMap Name Look) (bound : Option (List Name)) (stx : Syntax) : Option Name :=
  match stx with
  | .ident _ _ n _ => if isCompilerName n then some n else none
  | .node _ kind args =>
    let inside := args.findSome? (firstCode kinds bound)
    if stx.isAntiquot then
      match bound with
      | none => inside
      | some names =>
        if stx.getAntiquotTerm.isIdent && names.contains stx.getAntiquotTerm.getId then none else some kind
    else match kinds[kind]? with
      | none => inside
      | some look =>
        if canRunCode look stx then some kind else
        match look with
        | .macro =>
          let body := ((args.back?.getD .missing).getArgs.back?.getD .missing)[0]
          if isQuotation body then args.findSome? (firstCode kinds (some (macroArguments stx))) else some kind
        | .macroRules =>
          ((args.back?.getD .missing)[0]).getArgs.findSome? fun alternative =>
            let body := alternative.getArgs.back?.getD .missing
            if !isQuotation body then some kind else
            -- a pattern is matched, not run; but what it contains is elaborated
            (firstCode kinds none alternative[1]) <|> (firstCode kinds (some (patternNames alternative[1])) body)
        | _ => inside
  | _ => none

/-- The amount of code that an environment has registered for Lean to run. Plain texts never add to it. -/
def registeredCode (env : Environment) : Nat :=
  let count {γ : Type} (a : KeyedDeclsAttribute γ) : Nat := (a.ext.getState env).newEntries.length
  count Elab.Term.termElabAttribute + count Elab.Command.commandElabAttribute + count Elab.Tactic.tacticElabAttribute

end Orch
