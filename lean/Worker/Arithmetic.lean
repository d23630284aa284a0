import Worker.Relations

/-! Proofs about numbers that need one idea and then no search: case splits by residue, nonnegative squares, named differences,
   and witnesses that small values confirm. -/

open Lean Meta Elab

namespace Orch.Relational

def isNumber (type : Expr) : Bool := type.isConstOf ``Nat || type.isConstOf ``Int

/-- The parts of an expression that mention no bound variable and satisfy a condition. -/
def partsThat (p : Expr → Bool) (e : Expr) : Array Expr := Id.run do
  let mut all := #[]
  let mut rest := [e]
  for _ in [0:2000] do
    match rest with
    | [] => break
    | t :: others =>
      if p t && !t.hasLooseBVars && !all.contains t then all := all.push t
      rest := match t with
        | .app f a => f :: a :: others
        | .lam _ d b _ | .forallE _ d b _ => d :: b :: others
        | .mdata _ b => b :: others
        | .letE _ _ v b _ => v :: b :: others
        | _ => others
  return all

/-- A product of two terms that are not literals, or a power of one. -/
def isProduct (e : Expr) : Bool :=
  (e.isAppOfArity ``HMul.hMul 6 && isNumber (e.getArg! 0) && (e.getArg! 4).hasFVar && (e.getArg! 5).hasFVar) ||
    (e.isAppOfArity ``HPow.hPow 6 && isNumber (e.getArg! 0) && (e.getArg! 4).hasFVar)

def literalOf (e : Expr) : Option Nat := e.nat? <|> (e.int?.bind fun k => if k ≥ 0 then some k.toNat else none)

/-- The modulus and the dividend of a remainder or a divisibility. -/
def divided? (e : Expr) : Option (Nat × Expr) := do
  let (k, t) ← if e.isAppOfArity ``HMod.hMod 6 then some (e.getArg! 5, e.getArg! 4)
    else if e.isAppOfArity ``Dvd.dvd 4 then some (e.getArg! 2, e.getArg! 3) else none
  guard (isNumber (e.getArg! 0))
  let k ← literalOf k
  guard (2 ≤ k && k ≤ 12)
  return (k, t)

/-- The types of the hypotheses that are propositions, and the target. -/
def claims (target : Expr) : MetaM (Array Expr) := do
  let facts ← (← locals).filterM fun d => isProp d.type
  return #[target] ++ (← facts.mapM fun d => instantiateMVars d.type)

def numbersIn (e : Expr) : MetaM (Array LocalDecl) := do
  (← locals).filterM fun d => return isNamed d && isNumber (← instantiateMVars d.type) && e.containsFVar d.fvarId

/-- A nonlinear term modulo a literal: split on the residues of its variables; each case is a computation. -/
def residueClosers (target : Expr) : MetaM (Array String) := do
  let mut texts := #[]
  for claim in ← claims target do
    for part in partsThat (fun e => (divided? e).any fun (_, t) => (t.find? isProduct).isSome) claim do
      let some (k, t) := divided? part | continue
      let variables ← numbersIn t
      if variables.isEmpty || k ^ variables.size > 50 then continue
      let cases ← variables.mapM fun d => do
        let n := nameText d.userName
        let r := nameText (← freshName ("r" ++ n))
        let all := (List.range k).map fun j => s!"{n} % {k} = {j}"
        return s!"rcases (by omega : {" ∨ ".intercalate all}) with {" | ".intercalate ((List.range k).map fun _ => r)}"
      let lemmas := if (variables[0]!).type.isConstOf ``Nat
        then "Nat.dvd_iff_mod_eq_zero, Nat.mul_mod, Nat.add_mod, Nat.pow_mod"
        else "Int.dvd_iff_emod_eq_zero, Int.mul_emod, Int.add_emod, Int.sub_emod, Int.pow_succ"
      texts := texts.push s!"({" <;> ".intercalate cases.toList} <;> simp_all [{lemmas}])"
  return texts.toList.eraseDups.toArray.extract 0 2

/-- An inequality between nonlinear terms: natural numbers become sums by their order, and squares of differences of integers are
not negative. The rest is linear in products. -/
def squareClosers (target : Expr) : MetaM (Array String) := do
  unless [``LE.le, ``LT.lt, ``GE.ge, ``GT.gt].any (target.isAppOf ·) && (target.find? isProduct).isSome do return #[]
  let variables ← numbersIn target
  if variables.size > 4 then return #[]
  let isNat := (target.getArg! 0).isConstOf ``Nat
  let names := variables.map fun d => nameText d.userName
  let pairs := (names.mapIdx fun i a => (names.extract (i + 1) names.size).map fun b => (a, b)).flatten
  if !isNat then
    let square := "have hq (x : Int) : 0 ≤ x * x := (Int.le_total 0 x).elim (fun h => Int.mul_nonneg h h) (fun h => Int.mul_nonneg_of_nonpos_of_nonpos h h)"
    let differences := names.map (fun a => s!"have := hq {a}") ++ pairs.map fun (a, b) => s!"have := hq ({a} - {b})"
    return #["(" ++ "; ".intercalate ((#[square] ++ differences).push "grind").toList ++ ")"]
  let orders ← (← locals).filterM fun d => do
    return isNamed d && (← whnfR (← instantiateMVars d.type)).isAppOf ``LE.le && ((← whnfR (← instantiateMVars d.type)).getArg! 0).isConstOf ``Nat
  let named (h : String) : String := s!"obtain ⟨d{h}, rfl⟩ := Nat.exists_eq_add_of_le {h}"
  let known := orders.map fun d => named (nameText d.userName)
  let byHypotheses := if known.isEmpty then #[] else #["(" ++ "; ".intercalate (known.push "grind").toList ++ ")"]
  let byPair := (pairs.extract 0 2).map fun (a, b) =>
    s!"(rcases Nat.le_total {a} {b} with hle | hle <;> {named "hle"} <;> grind)"
  return byHypotheses ++ byPair

/-! ### Witnesses by division -/

/-- A product of atoms, as their places in increasing order. -/
abbrev Monomial := List Nat

/-- A sum in which no monomial occurs twice and no coefficient is zero. -/
abbrev Polynomial := List (Monomial × Int)

def addTerm : Polynomial → Monomial × Int → Polynomial
  | [], (m, c) => if c == 0 then [] else [(m, c)]
  | (n, d) :: rest, (m, c) =>
    if m != n then (n, d) :: addTerm rest (m, c) else if c + d == 0 then rest else (n, c + d) :: rest

def addPolynomial (p q : Polynomial) : Polynomial := q.foldl addTerm p

def multiplyBy (p : Polynomial) : Monomial × Int → Polynomial
  | (m, c) => p.map fun (n, d) => ((m ++ n).mergeSort, c * d)

def multiply (p q : Polynomial) : Polynomial := q.foldl (fun all t => addPolynomial all (multiplyBy p t)) []

/-- A number as a polynomial in the atoms that are collected on the way: what is no sum, product or power. -/
partial def polynomialOf (e : Expr) : StateT (Array Expr) MetaM Polynomial := do
  if let some k := (e.nat?.map Int.ofNat) <|> e.int? then return addTerm [] ([], k)
  let isInt := e.getAppNumArgs > 0 && (e.getArg! 0).isConstOf ``Int
  if e.isAppOfArity ``HAdd.hAdd 6 then return addPolynomial (← polynomialOf (e.getArg! 4)) (← polynomialOf (e.getArg! 5))
  if e.isAppOfArity ``HMul.hMul 6 then
    let p ← polynomialOf (e.getArg! 4)
    let q ← polynomialOf (e.getArg! 5)
    -- a product of many terms is no witness that anyone would write
    if p.length * q.length ≤ 200 then return multiply p q
  if e.isAppOfArity ``HSub.hSub 6 && isInt then
    return addPolynomial (← polynomialOf (e.getArg! 4)) (multiplyBy (← polynomialOf (e.getArg! 5)) ([], -1))
  if e.isAppOfArity ``Neg.neg 3 && isInt then return multiplyBy (← polynomialOf (e.getArg! 2)) ([], -1)
  if e.isAppOfArity ``HPow.hPow 6 then
    if let some k := (e.getArg! 5).nat? then
      if k ≤ 4 then
        let p ← polynomialOf (e.getArg! 4)
        return (List.range k).foldl (fun all _ => multiply all p) [([], 1)]
  if let some k := (← get).findIdx? (· == e) then return [([k], 1)]
  modify (·.push e)
  return [([(← get).size - 1], 1)]

def leadingTerm : Polynomial → Option (Monomial × Int)
  | [] => none
  | first :: rest => some <| rest.foldl (init := first) fun best t =>
    if t.1.length > best.1.length || (t.1.length == best.1.length && t.1 > best.1) then t else best

/-- What is left of a monomial without the factors of another one. -/
def without (m : Monomial) (factors : Monomial) : Option Monomial :=
  factors.foldlM (init := m) fun rest k => if rest.contains k then some (rest.erase k) else none

/-- Nothing unless the division leaves no rest. -/
def quotient (p q : Polynomial) (fuel : Nat := 40) : Option Polynomial :=
  match fuel, leadingTerm p, leadingTerm q with
  | _, none, _ => some []
  | fuel + 1, some (m, c), some (n, d) => do
    let factor ← without m n
    guard (c % d == 0)
    let rest ← quotient (addPolynomial p (multiplyBy q (factor, -(c / d)))) q fuel
    return addTerm rest (factor, c / d)
  | _, _, _ => none

/-- What is left of `p` when equations `q = 0` replace their leading terms. -/
def modulo (p : Polynomial) (equations : List Polynomial) : Polynomial := Id.run do
  let mut rest := p
  for _ in [0:12] do
    let step := equations.findSome? fun q => do
      let (n, d) ← leadingTerm q
      rest.findSome? fun (m, c) => do
        let factor ← without m n
        guard (c % d == 0)
        return addPolynomial rest (multiplyBy q (factor, -(c / d)))
    match step with
    | some next => rest := next
    | none => break
  return rest

def polynomialText (atoms : Array Expr) (p : Polynomial) : MetaM String := do
  let names ← atoms.mapM fun e => do
    let text := (← ppExpr e).pretty 1000
    return if e.isFVar then text else s!"({text})"
  let term : Monomial × Int → String := fun (m, c) =>
    let factors := m.map (names[·]!)
    " * ".intercalate (if c.natAbs == 1 && !m.isEmpty then factors else toString c.natAbs :: factors)
  let (added, taken) := p.partition (·.2 > 0)
  if p.isEmpty then return "0"
  return " + ".intercalate (added.map term) ++ String.join (taken.map (" - " ++ term ·))

/-- A witness that an equation determines, since the equation is linear in it and the division leaves no rest, at least where the
   equations of the context hold. -/
def divisionClosers (target : Expr) : MetaM (Array String) := do
  let type := target.getArg! 0
  unless isNumber type do return #[]
  let facts ← (← locals).filterMapM fun d => do return (← instantiateMVars d.type).eq?
  let known := facts.filter fun (α, left, right) => α == type && !(left.isFVar || right.isFVar)
  withLocalDeclD `w type fun w => do
    let mut texts := #[]
    for equation in partsThat (·.isAppOfArity ``Eq 3) (mkApp (target.getArg! 1) w).headBeta do
      let some (α, left, right) := equation.eq? | continue
      unless α == type do continue
      let difference (l r : Expr) : StateT (Array Expr) MetaM Polynomial := do
        return addPolynomial (← polynomialOf r) (multiplyBy (← polynomialOf l) ([], -1))
      let ((whole, equations), atoms) ← (do
        return (← difference left right, ← known.toList.mapM fun (_, l, r) => difference l r) : StateT (Array Expr) MetaM (Polynomial × List Polynomial)).run #[w]
      if (atoms.extract 1 atoms.size).any (·.containsFVar w.fvarId!) then continue
      let (factors, rest) := whole.partition (·.1.contains 0)
      let divisor := factors.map fun (m, c) => (m.erase 0, -c)
      if divisor.isEmpty || divisor.any (·.1.contains 0) then continue
      let isUsable (p : Polynomial) : Bool := !(type.isConstOf ``Nat && p.any (·.2 < 0))
      let found := [rest, modulo rest equations].findSome? fun p => (quotient p divisor).filter isUsable
      let some found := found | continue
      texts := texts.push s!"exact ⟨{← polynomialText atoms found}, by first | omega | grind⟩"
    return texts

/-- Sums, multiples and quotients of the numbers in the context. -/
def smallTerms (target : Expr) (type : Expr) : MetaM (Array Expr) := do
  let variables := ((← numbersIn target).filter (·.type == type)).map (·.toExpr)
  let literal (k : Nat) : MetaM Expr := if type.isConstOf ``Nat then pure (mkNatLit k) else mkNumeral type k
  let found := (partsThat (fun e => (literalOf e).isSome && e.isAppOf ``OfNat.ofNat) target).filterMap literalOf
  let moduli := (found.filter fun k => 2 ≤ k && k ≤ 30).toList.eraseDups
  -- a multiple of all of them changes no remainder
  let period := moduli.foldl Nat.lcm 1
  let steps := if period ≤ 100 then (period :: moduli).eraseDups.filter (· > 1) else moduli
  let offsets := List.range (min 40 (max 8 (period + 1)))
  let mut bases := variables
  for v in variables do
    for w in variables do
      if v != w then bases := bases.push (← mkAppM ``HAdd.hAdd #[v, w])
      bases := bases.push (← mkAppM ``HMul.hMul #[v, w])
    for k in steps do
      bases := bases.push (← mkAppM ``HMul.hMul #[← literal k, v])
      bases := bases.push (← mkAppM ``HDiv.hDiv #[v, ← literal k])
      bases := bases.push (← mkAppM ``HMul.hMul #[← literal k, ← mkAppM ``HAdd.hAdd #[v, ← literal 1]])
  let constants ← offsets.toArray.mapM literal
  let mut all := constants
  for b in bases do
    for c in constants do
      all := all.push (← if literalOf c == some 0 then pure b else mkAppM ``HAdd.hAdd #[b, c])
  return all.extract 0 400

/-- Does a closed proposition evaluate to true? -/
def isTrue (p : Expr) : MetaM (Option Bool) := do
  boundedMeta 100 none do
    let value ← withTransparency .default (whnf (← mkDecide p))
    return if value.isConstOf ``Bool.true then some true else if value.isConstOf ``Bool.false then some false else none

/-- Witnesses of an existential claim about numbers that hold for all small values, simplest first. -/
def witnessClosers (target : Expr) : MetaM (Array String) := do
  unless isNumber (target.getArg! 0) do return #[]
  let body := target.getArg! 1
  if (body.find? fun e => e.isForall || e.isAppOf ``Exists).isSome then return #[]
  let variables ← numbersIn target
  if variables.size > 2 then return #[]
  let xs := variables.map (·.toExpr)
  let facts ← (← locals).filterM fun d => do
    return (← isProp d.type) && (← numbersIn (← instantiateMVars d.type)).all fun x => variables.any (·.fvarId == x.fvarId)
  let conditions ← facts.mapM fun d => instantiateMVars d.type
  let mut samples := #[]
  for k in [0, 1, 2, 3, 4, 5, 6, 7, 11] do
    let values ← (List.range xs.size).toArray.mapM fun i => do
      let v := (k * (i + 1) + i) % 12
      if (variables[i]!).type.isConstOf ``Nat then pure (mkNatLit v) else mkNumeral (mkConst ``Int) v
    if ← conditions.allM fun p => return (← isTrue (p.replaceFVars xs values)) != some false then samples := samples.push values
  let mut texts := #[]
  for t in ← smallTerms target (target.getArg! 0) do
    if texts.size ≥ 3 then break
    let claim := (mkApp body t).headBeta
    if ← samples.allM fun values => return (← isTrue (claim.replaceFVars xs values)) == some true then
      let text := (← ppExpr t).pretty 1000
      texts := texts.push s!"exact ⟨{text}, by first | omega | grind⟩"
  return texts

/-- Closers that depend on the goal, tried after the usual ones have failed. -/
def arithmeticClosers (target : Expr) : MetaM (Array String) := do
  let target ← whnfR target
  let meaning ← whnf target
  if meaning.isAppOfArity ``Exists 2 then return (← divisionClosers meaning) ++ (← witnessClosers meaning)
  return (← residueClosers target) ++ (← squareClosers target)

end Orch.Relational
