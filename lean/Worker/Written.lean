import Worker.Statement

/-! Lists every keyword that begins a declaration, wherever Lean's parser found it. A text may declare syntax and macros, so a
   keyword does not prove that something was declared, nor that it has its usual meaning. Both are checked here and reported.
   The client reads the text independently and compares. -/

open Lean Meta Elab

namespace Orch

def declaringWords : List String :=
  ["theorem", "lemma", "example", "def", "abbrev", "instance", "opaque", "axiom", "inductive", "coinductive", "structure", "class"]

/-- Lean's syntax kinds for declarations. -/
def declarationKinds : List Name :=
  kindsIn `Lean.Parser.Command
    "theorem definition abbrev instance example opaque axiom inductive coinductive structure classInductive"

/-- The content of a quotation or a string declares nothing. -/
def isUnreadKind (kind : Name) : Bool := quotations.contains kind || kind == interpolatedStrKind

/-- `@[instance]` and `deriving instance` declare no name of their own, and `class abbrev` expands to a class. -/
def isOtherUse (kind : Name) : Bool :=
  (kindsIn `Lean.Parser.Command "deriving classAbbrev" ++ kindsIn `Lean.Parser.Attr "instance class default_instance").contains kind

structure Occurrence where
  word : String
  place : String.Pos.Raw
  /-- the position that Lean records for the declaration: the name or, without a name, the keyword -/
  anchor : String.Pos.Raw
  name : Name
  kind : Name
  /-- the leaves after the keyword: for a theorem those of its statement, otherwise all -/
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

/-- The keyword of a declaration, which `structure` and `class inductive` wrap in a node. -/
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
        -- a declaration node of Lean has one such keyword; in other nodes every keyword counts
        if declarationKinds.contains kind then found
        else more.foldl (fun found (i, word, leaf) => found.push (occurrenceAt kind args i word leaf)) found
      | [] => found
    args.foldl (fun found arg => if (wordIn? kind arg).isSome then found else occurrencesIn arg found) found
  | _ => found

/-- The ranges of a command in which such a keyword begins no declaration: quotations, strings, other uses, `lemma` as a
   variable. -/
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
  -- Lean expands the name `a.b` to `namespace a … b`
  | .ident _ _ x _, .ident _ _ y _ =>
    (a.getPos?).isSome && a.getPos? == b.getPos? && y.eraseMacroScopes.isSuffixOf x.eraseMacroScopes
  | _, _ => false

/-- Does a declaration match the text after a keyword? A macro may pass that text on or replace it. -/
def saysWhat (leaves : Array Syntax) (o d : Occurrence) : Bool :=
  let isWord := o.word == d.word || (o.word == "lemma" && d.word == "theorem")
  if !isWord || d.said.isEmpty then false else
  match leaves.findIdx? fun leaf => (declaringWord? leaf).isSome && leaf.getPos? == some o.place with
  | none => false
  | some k =>
    let rest := leaves.extract (k + 1) leaves.size
    d.said.size ≤ rest.size && (List.range d.said.size).all (fun i => sameLeaf rest[i]! d.said[i]!) &&
      (d.kind != ``Parser.Command.theorem || (rest[d.said.size]?).all fun next => [":=", "|", "where"].any next.isToken)

/-- The positions of keywords that Lean parses in more than one way; it keeps the parse that elaborates. -/
partial def ambiguousIn (stx : Syntax) (inside : Bool := false) (found : Array String.Pos.Raw := #[]) : Array String.Pos.Raw :=
  match stx with
  | .node _ kind args => args.foldl (fun found arg => ambiguousIn arg (inside || kind == choiceKind) found) found
  | leaf => if inside && (declaringWord? leaf).isSome then (leaf.getPos?).elim found found.push else found

/-- The keywords of a command that are not part of one of Lean's own declarations. -/
def takenIn (stx : Syntax) (parts : Array Syntax) (words : Array Occurrence) : Array Occurrence :=
  let ambiguous := parts.foldl (fun found part => ambiguousIn part false found) (ambiguousIn stx)
  let declared := (parts.foldl (fun found part => occurrencesIn part found) #[]).filter fun d => declarationKinds.contains d.kind
  let leaves := leavesOf stx
  words.filter fun o => ambiguous.contains o.place || !declared.any (saysWhat leaves o)

/-! ### `#guard_msgs` -/

def isGuard (stx : Syntax) : Bool := stx.isOfKind `Lean.guardMsgsCmd

/-- The command inside a guard, or inside nested guards. -/
partial def guarded (stx : Syntax) : Syntax := if isGuard stx then guarded (stx.getArgs.back?.getD .missing) else stx

/-- Does a guard state the expected messages in its comment, without dropping errors? -/
def namesWhatItExpects (stx : Syntax) : Bool :=
  stx[0].getNumArgs > 0 && !(leavesOf (stx.setArg (stx.getNumArgs - 1) .missing)).any (·.isToken "drop")

/-! ### What was declared -/

/-- One command of a text: its keywords, and the names that Lean may have bound automatically. -/
structure Accounted where
  start : String.Pos.Raw
  stop : String.Pos.Raw
  words : Array Occurrence := #[]
  /-- positions of keywords that declare something other than what is written -/
  taken : Array String.Pos.Raw := #[]
  /-- positions of examples that fail as the text says -/
  expected : Array String.Pos.Raw := #[]
  unread : Array Syntax.Range := #[]
  free : Mentioned := {}

def placeJson (map : FileMap) (place : String.Pos.Raw) : Json := positionJson (map.toPosition place)

/-- What an environment declares at each position of the text. -/
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
