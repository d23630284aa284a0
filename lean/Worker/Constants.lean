import Worker.Statement

/-! What stands under a theorem: the constants that it uses, the blocks of inductive types among them, the axioms. -/

open Lean Meta Elab

namespace Orch

def refusalAnswer (r : Refusal) (fields : Fields) : Answer :=
  match r with | .mk kind message => .failed kind message fields

def standardAxioms : List Name := [`propext, `Classical.choice, `Quot.sound]

/-- What rests on the compiler: the kernel evaluates `Lean.reduceBool` and `Lean.reduceNat` by running compiled code. -/
def compilerAxiom : Name := `Lean.trustCompiler

/-- Judge the axioms: `sorryAx` first, then everything outside the standard three and the allowed ones. -/
def judgeAxioms (axioms allowed : List Name) : Option Refusal :=
  if hasName `sorryAx axioms then some (.mk "sorry" "the proof contains sorry")
  else match withoutNames axioms (append standardAxioms allowed) [] with
    | [] => none
    | x :: _ => some (.mk "axiom" ("the proof rests on the axiom " ++ nameText x))

def allowedAxioms (j : Json) : List Name := toNames (texts (getItems j "allow_axioms") []) []

/-- The fields that say what an accepted theorem rests on. -/
def axiomFields (axioms : List Name) : Fields :=
  [("axioms", Json.arr (namesJson axioms #[])), ("assumes", Json.arr (namesJson (withoutNames axioms standardAxioms []) #[]))]

/-- The axioms under constants, through everything that is not part of the imported library. -/
partial def axiomsUnder (base new : Environment) (xs : List Name) (seen : NameSet) (acc : List Name) : NameSet × List Name :=
  match xs with
  | [] => (seen, acc)
  | x :: r =>
    if seen.contains x then axiomsUnder base new r seen acc else
    let seen := seen.insert x
    if x == `Lean.reduceBool || x == `Lean.reduceNat then
      axiomsUnder base new r seen (if hasName compilerAxiom acc then acc else compilerAxiom :: acc) else
    match base.find? x, new.find? x with
    | some (.axiomInfo _), _ => match getOriginalConstKind? base x with
      -- The exported library shows its theorems and unexposed definitions as axioms; their original kind tells.
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
      let used := match info with | .inductInfo v => append v.ctors used | _ => used
      let (seen, acc) := axiomsUnder base new used seen acc
      axiomsUnder base new r seen acc
    | none, none => axiomsUnder base new r seen acc

/-- The environment of the imports alone. -/
def importsOf (w : Worker) : IO (Option Environment) := do
  match (← w.sessions.get)[0]? with
  | some (some st) => return some st.env
  | _ => return none

/-! ### Inductive types are added in blocks -/

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

end Orch
