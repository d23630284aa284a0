import Worker.Sorries

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

/-! ### Audit: every theorem that a loaded text declared -/

/-- The axioms under a constant, found by walking names alone. -/
partial def axiomsUnder (base new : Environment) (xs : List Name) (seen : NameSet) (acc : List Name) : NameSet × List Name :=
  match xs with
  | [] => (seen, acc)
  | x :: r =>
    if seen.contains x then axiomsUnder base new r seen acc else
    let seen := seen.insert x
    match base.find? x, new.find? x with
    | some (.axiomInfo _), _ => match getOriginalConstKind? base x with
      | some .thm => axiomsUnder base new r seen acc
      | some .defn => axiomsUnder base new r seen acc
      | some .opaque => axiomsUnder base new r seen acc
      | _ => axiomsUnder base new r seen (x :: acc)
    | some _, _ => axiomsUnder base new r seen acc
    | none, some (.axiomInfo _) => axiomsUnder base new r seen (x :: acc)
    | none, some info =>
      let used := append info.type.getUsedConstants.toList (match info.value? (allowOpaque := true) with
        | some v => v.getUsedConstants.toList
        | none => [])
      let (seen, acc) := axiomsUnder base new used seen acc
      axiomsUnder base new r seen acc
    | none, none => axiomsUnder base new r seen acc

/-- Replay one theorem on what is replayed already. A file may declare axioms; whether they are allowed is judged after. -/
def auditOne (base new : Environment) (allowed : List Name) (name : Name) (s : Replay) : Json × Replay :=
  let named := [("name", Json.str (nameText name))]
  match visit base new name s with
  | .error r => ((refusalAnswer r named).json, s)
  | .ok s =>
    let (_, axioms) := axiomsUnder base new [name] {} []
    let fields := ("axioms", Json.arr (namesJson axioms #[])) :: named
    match judgeAxioms axioms allowed with
    | some r => ((refusalAnswer r fields).json, s)
    | none =>
      let assumes := namesJson (withoutNames axioms standardAxioms []) #[]
      ((Answer.done (("assumes", Json.arr assumes) :: fields)).json, s)

partial def auditAll (base new : Environment) (allowed : List Name) (xs : List Name) (s : Replay) (acc : Array Json) : Array Json :=
  match xs with
  | [] => acc
  | x :: r =>
    let (verdict, s) := match newConstant new base [x, mkPrivateName new x] with
      | some info => auditOne base new allowed info.name s
      | none => ((Answer.failed "elaboration" "the file does not declare it" [("name", Json.str (nameText x))]).json, s)
    auditAll base new allowed r s (acc.push verdict)

/-- Judge the named theorems of a session, one after the other, on top of the imports. -/
def opAudit (w : Worker) (j : Json) : IO Answer := do
  match (← getSession w j), (← w.sessions.get)[0]? with
  | some session, some (some base) =>
    let names := toNames (texts (getItems j "names") []) []
    let allowed := toNames (texts (getItems j "allow_axioms") []) []
    return .done [("theorems", Json.arr (auditAll base.env session.env allowed names { env := base.env, allowAxioms := true } #[]))]
  | _, _ => return noSession

end Orch
