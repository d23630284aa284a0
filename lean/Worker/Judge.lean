import Worker.Session
import Worker.Axioms
import Worker.Recursors

/-! The judge. It never sees user text: it reads the statement's data and the candidate's data, and the kernel decides. The
   statement's constants are added under their own names. The candidate's constants are added under an unused root, except those
   that are equal by content to one of the statement's. Then the theorem is added with the name, universe parameters and type of
   the statement and the value of the candidate, so the kernel checks that the proof fits the statement. -/

open Lean

namespace Orch

/-- The request: the stages to run (all, unless it names fewer), the axioms that may be used, and the open theorems of the
   statement's data that count as axioms. -/
structure Rules where
  form : Bool
  binding : Bool
  kernel : Bool
  advisories : Bool
  axioms : Bool
  allowed : List Name
  assumed : List Name

def rulesOf (j : Json) : Rules :=
  let runs (stage : String) : Bool := match j.getObjVal? "stages" with
    | .ok (.arr a) => a.contains (Json.str stage)
    | _ => true
  { form := runs "form", binding := runs "binding", kernel := runs "kernel", advisories := runs "advisories", axioms := runs "axioms"
    allowed := assumedTheorems j ++ allowedAxioms j, assumed := assumedTheorems j }

/-- If the kernel reached a limit the question stays open; every other failure is a rejection. -/
def kernelRefusal (e : Kernel.Exception) (n : Name) : Refusal :=
  match e with
  | .deterministicTimeout => ⟨"heartbeats", s!"the kernel ran out of heartbeats at {nameText n}"⟩
  | .excessiveMemory => ⟨"memory", s!"the kernel ran out of memory at {nameText n}"⟩
  | .deepRecursion => ⟨"recursion", s!"the kernel recursed too deeply at {nameText n}"⟩
  | .interrupted => ⟨"timeout", s!"the kernel was interrupted at {nameText n}"⟩
  | .unknownConstant _ c => ⟨"kernel", s!"{nameText n} needs {nameText c}, which does not exist"⟩
  | _ => ⟨"kernel", s!"the kernel rejects {nameText n}"⟩

def Judging.refuse (s : Judging) (names : List Name) (why : Refusal) : Judging :=
  { s with refused := names.foldl (fun all n => all.insert n why) s.refused }

/-- All constants that exist once a declaration has been added. -/
def namesOf (s : Stated) : List Name :=
  match s.declaration with
  | .inductDecl _ _ types _ => types.flatMap fun t => t.name :: .str t.name "rec" :: t.ctors.map (·.name)
  | _ => [s.name]

/-- Declarations that name `sorryAx` or compiled code are refused before the kernel sees them. -/
def suspicionOf (used : Array Name) : Option Refusal :=
  if used.contains `sorryAx then some sorryRefusal
  else if used.any runsCompiledCode then some (axiomRefusal compilerAxiom)
  else (used.find? isSuspicious).map axiomRefusal

/-- The stage `advisories`: checks of added declarations in the places where kernels are known to have had bugs. -/
def adviseAgainst (w : Worker) (before env : Environment) (d : Stated) : Read Unit := do
  let check (part : Declaration) : Read Unit :=
    match env.addDeclCore 0 part (some w.cancel) true with
    | .ok _ => pure ()
    | .error e => throw (kernelRefusal e (withoutRoot d.name))
  match d.declaration with
  | .inductDecl levels parameters types _ =>
    if let some why := blockFault before.toKernelEnv levels parameters types then throw ⟨"kernel", why⟩
    checkAdded { before := before.toKernelEnv, env := env.toKernelEnv, levels, parameters, types, check }
  | _ => pure ()
  if d.projects && (expressionsOf d.declaration).any (hasWrongProjection env.toKernelEnv) then
    throw ⟨"kernel", s!"{nameText (withoutRoot d.name)} projects what it may not"⟩

/-- A declaration that depends on an unsafe constant must not be reported as unsafe itself. -/
def inheritedBy (n culprit : Name) (why : Refusal) : Refusal :=
  if why.kind == "unsafe" then ⟨"kernel", s!"{nameText n} needs {nameText culprit}, which is unsafe or partial"⟩ else why

/-- Let the kernel add a declaration. One that depends on a refused declaration is refused for the same reason. -/
def Judging.add (s : Judging) (w : Worker) (rules : Rules) (suspicious : Bool) (d : Stated) (shown : Name := d.name) : Judging :=
  if !d.safe then s.refuse (namesOf d) ⟨"unsafe", s!"{nameText shown} is unsafe or partial"⟩ else
  match if suspicious && rules.axioms then suspicionOf (constantsOf d.declaration) else none with
  | some why => s.refuse (namesOf d) why
  | none =>
    match s.env.addDeclCore 0 d.declaration (some w.cancel) rules.kernel with
    | .ok env =>
      match if rules.advisories then adviseAgainst w s.env env d else pure () with
      | .ok () => { s with env }
      | .error why => s.refuse (namesOf d) why
    | .error e =>
      let inherited := match e with | .unknownConstant _ c => (s.refused[c]?).map (inheritedBy shown c) | _ => none
      s.refuse (namesOf d) (inherited.getD (kernelRefusal e shown))

/-! ### The statement -/

/-- A root that is not a prefix of any of the names. -/
partial def freshRoot (names : List Name) (k : Nat := 0) : Name :=
  let root : Name := .num (.str .anonymous "_candidate") k
  if names.any root.isPrefixOf then freshRoot names (k + 1) else root

/-- The judge would take such a name for the library's constant, which a text that imports less of the library does not mean. -/
def refuseLibraryNames (library : Environment) (names : Array Name) (rows : Array Json) : Read Unit := do
  for row in rows do
    if let some n := (← declaredBy names row).names.find? fun n => library.contains n then
      throw ⟨"inseparable", s!"{nameText n} is declared here and in a module of Lean's library that only another text imports"⟩

/-- Is it a hole, or does it depend on one? -/
def Base.isHeld (b : Base) (d : Stated) : Bool :=
  b.holes.contains d.name || (constantsOf d.declaration).any fun n => b.held.any fun h => (namesOf h).contains n

/-- Adds a declaration of the reference, unless it has to wait for the candidate. -/
def Base.add (b : Base) (w : Worker) (rules : Rules) (suspicious : Bool) (d : Stated) : Base :=
  if b.isHeld d then
    let content := if b.holes.contains d.name then b.content else b.content.add d
    { b with held := b.held.push d, content }
  else
    let before := b.judging.refused.size
    let judging := b.judging.add w rules suspicious d
    { b with judging, content := if judging.refused.size == before then b.content.add d else b.content }

def readBase (w : Worker) (rules : Rules) (library : Environment) (holes : List Name) (j : Json) : Read Base := do
  let t ← openTables rules.form rules.advisories library j
  let rows ← items j "declarations"
  let mut t ← t.declare rows id
  refuseLibraryNames library t.names rows
  let mut base : Base := { library, judging := { env := library }, holes := .ofList holes }
  for row in rows do
    let (d, read) ← readDeclaration t row
    t := read
    base := base.add w rules t.suspicious d
  for row in (← items j "statements") do
    let name ← rowAt "name" t.names (← field row "name")
    if name.isAnonymous then malformed "a statement has no name"
    let levels ← (← items row "levels").toList.mapM (rowAt "name" t.names)
    let (type, read) ← t.closed (← field row "type")
    t := read
    if rules.assumed.contains name then
      let d : Declaration := .axiomDecl { name, levelParams := levels, type, isUnsafe := false }
      let assumed : Stated := { name, levels, safe := true, declaration := d }
      let judging := base.judging.add w rules t.suspicious assumed
      base := { base with judging, content := if judging.refused.contains name then base.content else base.content.add assumed }
    else base := { base with statements := base.statements.push { name, levels, type } }
  for n in (← items j "definitions") do
    base := { base with definitions := base.definitions.insert (← rowAt "name" t.names n) }
  let names := base.statements.toList.map (·.name) ++ t.meanings.keys
  return { base with root := freshRoot names, suspicious := t.suspicious, projects := t.projects }

/-! ### The candidate -/

structure Judged where
  library : Environment
  judging : Judging
  /-- for each statement, the name under which it was added -/
  bound : Std.HashMap Name Name := {}
  /-- the names that the candidate declares, in order, and the constant each is mapped to -/
  declared : Array Name := #[]
  target : Name → Name

/-- Adds a theorem of the candidate as the proof of one of the statements. -/
def bindTheorem (w : Worker) (rules : Rules) (base : Base) (suspicious projects : Bool) (c : Claimed) (v : TheoremVal) (s : Judging) :
    Name × Judging :=
  -- the type of one statement may use another theorem of the reference, which then occurs with the reference's proof
  let name := if s.env.contains c.name || s.refused.contains c.name then graft base.root c.name else c.name
  if v.levelParams.length != c.levels.length then
    (name, s.refuse [name] ⟨"statement-changed", "the universe parameters differ from the statement"⟩) else
  let levels := c.levels.map Level.param
  let same := v.type.instantiateLevelParams v.levelParams levels == c.type
  let value := v.value.instantiateLevelParams v.levelParams levels
  let d : Declaration := .thmDecl { name, levelParams := c.levels, type := c.type, value }
  let s := s.add w rules suspicious { name, levels := c.levels, safe := true, declaration := d, projects } c.name
  match s.refused[name]? with
  -- a statement that was changed counts as changed even if its proof is a `sorry`
  | some ⟨"kernel", _⟩ | some ⟨"sorry", _⟩ =>
    (name, if same then s else s.refuse [name] ⟨"statement-changed", "the type differs from the statement"⟩)
  | _ => (name, s)

def Tables.rename (t : Tables) (n target : Name) : Tables :=
  { t with meanings := t.meanings.modify n fun
      | .declared _ k => .declared target k
      | .inductive _ k => .inductive target k }

/-- Adds what waited for a hole of the reference, as far as it can be decided now. -/
def addHeld (w : Worker) (rules : Rules) (base : Base) (s : Judging) : Judging :=
  base.held.foldl (init := s) fun s d =>
    let isDecided (n : Name) : Bool := s.env.contains n || s.refused.contains n
    let own := namesOf d
    if base.holes.contains d.name || isDecided d.name || !(constantsOf d.declaration).all fun n => own.contains n || isDecided n then s
    else s.add w rules base.suspicious d

/-- A definition of the candidate in the place of the reference's, if name, universe parameters and type agree. The kernel sees the
   reference's type with the candidate's value. -/
def fillHole (w : Worker) (rules : Rules) (base : Base) (suspicious : Bool) (first : Name) (d : Stated) (s : Judging) : Option Judging := do
  if !base.holes.contains first then none
  let hole ← base.held.find? (·.name == first)
  let (.defnDecl stated, .defnDecl v) := (hole.declaration, d.declaration) | none
  if !hole.safe || !d.safe || v.levelParams.length != stated.levelParams.length then none
  let levels := stated.levelParams.map Level.param
  if v.type.instantiateLevelParams v.levelParams levels != stated.type then none
  let value := v.value.instantiateLevelParams v.levelParams levels
  let filled : Stated := { d with name := first, levels := hole.levels, declaration := .defnDecl { stated with value, hints := v.hints } }
  return addHeld w rules base (s.add w rules suspicious { filled with projects := d.projects || hole.projects } first)

/-- One declaration of the candidate: the proof of a statement, equal to one of the statement's constants, or new. -/
def judgeRow (w : Worker) (rules : Rules) (base : Base) (isAlone : Bool) (row : Json) (t : Tables) (s : Judged) : Read (Tables × Judged) := do
  let { first, names := own, .. } ← declaredBy t.names row
  let s := { s with declared := s.declared ++ own }
  let (d, read) ← readDeclaration t row
  let claimed := if rules.binding then base.statements.find? (·.name == first) else none
  match claimed, d.declaration with
  | some c, .thmDecl v =>
    let (name, judging) := bindTheorem w rules base (base.suspicious || read.suspicious) (base.projects || d.projects) c v s.judging
    let judging := if base.holes.contains name then addHeld w rules base judging else judging
    return (read.rename first name, { s with judging, bound := s.bound.insert c.name name })
  | none, .thmDecl v =>
    -- an open theorem of the candidate is the assumption of the same name if it states the same; its proof plays no part
    let stated := { d with declaration := .axiomDecl { name := d.name, levelParams := v.levelParams, type := v.type, isUnsafe := false } }
    let assumption := if rules.assumed.contains first then base.content.find stated first else none
    match assumption <|> base.content.find d first with
    | some target => return (read.rename first target, s)
    | none => return (read, { s with judging := s.judging.add w rules read.suspicious d first })
  | _, .inductDecl levels parameters types _ =>
    match base.content.findBlock { parameters, levels, types } first with
    | none => return (read, { s with judging := s.judging.add w rules read.suspicious d first })
    | some pairs =>
      -- the rows of this block were read with its own names; read them again with the statement's
      let names : Std.HashMap Name Name := .ofList pairs
      let again := own.foldl (init := t) fun t n => match names[graft base.root n]? with
        | some target => t.rename n target
        | none => t
      return (again, s)
  | _, .axiomDecl _ =>
    match base.content.find d first with
    | some target => return (read.rename first target, s)
    | none =>
      if !rules.axioms || (isAlone && rules.allowed.contains first) then
        return (read, { s with judging := s.judging.add w rules read.suspicious d first })
      let why := if isAlone then axiomRefusal first else ⟨"axiom", s!"the proof declares a new axiom {nameText first}"⟩
      return (read, { s with judging := s.judging.refuse [d.name] why })
  | _, _ =>
    if let some judging := fillHole w rules base (base.suspicious || read.suspicious) first d s.judging then
      return (read.rename first first, { s with judging })
    match base.content.find d first with
    | some target => return (read.rename first target, s)
    | none => return (read, { s with judging := s.judging.add w rules read.suspicious d first })

/-- Add the candidate's declarations. Without a statement there is nothing to keep them apart from, so they keep their names. -/
def judgeCandidate (w : Worker) (rules : Rules) (base : Base) (isAlone : Bool) (j : Json) : Read (Judged × Tables) := do
  let base := if isAlone then { base with root := .anonymous } else base
  let rows ← items j "declarations"
  let t ← openTables rules.form rules.advisories base.library j
  let mut t ← t.declare rows (graft base.root)
  if isAlone then refuseLibraryNames base.library t.names rows
  let mut s : Judged := { library := base.library, judging := base.judging, target := id }
  for row in rows do (t, s) ← judgeRow w rules base isAlone row t s
  let meanings := t.meanings
  let target (n : Name) : Name := match meanings[n]? with
    | some (.declared m _) | some (.inductive m _) => m
    | none => n
  return ({ s with target }, t)

/-! ### Verdicts -/

def missing : Refusal := ⟨"statement-changed", "the theorem is missing"⟩

/-- The verdict on a constant, after the kernel has seen everything. -/
def verdictOn (rules : Rules) (s : Judged) (shown name : Name) : Answer :=
  let named : Fields := [("name", Json.str (nameText shown))]
  match s.judging.refused[name]? with
  | some why => refusalAnswer why named
  | none =>
    if !s.judging.env.contains name then refusalAnswer missing named else
    let axioms := axiomsUnder s.library s.judging.env name
    let isTheorem := match s.judging.env.find? name with | some (.thmInfo _) => true | _ => false
    let given := axioms.filter rules.assumed.contains
    let fields := named ++ [("theorem", Json.bool isTheorem), ("given", namesJson given)] ++ axiomFields axioms
    match if rules.axioms then judgeAxioms axioms rules.allowed else none with
    | some why => refusalAnswer why fields
    | none => .done fields

/-- The verdict on a statement. -/
def verdictOnStatement (rules : Rules) (s : Judged) (c : Claimed) : Answer :=
  match s.bound[c.name]? with
  | some name => verdictOn rules s c.name name
  | none =>
    if !s.declared.contains c.name then refusalAnswer missing [("name", Json.str (nameText c.name))]
    else if rules.binding && !s.judging.refused.contains (s.target c.name) then
      refusalAnswer ⟨"statement-changed", "it is not a theorem"⟩ [("name", Json.str (nameText c.name))]
    else verdictOn rules s c.name (s.target c.name)

/-- The base of a statement's data, cached by its bytes. A base that was built while the request was being stopped is not
   cached. -/
def baseOf (w : Worker) (rules : Rules) (text : String) (holes : List Name := []) : IO (Read Base) := do
  let key := s!"{rules.form} {rules.kernel} {rules.advisories} {rules.axioms} {holes} {rules.assumed} {text}"
  let known ← w.bases.get
  if let some (_, base) := known.find? (·.1 == key) then return .ok base
  let some library ← importsOf w | return throw ⟨"crash", "the library is gone"⟩
  match Json.parse text with
  | .error _ => return malformed "it is not JSON"
  | .ok j =>
    let base := readBase w rules library holes j
    if let .ok b := base then
      if !(← w.cancel.isSet) then w.bases.set ((key, b) :: known.take 7)
    return base

def emptyStatement : String :=
  "{\"format\":2,\"names\":[null],\"levels\":[null],\"exprs\":[],\"declarations\":[],\"statements\":[],\"definitions\":[]}"

def candidateOf (j : Json) : Json := (j.getObjVal? "candidate").toOption.getD Json.null

/-- Judge a candidate for one statement. -/
def opJudge (w : Worker) (j : Json) : IO Answer := do
  let rules := rulesOf j
  match (← baseOf w rules (getText j "statement" "")) with
  | .error why => return refusalAnswer why []
  | .ok base =>
    let #[claimed] := base.statements
      | return .failed "malformed-export" "the statement data does not state exactly one theorem" []
    -- a faulty statement ends the claim: no candidate can repair it
    let inType := if rules.axioms && base.suspicious then suspicionOf claimed.type.getUsedConstants else none
    let fault := match base.judging.refused.toList.head? with
      | some (_, why) => some why
      | none => inType.map fun why => { why with message := "the statement itself: " ++ why.message }
    if let some why := fault then return refusalAnswer why [("name", Json.str (nameText claimed.name))]
    match judgeCandidate w rules base false (candidateOf j) with
    | .error why => return refusalAnswer why []
    | .ok (s, _) => return verdictOnStatement rules s claimed

/-- The first definition that differs between candidate and reference. A definition that fails in the reference itself is not
   compared. -/
def disagreement (base : Base) (s : Judged) : Option Name :=
  s.declared.find? fun n =>
    base.definitions.contains n && s.target n != n && !base.judging.refused.contains n

/-- Judge a file against the statements of a reference. -/
def againstReference (rules : Rules) (base : Base) (s : Judged) : Array Json :=
  let changed := if rules.binding then disagreement base s else none
  base.statements.map fun c => Answer.json <| match changed with
    | some n => refusalAnswer ⟨"statement-changed", s!"the file defines {nameText n} otherwise than the reference"⟩
        [("name", Json.str (nameText c.name))]
    | none => verdictOnStatement rules s c

/-- What a file declares beyond the theorems of its reference; `stated` if the reference declares it too. -/
def verdictOnOther (rules : Rules) (base : Base) (s : Judged) (n : Name) : Answer :=
  let isStated := base.definitions.contains n && !base.judging.refused.contains n
  if rules.binding && isStated && s.target n != n then
    refusalAnswer ⟨"statement-changed", "the file defines it otherwise than the reference"⟩ [("name", Json.str (nameText n))]
  else match verdictOn rules s n (s.target n) with
    | .done fields => .done (("stated", Json.bool isStated) :: fields)
    | refused => refused

/-- Judge a file without a reference: the declarations it lists, and anything else in it that is refused. -/
def byItself (rules : Rules) (s : Judged) (listed : List Name) : Array Json := Id.run do
  let mut verdicts := (listed.map fun n => verdictOn rules s n n).toArray
  let mut walk : Walk := {}
  for n in listed do walk := walk.visit s.library s.judging.env n
  for n in s.declared do
    if listed.contains n then continue
    match s.judging.refused[n]? with
    | some why =>
      if why.kind != "unsafe" then verdicts := verdicts.push (refusalAnswer why [("name", Json.str (nameText n))])
    | none =>
      let before := walk.axioms.length
      walk := walk.visit s.library s.judging.env n
      let more := walk.axioms.take (walk.axioms.length - before)
      if let some why := if rules.axioms then judgeAxioms more rules.allowed else none then
        verdicts := verdicts.push (refusalAnswer why [("name", Json.str (nameText n))])
  return verdicts.map Answer.json

/-- Judge the theorems of a whole file: those of the reference or, without a reference, those that the file lists. -/
def opJudgeFile (w : Worker) (j : Json) : IO Answer := do
  let rules := rulesOf j
  let reference := match j.getObjVal? "reference" with | .ok (.str text) => some text | _ => none
  match (← baseOf w rules (reference.getD emptyStatement) ((getItems j "holes").filterMap nameOfJson?)) with
  | .error why => return refusalAnswer why []
  | .ok base =>
    let candidate := candidateOf j
    let judged : Read (Judged × List Name) := do
      let (s, t) ← judgeCandidate w rules base reference.isNone candidate
      return (s, ← (← items candidate "theorems").toList.mapM (rowAt "name" t.names))
    match judged with
    | .error why => return refusalAnswer why []
    | .ok (s, listed) =>
      let verdicts := if reference.isSome then againstReference rules base s else byItself rules s listed
      let isOther (n : Name) : Bool := reference.isSome && !base.statements.any (·.name == n)
      let others := (listed.filter isOther).toArray.map fun n => (verdictOnOther rules base s n).json
      return .done [("theorems", Json.arr verdicts), ("others", Json.arr others)]

end Orch
