import Worker.Declarations

/-! The axioms that a theorem depends on. -/

open Lean

namespace Orch

def standardAxioms : List Name := [`propext, `Classical.choice, `Quot.sound]

/-- Constants that make a proof depend on the compiler: the kernel evaluates `Lean.reduceBool` and `Lean.reduceNat` by running
   compiled code. -/
def compilerAxiom : Name := `Lean.trustCompiler

def sorryRefusal : Refusal := ⟨"sorry", "the proof contains sorry"⟩
def axiomRefusal (n : Name) : Refusal := ⟨"axiom", s!"the proof rests on the axiom {nameText n}"⟩

/-- Judge the axioms: `sorryAx` first, then everything outside the standard three and the allowed ones. -/
def judgeAxioms (axioms allowed : List Name) : Option Refusal :=
  if axioms.contains `sorryAx then some sorryRefusal
  else (axioms.find? fun n => !(standardAxioms.contains n || allowed.contains n)).map axiomRefusal

/-- The axioms that a request allows. -/
def allowedAxioms (j : Json) : List Name := (getItems j "allow_axioms").filterMap nameOfJson?

/-- The open theorems that a proof may use as assumptions, if the request names them. -/
def assumedTheorems (j : Json) : List Name := (getItems j "assume").filterMap nameOfJson?

/-- The fields that report the axioms of an accepted theorem. -/
def axiomFields (axioms : List Name) : Fields :=
  [("axioms", namesJson axioms), ("assumes", namesJson (axioms.filter (!standardAxioms.contains ·)))]

/-- Is this constant of the library an axiom? The exported library also shows its theorems and unexposed definitions as axioms,
   so their original kind decides. -/
def isLibraryAxiom (library : Environment) (n : Name) : Bool :=
  match getOriginalConstKind? library n with
  | some .thm | some .defn | some .opaque => false
  | _ => true

structure Walk where
  seen : NameSet := {}
  axioms : List Name := []
  assumed : Name → Bool := fun _ => false

/-- The axioms that a constant depends on, followed through everything outside the library. -/
partial def Walk.visit (library env : Environment) (w : Walk) (n : Name) : Walk := Id.run do
  if w.seen.contains n then return w
  let mut w := { w with seen := w.seen.insert n }
  if runsCompiledCode n then
    return if w.axioms.contains compilerAxiom then w else { w with axioms := compilerAxiom :: w.axioms }
  match library.find? n with
  | some (.axiomInfo _) => return if isLibraryAxiom library n then { w with axioms := n :: w.axioms } else w
  | some _ => return w
  | none =>
    match env.find? n with
    | none => return w
    | some info =>
      if w.assumed n then
        w := { w with axioms := n :: w.axioms }
        for used in info.type.getUsedConstants do w := w.visit library env used
        return w
      if let .axiomInfo _ := info then w := { w with axioms := n :: w.axioms }
      for used in info.type.getUsedConstants do w := w.visit library env used
      if let some value := info.value? (allowOpaque := true) then
        for used in value.getUsedConstants do w := w.visit library env used
      if let .inductInfo v := info then
        for constructor in v.ctors do w := w.visit library env constructor
      return w

/-- With `assumed`, these theorems count as axioms, whatever their proofs use. -/
def axiomsUnder (library env : Environment) (n : Name) (assumed : List Name := []) : List Name :=
  let isAssumed (n : Name) : Bool := assumed.contains n
  (Walk.visit library env { assumed := isAssumed } n).axioms

end Orch
