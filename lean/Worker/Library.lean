import Worker.Reading

/-! What the environment holds: constants with their types, and the names that tactics start with. -/

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

def constantJson (w : Worker) (st : Command.State) (r : Running) (wantsTypes : Bool) (info : ConstantInfo) : IO Json := do
  let env := st.env
  let fields : Fields := [
    ("name", Json.str (nameText info.name)),
    ("kind", Json.str (kindText info (getOriginalConstKind? env info.name))),
    ("module", Json.str (nameText (moduleOf env info.name))),
    ("symbols", namesJson info.type.getUsedConstants.toList),
    ("shape", Json.str (toString info.type.hash))]
  if !wantsTypes then return Json.mkObj fields
  let ctx := coreContext w st (FileMap.ofString "") (← IO.getNumHeartbeats) defaultHeartbeats
  match (← runTerm ctx r info.name (printed info.type)) with
  | .ok type => return Json.mkObj (("type", type) :: fields)
  | .error _ => return Json.mkObj fields

/-- Internal names (`_proof_1`, `match_1`, private ones) are nobody's premises. -/
def isPublic (n : Name) : Bool := !(n.isInternalDetail || isPrivateName n)

/-- The constants that loaded texts have added. -/
def ownConstants (env : Environment) : Array ConstantInfo :=
  env.constants.foldStage2 (fun all n info => if isPublic n then all.push info else all) #[]

/-- The constants of the imported modules, module by module. -/
def importedConstants (env : Environment) : Array ConstantInfo :=
  env.header.moduleData.foldl (init := #[]) fun all data => all ++ data.constants.filter (isPublic ·.name)

/-- The constants of a project's modules, those of the module that was imported last first: what the library has is not theirs. -/
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
  let items ← page.mapM (constantJson w st r (getFlag j "types"))
  return .done [("total", num all.size), ("constants", Json.arr items)]

/-- Does the parser know a tactic that starts with this word? A known one may still want arguments. -/
def isTactic (env : Environment) (word : String) : Bool :=
  match Parser.runParserCategory env `tactic word "" with
  | .ok _ => true
  | .error e => !(e.endsWith "unknown tactic")

/-- Which of the given tactics exist in this session? -/
def opTactics (w : Worker) (j : Json) : IO Answer := do
  let some session ← getSession w j | return noSession
  return .done [("tactics", Json.arr ((getTexts j "names").filter (isTactic session.env) |>.map Json.str).toArray)]

end Orch
