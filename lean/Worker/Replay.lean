import Worker.Statement

/-! Verification: everything that a proof added to the environment goes through the kernel once more, on top of the
environment without the proof, and the axioms under it are collected. -/

open Lean Meta Elab

namespace Orch

structure Replay where
  env : Environment
  /-- A file that is audited as a whole may declare axioms; a proof may not. -/
  allowAxioms : Bool := false
  seen : NameSet := {}
  axioms : List Name := []
  replayed : Nat := 0

inductive Refusal where
  | mk (kind : String) (message : String)

partial def constructorsOf (new : Environment) (xs : List Name) (acc : List Constructor) : Option (List Constructor) :=
  match xs with
  | [] => some (reverseOnto acc [])
  | x :: r => match new.find? x with
    | some (.ctorInfo v) => constructorsOf new r ({ name := v.name, type := v.type } :: acc)
    | _ => none

partial def dataTypes (new : Environment) (xs : List Name) (acc : List InductiveType) : Option (List InductiveType) :=
  match xs with
  | [] => some (reverseOnto acc [])
  | x :: r => match new.find? x with
    | some (.inductInfo v) => match constructorsOf new v.ctors [] with
      | some ctors => dataTypes new r ({ name := v.name, type := v.type, ctors } :: acc)
      | none => none
    | _ => none

partial def markConstructors (xs : List Constructor) (seen : NameSet) : NameSet :=
  match xs with | [] => seen | x :: r => markConstructors r (seen.insert x.name)

partial def markSeen (xs : List InductiveType) (seen : NameSet) : NameSet :=
  match xs with | [] => seen | x :: r => markSeen r (markConstructors x.ctors (seen.insert x.name))

partial def constructorConstants (xs : List Constructor) (acc : List Name) : List Name :=
  match xs with | [] => acc | x :: r => constructorConstants r (append x.type.getUsedConstants.toList acc)

partial def dataConstants (xs : List InductiveType) (acc : List Name) : List Name :=
  match xs with
  | [] => acc
  | x :: r => dataConstants r (constructorConstants x.ctors (append x.type.getUsedConstants.toList acc))

mutual
partial def visitAll (base new : Environment) (xs : List Name) (s : Replay) : Except Refusal Replay :=
  match xs with
  | [] => .ok s
  | x :: r => match visit base new x s with
    | .error e => .error e
    | .ok s => visitAll base new r s

partial def visit (base new : Environment) (n : Name) (s : Replay) : Except Refusal Replay :=
  if s.seen.contains n then .ok s else
  let s := { s with seen := s.seen.insert n }
  match base.find? n with
  | some (.axiomInfo _) =>
    -- The exported library shows its theorems and unexposed definitions as axioms; their original kind tells.
    match getOriginalConstKind? base n with
    | some .thm => .ok s
    | some .defn => .ok s
    | some .opaque => .ok s
    | _ => .ok { s with axioms := n :: s.axioms }
  | some _ => .ok s
  | none =>
    match new.find? n with
    | none => .error (.mk "kernel" ("the proof uses an unknown constant " ++ nameText n))
    | some info =>
      match visitAll base new info.type.getUsedConstants.toList s with
      | .error e => .error e
      | .ok s => visitNew base new info s

partial def visitNew (base new : Environment) (info : ConstantInfo) (s : Replay) : Except Refusal Replay :=
  match info with
  | .axiomInfo v =>
    if s.allowAxioms then addChecked { s with axioms := v.name :: s.axioms } v.name (.axiomDecl v)
    else .error (.mk "axiom" ("the proof declares a new axiom " ++ nameText v.name))
  | .thmInfo v => visitValue base new v.value (.thmDecl v) v.name s
  | .defnInfo v =>
    match v.safety with
    | .safe => visitValue base new v.value (.defnDecl v) v.name s
    | _ => .error (.mk "unsafe" ("the proof uses an unsafe definition " ++ nameText v.name))
  | .opaqueInfo v =>
    if v.isUnsafe then .error (.mk "unsafe" ("the proof uses an unsafe constant " ++ nameText v.name))
    else visitValue base new v.value (.opaqueDecl v) v.name s
  | .inductInfo v => visitData base new v s
  | .ctorInfo v => visit base new v.induct s
  | .recInfo v => visitAll base new v.all s
  | .quotInfo v => .error (.mk "unsupported" ("the proof declares a quotient " ++ nameText v.name))

/-- A block of inductive types is added as a whole; the kernel makes its recursors itself. -/
partial def visitData (base new : Environment) (v : InductiveVal) (s : Replay) : Except Refusal Replay :=
  if v.isUnsafe then .error (.mk "unsafe" ("the proof uses an unsafe type " ++ nameText v.name)) else
  match dataTypes new v.all [] with
  | none => .error (.mk "kernel" ("incomplete inductive type " ++ nameText v.name))
  | some types =>
    let s := { s with seen := markSeen types s.seen }
    match visitAll base new (dataConstants types []) s with
    | .error e => .error e
    | .ok s => addChecked s v.name (.inductDecl v.levelParams v.numParams types false)

partial def visitValue (base new : Environment) (value : Expr) (d : Declaration) (n : Name) (s : Replay) :
    Except Refusal Replay :=
  match visitAll base new value.getUsedConstants.toList s with
  | .error e => .error e
  | .ok s => addChecked s n d

partial def addChecked (s : Replay) (n : Name) (d : Declaration) : Except Refusal Replay :=
  match s.env.addDeclCore 0 d none true with
  | .ok env => .ok { s with env, replayed := s.replayed + 1 }
  | .error _ => .error (.mk "kernel" ("the kernel rejects " ++ nameText n))
end

/-- Replay the theorem `s` as it stands in `new`, on top of `base`. -/
def replay (base new : Environment) (s : Statement) : Except Refusal Replay :=
  match new.find? s.name with
  | none => .error (.mk "statement-changed" "the proof did not produce the theorem")
  | some info =>
    if info.levelParams != s.levels then .error (.mk "statement-changed" "the universe parameters differ from the statement")
    else if info.type != s.type then .error (.mk "statement-changed" "the type differs from the statement")
    else visit base new s.name { env := base }

def standardAxioms : List Name := [`propext, `Classical.choice, `Quot.sound]

/-- Judge the axioms: `sorryAx` first, then everything outside the standard three and the allowed ones. -/
def judgeAxioms (axioms allowed : List Name) : Option Refusal :=
  if hasName `sorryAx axioms then some (.mk "sorry" "the proof contains sorry")
  else match withoutNames axioms (append standardAxioms allowed) [] with
    | [] => none
    | x :: _ => some (.mk "axiom" ("the proof rests on the axiom " ++ nameText x))

def refusalAnswer (r : Refusal) (fields : Fields) : Answer :=
  match r with | .mk kind message => .failed kind message fields

partial def constantsOf (env : Environment) (n : Name) : List Name :=
  match env.find? n with
  | some (.thmInfo v) => v.value.getUsedConstants.toList
  | _ => []

def opCheck (w : Worker) (j : Json) : IO Answer := do
  match (← getSession w j) with
  | none => return noSession
  | some session =>
  let st := prepared session (heartbeatsOf j) false
  let text := getText j "statement" ""
  match (← elaborateStatement w st (getNat j "session" 0) text) with
  | .error a => return a
  | .ok s =>
    let source := text ++ " := " ++ getText j "proof" ""
    match (← parseSingle st source) with
    | .error ms => failedBy "parse" ms
    | .ok stx =>
      let after ← runCommand w (inputContext source) st stx
      let said ← collectMessages after.messages.toList {}
      if said.errors > 0 then return failedWith "elaboration" said
      let fields := append (messagesField said) [("name", Json.str (nameText s.name))]
      match replay st.env after.env s with
      | .error r => return refusalAnswer r fields
      | .ok result =>
        let fields := ("axioms", Json.arr (namesJson result.axioms #[])) :: ("replayed", num result.replayed) :: fields
        match judgeAxioms result.axioms (toNames (texts (getItems j "allow_axioms") []) []) with
        | some r => return refusalAnswer r fields
        | none =>
          let assumes := withoutNames result.axioms standardAxioms []
          let used := if getFlag j "constants" then
            [("constants", Json.arr (namesJson (constantsOf after.env s.name) #[]))] else []
          return .done (append (("assumes", Json.arr (namesJson assumes #[])) :: used) fields)

end Orch
