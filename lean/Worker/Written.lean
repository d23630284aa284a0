import Worker.Statement

/-! What a text writes down: every word that begins a declaration, wherever Lean's parser met it. A text may bring syntax and
macros of its own, so a word in a command does not mean that anything was declared, nor that it has its usual
meaning. Both are looked up here and reported; the client reads the text once more by itself and compares. -/

open Lean Meta Elab

namespace Orch

def declaringWords : List String :=
  ["theorem", "lemma", "example", "def", "abbrev", "instance", "opaque", "axiom", "inductive", "coinductive", "structure", "class"]

/-- Lean's own nodes for declarations. -/
def declarationKinds : List Name :=
  kindsIn `Lean.Parser.Command
    "theorem definition abbrev instance example opaque axiom inductive coinductive structure classInductive"

/-- The content of a quotation or a string is not said by the text itself. -/
def isUnreadKind (kind : Name) : Bool := quotations.contains kind || kind == interpolatedStrKind

/-- `@[instance]` and `deriving instance` declare nothing under a name of their own; `class abbrev` is a class by other means. -/
def isOtherUse (kind : Name) : Bool :=
  (kindsIn `Lean.Parser.Command "deriving classAbbrev" ++ kindsIn `Lean.Parser.Attr "instance class default_instance").contains kind

structure Occurrence where
  word : String
  place : String.Pos.Raw
  /-- where Lean puts what it declares: at the name, or at the word where there is none -/
  anchor : String.Pos.Raw
  name : Name
  kind : Name
  /-- the leaves behind the word: of a theorem those of its statement, otherwise all -/
  said : Array Syntax

/-- The atoms and identifiers of a tree, in order. -/
partial def leavesOf (stx : Syntax) (all : Array Syntax := #[]) : Array Syntax :=
  match stx with
  | .node _ kind args =>
    if kind == choiceKind then leavesOf (args[0]?.getD .missing) all
    else args.foldl (fun all arg => leavesOf arg all) all
  | .missing => all
  | leaf => all.push leaf

def declaringWord? (stx : Syntax) : Option String :=
  match stx with
  | .atom _ value => declaringWords.find? (· == value)
  | _ => none

/-- The word of a declaration, which `structure` and `class inductive` wrap in a node. -/
def wordIn? (kind : Name) (part : Syntax) : Option (String × Syntax) :=
  match declaringWord? part with
  | some word => some (word, part)
  | none =>
    let first := part.getArgs[0]?.getD .missing
    if declarationKinds.contains kind then (declaringWord? first).map (·, first) else none

/-- The name in one part of a declaration. -/
def nameIn? (part : Syntax) : Option Syntax :=
  if part.isIdent then some part
  else if part.isOfKind ``Parser.Command.declId then some part[0]
  else if part.isOfKind nullKind && part.getNumArgs == 1 && part[0].isOfKind ``Parser.Command.declId then some part[0][0]
  else none

def occurrenceAt (kind : Name) (args : Array Syntax) (at_ : Nat) (word : String) (leaf : Syntax) : Occurrence :=
  let rest := args.extract (at_ + 1) args.size
  let named := rest.findSome? nameIn?
  let place := (leaf.getPos?).getD 0
  let statement := if kind == ``Parser.Command.theorem then rest.extract 0 2 else rest
  { word, place, kind, anchor := (named.bind (·.getPos?)).getD place, name := (named.map (·.getId)).getD .anonymous
    said := statement.foldl (fun all part => leavesOf part all) ((leavesOf args[at_]!).toList.drop 1).toArray }

partial def occurrencesIn (stx : Syntax) (found : Array Occurrence := #[]) : Array Occurrence :=
  match stx with
  | .node _ kind args =>
    if isUnreadKind kind || isOtherUse kind then found else
    let words := (List.range args.size).filterMap fun i => (wordIn? kind args[i]!).map fun (word, leaf) => (i, word, leaf)
    let found := match words with
      | (i, word, leaf) :: more =>
        let found := found.push (occurrenceAt kind args i word leaf)
        -- a node of Lean's own has one such word; in another every word counts
        if declarationKinds.contains kind then found
        else more.foldl (fun found (i, word, leaf) => found.push (occurrenceAt kind args i word leaf)) found
      | [] => found
    args.foldl (fun found arg => if (wordIn? kind arg).isSome then found else occurrencesIn arg found) found
  | _ => found

/-- The stretches of a command in which such a word begins nothing: quotations, strings, other uses; `lemma` as a variable. -/
partial def unreadIn (stx : Syntax) (inside : Bool := false) (found : Array Syntax.Range := #[]) : Array Syntax.Range :=
  match stx with
  | .node _ kind args =>
    if isUnreadKind kind || isOtherUse kind then (stx.getRange?).elim found found.push
    else
      let inside := inside || declarationKinds.contains kind
      args.foldl (fun found arg => unreadIn arg inside found) found
  | .ident _ _ n _ => if inside && n.eraseMacroScopes == `lemma then (stx.getRange?).elim found found.push else found
  | _ => found

def sameLeaf (a b : Syntax) : Bool :=
  match a, b with
  | .atom _ x, .atom _ y => x == y
  -- Lean makes `namespace a … b` of the name `a.b`
  | .ident _ _ x _, .ident _ _ y _ =>
    (a.getPos?).isSome && a.getPos? == b.getPos? && y.eraseMacroScopes.isSuffixOf x.eraseMacroScopes
  | _, _ => false

/-- Does a declaration say what stands behind a word of the text? A macro may pass it on, and may put something else there. -/
def saysWhat (leaves : Array Syntax) (o d : Occurrence) : Bool :=
  let isWord := o.word == d.word || (o.word == "lemma" && d.word == "theorem")
  if !isWord || d.said.isEmpty then false else
  match leaves.findIdx? fun leaf => (declaringWord? leaf).isSome && leaf.getPos? == some o.place with
  | none => false
  | some k =>
    let rest := leaves.extract (k + 1) leaves.size
    d.said.size ≤ rest.size && (List.range d.said.size).all (fun i => sameLeaf rest[i]! d.said[i]!) &&
      (d.kind != ``Parser.Command.theorem || (rest[d.said.size]?).all fun next => [":=", "|", "where"].any next.isToken)

/-- The places of words that Lean parses in more than one way: it keeps whichever elaborates. -/
partial def ambiguousIn (stx : Syntax) (inside : Bool := false) (found : Array String.Pos.Raw := #[]) : Array String.Pos.Raw :=
  match stx with
  | .node _ kind args => args.foldl (fun found arg => ambiguousIn arg (inside || kind == choiceKind) found) found
  | leaf => if inside && (declaringWord? leaf).isSome then (leaf.getPos?).elim found found.push else found

/-- Of the words of a command, those that something other than Lean's own declarations makes what it likes of. -/
def takenIn (stx : Syntax) (parts : Array Syntax) (words : Array Occurrence) : Array Occurrence :=
  let ambiguous := parts.foldl (fun found part => ambiguousIn part false found) (ambiguousIn stx)
  let declared := (parts.foldl (fun found part => occurrencesIn part found) #[]).filter fun d => declarationKinds.contains d.kind
  let leaves := leavesOf stx
  words.filter fun o => ambiguous.contains o.place || !declared.any (saysWhat leaves o)

/-! ### `#guard_msgs` -/

def isGuard (stx : Syntax) : Bool := stx.isOfKind `Lean.guardMsgsCmd

/-- The command that a guard, or a guard around a guard, looks at. -/
partial def guarded (stx : Syntax) : Syntax := if isGuard stx then guarded (stx.getArgs.back?.getD .missing) else stx

/-- Does a guard say in its comment what it waits for, and let no error fall? -/
def namesWhatItExpects (stx : Syntax) : Bool :=
  stx[0].getNumArgs > 0 && !(leavesOf (stx.setArg (stx.getNumArgs - 1) .missing)).any (·.isToken "drop")

/-! ### What became of it -/

/-- One command of a text: its words, and the names that Lean may have bound by itself. -/
structure Accounted where
  start : String.Pos.Raw
  stop : String.Pos.Raw
  words : Array Occurrence := #[]
  /-- places of words that declare something else than what is written -/
  taken : Array String.Pos.Raw := #[]
  /-- places of examples that fail as the text says they do -/
  expected : Array String.Pos.Raw := #[]
  unread : Array Syntax.Range := #[]
  free : Mentioned := {}

def placeJson (map : FileMap) (place : String.Pos.Raw) : Json := positionJson (map.toPosition place)

/-- What an environment has declared at each place of the text. -/
def declaredAt (env : Environment) : Std.HashMap (Nat × Nat) (List ConstantInfo) :=
  let add (all : Std.HashMap (Nat × Nat) (List ConstantInfo)) (n : Name) (info : ConstantInfo) :
      Std.HashMap (Nat × Nat) (List ConstantInfo) :=
    match declRangeExt.find? (level := .server) env n with
    | some ranges =>
      let key := (ranges.selectionRange.pos.line, ranges.selectionRange.pos.column)
      all.insert key (info :: all.getD key [])
    | none => all
  env.constants.foldStage2 add {}

def accountJson (map : FileMap) (env : Environment) (commands : Array Accounted) : Fields :=
  let declared := declaredAt env
  let words := commands.flatMap fun c => c.words.map fun o =>
    let { line, column } := map.toPosition o.anchor
    let constants := declared.getD (line, column) []
    let bound := constants.foldl (fun bound info => bound ++ (c.free.boundIn info).filter (!bound.contains ·)) []
    Json.mkObj [("word", Json.str o.word), ("name", Json.str (nameText o.name)), ("at", placeJson map o.place),
      ("start", placeJson map c.start), ("end", placeJson map c.stop),
      ("constants", namesJson (constants.map (·.name))), ("bound", namesJson bound),
      ("taken", Json.bool (c.taken.contains o.place)), ("expected", Json.bool (c.expected.contains o.place))]
  let unread := commands.flatMap fun c => c.unread.map fun range =>
    Json.arr #[placeJson map range.start, placeJson map range.stop]
  [("written", Json.arr words), ("unread", Json.arr unread)]

end Orch
