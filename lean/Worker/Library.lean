import Worker.Ambiguity
import Worker.Open
import Worker.Reading

/-! The contents of the environment: constants with their types, and the first words of tactics. -/

open Lean Meta Elab

namespace Orch

def kindText (info : ConstantInfo) (original : Option ConstantKind) : String :=
  match info, original with
  | .axiomInfo _, some .thm => "theorem"
  | .axiomInfo _, some .defn => "definition"
  | .axiomInfo _, some .opaque => "opaque"
  | .axiomInfo _, _ => "axiom"
  | .thmInfo _, _ => "theorem"
  | .defnInfo _, _ => "definition"
  | .opaqueInfo _, _ => "opaque"
  | .quotInfo _, _ => "quotient"
  | .inductInfo _, _ => "inductive"
  | .ctorInfo _, _ => "constructor"
  | .recInfo _, _ => "recursor"

def moduleOf (env : Environment) (n : Name) : Name :=
  match env.getModuleIdxFor? n with
  | none => .anonymous
  | some i => env.header.moduleNames[i.toNat]?.getD .anonymous

/-- Internal names (`_proof_1`, `match_1`, private ones) are never premises. -/
def isPublic (n : Name) : Bool := !(n.isInternalDetail || isPrivateName n)

/-- The body of a constant's declaration: its value, or the types of its constructors. A recursion that Lean has compiled no longer
   mentions the other functions of its block, so those are added. -/
def bodyConstants (env : Environment) (info : ConstantInfo) : List Name :=
  match info with
  | .inductInfo type => type.ctors.flatMap fun c => ((env.find? c).map (·.type.getUsedConstants.toList)).getD []
  | .defnInfo value => value.all ++ value.value.getUsedConstants.toList
  | info => (info.value?.map (·.getUsedConstants.toList)).getD []

/-- The constants of loaded texts that a constant's body mentions. Constants that Lean generated from the body (`f.match_1`,
   `f._unary`) are followed. -/
partial def usesOf (env : Environment) (info : ConstantInfo) : NameSet :=
  (bodyConstants env info).foldl (go · ·) ({}, {}) |>.2
where
  go (found : NameSet × NameSet) (n : Name) : NameSet × NameSet :=
    let (seen, uses) := found
    if seen.contains n || n == info.name || !isOwn env n then found
    else if isPublic n then (seen.insert n, uses.insert n)
    else match env.find? n with
      | some inner => (bodyConstants env inner).foldl (go · ·) (seen.insert n, uses)
      | none => (seen.insert n, uses)

/-- Constants that Lean generates with a type get the position of the type. -/
def isWritten (env : Environment) (n : Name) : Bool :=
  match declRangeExt.find? env n, declRangeExt.find? env n.getPrefix with
  | some mine, some outer => mine.range.pos != outer.range.pos || mine.selectionRange.pos != outer.selectionRange.pos
  | some _, none => true
  | none, _ => false

/-- The role of a constant of a loaded text. -/
def roleOf (env : Environment) (info : ConstantInfo) : String :=
  match info with
  | .inductInfo type => if type.type.getForallBody.isProp && !isStructure env type.name then "predicate" else ""
  | .defnInfo _ =>
    if Meta.isInstanceCore env info.name then "instance"
    else if env.isProjectionFn info.name || isAuxRecursor env info.name || isNoConfusion env info.name then ""
    else if isWritten env info.name then "function" else ""
  | _ => ""

/-- Facts about a constant of a loaded text that a client cannot read from its type. -/
def ownFields (st : Command.State) (standing : Standing) (info : ConstantInfo) : Fields :=
  let env := st.env
  if !isOwn env info.name then [] else
  let role := roleOf env info
  let isProof := info matches .thmInfo _
  let isTwofold := st.scopes.head?.any fun scope => isAmbiguous env scope.opts scope.currNamespace scope.openDecls info.name
  (if isTwofold then [("ambiguous", Json.bool true)] else []) ++
  (if role == "" then [] else [("role", Json.str role)]) ++
  (if isProof then [] else [("uses", namesJson (usesOf env info).toList)]) ++
  (if standing.isFinished then [] else [("unfinished", Json.bool true)]) ++
  (if standing.isTainted || standing.open_.isEmpty then [] else [("rests_on", namesJson standing.open_.toList)]) ++
  (if isOpenTheorem env info then [("canonical", Json.str (canonical info.type))] else [])

def constantJson (w : Worker) (st : Command.State) (r : Running) (wantsTypes : Bool) (standing : Standing) (info : ConstantInfo) : IO Json := do
  let env := st.env
  let fields : Fields := [
    ("name", Json.str (nameText info.name)),
    ("kind", Json.str (kindText info (getOriginalConstKind? env info.name))),
    ("module", Json.str (nameText (moduleOf env info.name))),
    ("symbols", namesJson info.type.getUsedConstants.toList),
    ("shape", Json.str (toString info.type.hash))] ++ ownFields st standing info
  if !wantsTypes then return Json.mkObj fields
  let ctx := coreContext w st (FileMap.ofString "") (← IO.getNumHeartbeats) defaultHeartbeats
  match (← runTerm ctx r info.name (printed info.type)) with
  | .ok type => return Json.mkObj (("type", type) :: fields)
  | .error _ => return Json.mkObj fields


/-- The constants that loaded texts have added. -/
def ownConstants (env : Environment) : Array ConstantInfo :=
  env.constants.foldStage2 (fun all n info => if isPublic n then all.push info else all) #[]

/-- The constants of the imported modules, module by module. -/
def importedConstants (env : Environment) : Array ConstantInfo :=
  env.header.moduleData.foldl (init := #[]) fun all data => all ++ data.constants.filter (isPublic ·.name)

/-- The constants of a project's modules without the library's, last imported module first. -/
def projectConstants (library env : Environment) : Array ConstantInfo :=
  (env.header.moduleNames.zip env.header.moduleData).reverse.foldl (init := #[]) fun all (module, data) =>
    if (library.getModuleIdx? module).isSome then all else all ++ data.constants.filter (isPublic ·.name)

/-- The constants of a session, in pages; with `own` only those that loaded texts and the project's modules declared. -/
def opConstants (w : Worker) (j : Json) : IO Answer := do
  let some session ← getSession w j | return noSession
  let some library ← importsOf w | return noSession
  let st := prepared session defaultHeartbeats false
  let below := if getFlag j "own" then projectConstants library st.env else importedConstants st.env
  let all := ownConstants st.env ++ below
  let offset := getNat j "offset" 0
  let r : Running := {
    core := ← IO.mkRef { env := st.env, ngen := st.ngen, infoState := { enabled := false } }
    meta_ := ← IO.mkRef {}
    term := ← IO.mkRef {} }
  let page := all.extract offset (offset + getNat j "limit" 1000)
  let mut known : Standings := {}
  let mut items := #[]
  for info in page do
    let (more, standing) := known.look st.env info.name
    known := more
    items := items.push (← constantJson w st r (getFlag j "types") standing info)
  return .done [("total", num all.size), ("constants", Json.arr items)]

/-- Does the parser know a tactic that starts with this word? It may still need arguments. -/
def isTactic (env : Environment) (word : String) : Bool :=
  match Parser.runParserCategory env `tactic word "" with
  | .ok _ => true
  | .error e => !(e.endsWith "unknown tactic")

/-- Which of the given tactics exist in this session? -/
def opTactics (w : Worker) (j : Json) : IO Answer := do
  let some session ← getSession w j | return noSession
  return .done [("tactics", Json.arr ((getTexts j "names").filter (isTactic session.env) |>.map Json.str).toArray)]

end Orch
