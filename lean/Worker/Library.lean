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
    ("symbols", Json.arr (namesJson info.type.getUsedConstants.toList #[]))]
  if !wantsTypes then return Json.mkObj fields
  let ctx := coreContext w st (FileMap.ofString "") (← IO.getNumHeartbeats) defaultHeartbeats
  match (← runTerm ctx r info.name (printed info.type)) with
  | .ok type => return Json.mkObj (("type", type) :: fields)
  | .error _ => return Json.mkObj fields

partial def constantsJson (w : Worker) (st : Command.State) (r : Running) (wantsTypes : Bool)
    (xs : List ConstantInfo) (acc : Array Json) : IO (Array Json) := do
  match xs with
  | [] => return acc
  | x :: rest => constantsJson w st r wantsTypes rest (acc.push (← constantJson w st r wantsTypes x))

/-- Internal names (`_proof_1`, `match_1`, private ones) are nobody's premises. -/
def isPublic (n : Name) : Bool := !(n.isInternalDetail || isPrivateName n)

partial def publicOnly (xs : List ConstantInfo) (acc : List ConstantInfo) : List ConstantInfo :=
  match xs with
  | [] => acc
  | x :: r => publicOnly r (if isPublic x.name then x :: acc else acc)

/-- The constants of the imported modules, module by module. -/
partial def importedConstants (xs : List ModuleData) (acc : List ConstantInfo) : List ConstantInfo :=
  match xs with | [] => acc | x :: r => importedConstants r (publicOnly x.constants.toList acc)

mutual
/-- The constants that loaded texts have added, out of the map that holds them. -/
partial def mapValues (n : PersistentHashMap.Node Name ConstantInfo) (acc : List ConstantInfo) : List ConstantInfo :=
  match n with
  | .entries es => entryValues es.toList acc
  | .collision _ vs _ => publicOnly vs.toList acc

partial def entryValues (es : List (PersistentHashMap.Entry Name ConstantInfo (PersistentHashMap.Node Name ConstantInfo)))
    (acc : List ConstantInfo) : List ConstantInfo :=
  match es with
  | [] => acc
  | .entry _ v :: r => entryValues r (publicOnly [v] acc)
  | .ref n :: r => entryValues r (mapValues n acc)
  | .null :: r => entryValues r acc
end

/-- The constants of a session, in pages; with `own` only those that loaded texts declared. -/
def opConstants (w : Worker) (j : Json) : IO Answer := do
  match (← getSession w j) with
  | none => return noSession
  | some session =>
  let st := prepared session defaultHeartbeats false
  let own := mapValues st.env.constants.map₂.root []
  let all := if getFlag j "own" then own else importedConstants st.env.header.moduleData.toList own
  let page := take (getNat j "limit" 1000) (drop (getNat j "offset" 0) all)
  let r : Running := {
    core := ← IO.mkRef { env := st.env, ngen := st.ngen, infoState := { enabled := false } }
    meta_ := ← IO.mkRef {}
    term := ← IO.mkRef {} }
  let items ← constantsJson w st r (getFlag j "types") page #[]
  return .done [("total", num (count all 0)), ("constants", Json.arr items)]

/-- Does the parser know a tactic that starts with this word? A known one may still want arguments. -/
def isTactic (env : Environment) (word : String) : Bool :=
  match Parser.runParserCategory env `tactic word "" with
  | .ok _ => true
  | .error e => !(e.endsWith "unknown tactic")

partial def knownTactics (env : Environment) (words : List String) (acc : Array Json) : Array Json :=
  match words with
  | [] => acc
  | x :: r => knownTactics env r (if isTactic env x then acc.push (Json.str x) else acc)

/-- Which of the given tactics exist in this session? -/
def opTactics (w : Worker) (j : Json) : IO Answer := do
  match (← getSession w j) with
  | none => return noSession
  | some session => return .done [("tactics", Json.arr (knownTactics session.env (texts (getItems j "names") []) #[]))]

end Orch
